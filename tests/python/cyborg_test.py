"""The challenge as CybORG's users know it: bits, table, names, the protocol of its evaluation."""

import os
import sys
import unittest

LIBRARY, PACKAGE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

from dray.cyborg import LENGTHS, REDS, ChallengeEnv, blue_table, evaluate


class Sleeper:
    """As the challenge's own."""

    ended = 0

    def get_action(self, observation, action_space):
        assert observation.shape == (52,) and action_space == 145
        return 0

    def end_episode(self):
        self.ended += 1


class CyborgTest(unittest.TestCase):
    def test_an_attack_is_seen_as_the_table_shows_it(self):
        env = ChallengeEnv("B_line", seed=1)
        bits = env.reset()
        self.assertEqual(bits.sum(), 0)
        self.assertIsNone(env.get_last_action())
        seen = []
        for _ in range(5):
            bits, reward, done, _ = env.step(0)
            self.assertIn(reward, (0.0, -0.1) if not done else (reward,))
            seen += [(activity, compromised) for _, activity, compromised in blue_table(bits) if activity != "None"]
        # B_line scans a user's machine, then breaks into it.
        self.assertEqual(seen[:2], [("Scan", "No"), ("Exploit", "User")])
        self.assertEqual(env.get_last_action(), "Sleep")
        self.assertIn("User0        None      No", env.get_table())
        self.assertEqual(env.possible_actions[3], "Analyse Enterprise0")

    def test_episodes_follow_one_another_and_seeds_repeat_them(self):
        def totals(seed):
            env, found = ChallengeEnv("Meander", max_steps=50, seed=seed), []
            for _ in range(3):
                env.reset()
                total, done, steps = 0, False, 0
                while not done:
                    _, reward, done, _ = env.step(0)
                    total, steps = total + reward, steps + 1
                self.assertEqual(steps, 50)
                found.append(total)
            return found

        self.assertEqual(totals(1), totals(1))
        self.assertGreater(len(set(totals(1) + totals(2))), 3)

    def test_the_challenge_s_protocol(self):
        agent, lines = Sleeper(), []
        scores = evaluate(agent, episodes=30, say=lines.append)
        self.assertEqual(agent.ended, 30 * 9)
        self.assertEqual(set(scores), {(red, steps) for red in REDS for steps in LENGTHS})
        self.assertEqual(len(lines), 9)
        # Nobody attacks, nothing is lost; B_line is at the server after some 12 steps and costs more than ten a step from then on.
        for steps in LENGTHS:
            self.assertEqual(scores["Sleep", steps], (0, 0))
        self.assertLess(scores["B_line", 100][0], scores["B_line", 50][0])
        self.assertLess(scores["B_line", 100][0], -800)
        self.assertLess(scores["B_line", 100][0], scores["Meander", 100][0])

    def test_what_is_not_the_challenge_is_refused(self):
        with self.assertRaisesRegex(ValueError, "B_line, Meander, Sleep, not Bline"):
            ChallengeEnv("Bline")
        with self.assertRaisesRegex(ValueError, "52 bits"):
            ChallengeEnv(observe_history=True)


if __name__ == "__main__":
    unittest.main()
