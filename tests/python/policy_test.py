"""A trained policy from Python plays as evaluate does, for every kind of network."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

LIBRARY, PACKAGE, TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:5])
del sys.argv[1:5]
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
sys.path.insert(0, os.path.dirname(os.path.dirname(PACKAGE)))

import numpy

import dray
from dray.policy import Policy, read_config
from dray.weights import read_weights

SHORT = (
    "--runner",
    "local",
    "--device",
    "cpu",
    "--set",
    "evaluation.episodes=1",
    "--set",
    "train.duration_s=0",
    "--set",
    "train.episodes=0",
)
TASKS = {
    "cartpole": ("--config", "cartpole", "--epochs", "20"),
    "memory": ("--config", "cartpole", "--epochs", "20", "--set", "network.kind=gru"),
    "cage2": ("--config", "cage2_bline", "--epochs", "60"),
    "pendulum": ("--config", "pendulum", "--epochs", "2"),
    "bags": (
        "--config",
        "dvrptw_64",
        "--num-envs",
        "4",
        "--epochs",
        "1",
        "--set",
        "ppo.policy_epochs=1",
        "--set",
        "ppo.value_epochs=1",
    ),
    "attention": ("--config", "dvrptw_best", "--num-envs", "4", "--epochs", "1"),
}


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


class PolicyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.runs = {name: os.path.join(folder.name, name) for name in TASKS}
        for name, flags in TASKS.items():
            run(TRAIN, *flags, *SHORT, "--run-dir", cls.runs[name])

    def played(self, name, episodes):
        """Mean return, by Python."""
        policy = dray.load_policy(self.runs[name])
        envs = policy.make_vec(episodes)
        observations, info = envs.reset(seed=5)
        returns = numpy.full(episodes, numpy.nan)
        while numpy.isnan(returns).any():
            observations, _, _, _, info = envs.step(policy.act(observations, info.get("action_mask")))
            ended = info.get("_episode", numpy.zeros(episodes, bool))
            policy.reset(ended)
            first = ended & numpy.isnan(returns)
            returns[first] = info["episode"]["r"][first] if "episode" in info else 0
        return returns

    def test_it_plays_as_evaluate_does(self):
        # Other episodes of the same distribution: means agree within what chance allows.
        for name, episodes in (("cartpole", 100), ("memory", 100), ("cage2", 200), ("pendulum", 50)):
            by_engine = json.loads(run(EVALUATE, "--run-dir", self.runs[name], "--episodes", episodes, "--json"))
            returns = self.played(name, episodes)
            apart = 4 * numpy.sqrt(2) * returns.std() / numpy.sqrt(episodes) + 1e-6
            self.assertLess(abs(returns.mean() - by_engine["return_mean"]), apart, name)

    def test_a_policy_with_memory_goes_on_until_it_is_reset(self):
        policy = dray.load_policy(self.runs["memory"])
        self.assertEqual((policy.memory, dray.load_policy(self.runs["cartpole"]).memory), (64, 0))
        seen = numpy.random.default_rng(1).normal(size=(3, 2, 4)).astype(numpy.float32)
        first, second = policy.outputs(seen[0]), policy.outputs(seen[1])
        self.assertFalse(numpy.array_equal(policy.outputs(seen[0]), first))
        policy.reset()
        numpy.testing.assert_array_equal(policy.outputs(seen[0]), first)
        policy.reset([True, False])
        third = policy.outputs(seen[1])
        numpy.testing.assert_array_equal(third[1], second[1])
        self.assertFalse(numpy.array_equal(third[0], second[0]))
        with self.assertRaisesRegex(dray.Error, "a value for each row of the last call"):
            policy.reset([True])
        alone = json.dumps({"observation": seen[0, 0].tolist()})
        begins = json.dumps({"observation": seen[0, 0].tolist(), "begins": True})
        answers = self.acted("memory", [alone, alone, begins, json.dumps({"observation": [0] * 4, "begins": 1})])
        self.assertNotEqual(answers[1]["probabilities"], answers[0]["probabilities"])
        self.assertEqual(answers[2]["probabilities"], answers[0]["probabilities"])
        self.assertIn("expected {", answers[3]["error"])

    def acted(self, name, lines):
        """Answers of dray act."""
        done = subprocess.run(
            [sys.executable, "-m", "dray.act", "--run-dir", self.runs[name]],
            input="\n".join(lines),
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": os.path.dirname(os.path.dirname(PACKAGE))},
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_every_network_is_the_one_of_the_weights(self):
        # weights.pt, by numpy: the same logits of a perceptron.
        policy, weights = (
            dray.load_policy(self.runs["cage2"]),
            read_weights(os.path.join(self.runs["cage2"], "weights.pt")),
        )
        rng = numpy.random.default_rng(1)
        observations = rng.integers(0, 2, (7, policy.observation_size)).astype(numpy.float32)
        values = observations
        for i in range(3):
            values = values @ weights[f"actor.{i}.weight"].T + weights[f"actor.{i}.bias"]
            values = numpy.tanh(values) if i < 2 else values
        numpy.testing.assert_allclose(policy.outputs(observations), values, rtol=1e-3, atol=1e-4)

    def test_sparse_and_attending_networks_act(self):
        for name in ("bags", "attention"):
            policy = dray.load_policy(self.runs[name])
            envs = policy.make_vec(3)
            observations, info = envs.reset(seed=1)
            for _ in range(5):
                actions = policy.act(observations, info["action_mask"])
                self.assertTrue(all(info["action_mask"][i][action] for i, action in enumerate(actions)))
                observations, _, _, _, info = envs.step(actions)

    def test_counts_written_out_are_what_the_network_learned_from(self):
        # The first layer's rows of what an observation counts, added up by hand.
        policy, weights = (
            dray.load_policy(self.runs["bags"]),
            read_weights(os.path.join(self.runs["bags"], "weights.pt")),
        )
        observations, _ = policy.make_vec(3).reset(seed=1)
        values = observations
        for i in range(4):
            values = values @ weights[f"actor.{i}.weight"].T + weights[f"actor.{i}.bias"]
            values = numpy.maximum(values, 0) if i < 3 else values
        numpy.testing.assert_allclose(policy.outputs(observations), values, rtol=1e-3, atol=1e-4)

    def test_probabilities_and_drawn_actions_keep_to_the_mask(self):
        policy = dray.load_policy(self.runs["cage2"])
        observation, mask = numpy.zeros(policy.observation_size), numpy.zeros(36, bool)
        mask[[3, 5]] = True
        likely = policy.probabilities(observation, mask)[0]
        self.assertAlmostEqual(likely.sum(), 1)
        self.assertEqual(set(numpy.flatnonzero(likely)), {3, 5})
        rng = numpy.random.default_rng(2)
        drawn = policy.act(numpy.repeat(observation[None], 4000, 0), numpy.repeat(mask[None], 4000, 0), rng)
        self.assertAlmostEqual((drawn == 3).mean(), likely[3], delta=0.04)
        self.assertEqual(set(drawn) - {3, 5}, set())

    def test_as_a_program_it_answers_every_line(self):
        policy = dray.load_policy(self.runs["cage2"])
        observation, mask = [0] * policy.observation_size, [i in (3, 5) for i in range(36)]
        lines = [
            json.dumps({"observation": observation}),
            "",
            json.dumps({"observation": observation, "mask": mask}),
            "garbage",
            "[1]",
            json.dumps({"observation": [1]}),
            json.dumps({"observation": observation, "mask": [False] * 36}),
        ]
        free, masked, *wrong = self.acted("cage2", lines)
        self.assertEqual(free["action"], policy.act(observation)[0])
        self.assertEqual(len(free["probabilities"]), 36)
        self.assertIn(masked["action"], (3, 5))
        self.assertEqual(len(wrong), 4)
        for answer, words in zip(
            wrong, ("expected {", "expected {", "observation has 1 numbers", "mask needs 36 values")
        ):
            self.assertIn(words, answer["error"])

    def test_the_best_action_of_one_observation_is_allowed(self):
        policy = Policy.of_run(self.runs["cage2"])
        observation, mask = numpy.zeros(policy.observation_size), numpy.ones(36, bool)
        best = policy.best_action(observation)
        self.assertEqual(best, policy.act(observation)[0])
        mask[best] = False
        second = policy.best_action(observation, mask)
        self.assertEqual(second, numpy.argsort(-policy.outputs(observation)[0], kind="stable")[1])

    def test_errors_say_what_and_where(self):
        with self.assertRaisesRegex(dray.Error, "nowhere"):
            dray.load_policy("nowhere")
        with self.assertRaisesRegex(dray.Error, "nowhere/config.yaml: no such file"):
            read_config("nowhere")
        with self.assertRaisesRegex(dray.Error, "observations of cage2 have 103 numbers here, not 52"):
            dray.load_policy(self.runs["cage2"]).act(numpy.zeros(52))
        with self.assertRaisesRegex(dray.Error, "not discrete"):
            dray.load_policy(self.runs["pendulum"]).probabilities(numpy.zeros(3))


if __name__ == "__main__":
    unittest.main()
