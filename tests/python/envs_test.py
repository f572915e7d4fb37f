"""Environments from Python: what a step gives, seeds, episodes, masks, errors, Gymnasium's own checks, and how quick loading is."""

import json
import os
import pathlib
import subprocess
import sys
import unittest
import warnings

LIBRARY, PACKAGE = sys.argv[1], os.path.dirname(os.path.abspath(sys.argv[2]))
del sys.argv[1:3]
os.environ["DRAY_ENVS_LIBRARY"] = os.path.abspath(LIBRARY)
sys.path.insert(0, os.path.dirname(PACKAGE))

import gymnasium
import numpy
from gymnasium.utils.env_checker import check_env

import dray
import dray.gym_env
from dray import lists
from dray.batch import Batch, names
from dray.gym_ids import ids
from dray.report.task_parts import TaskParts, parts_of_tasks

DELIVERIES = {"config": "dvrptw_best", "oracle": {"rounds": 5}}


def played(envs, steps, seed=1):
    """All that some steps with the same choices gave, as bytes."""
    rng = numpy.random.default_rng(seed)
    observations, _ = envs.reset(seed=seed)
    told = [observations.tobytes()]
    for _ in range(steps):
        masks = envs.action_masks()
        actions = [rng.choice(numpy.flatnonzero(mask)) for mask in masks]
        told += [array.tobytes() for array in envs.step(actions)[:4]]
    return told


class ListsTest(unittest.TestCase):
    def test_every_environment_has_a_row_with_its_sizes(self):
        text = lists.environments(100)
        self.assertRegex(text, r"(?m)^cartpole +4 +2 choices +dray/CartPole-v1 +CartPole-v1: balance a pole\b")
        self.assertRegex(text, r"(?m)^pendulum +3 +1 number +")
        for name in names():
            self.assertRegex(text, rf"(?m)^{name} ")
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_every_preset_has_a_row_with_what_it_trains_and_its_own_words(self):
        text = lists.configs(120)
        self.assertRegex(text, r"(?m)^dvrptw_best +dvrptw +64 +10 min +The delivery task with the best known settings$")
        self.assertRegex(text, r"(?m)^acrobot +acrobot +4 +500,000 steps +Acrobot-v1 with CleanRL's hyperparameters")
        for name in dray.batch.presets():
            self.assertRegex(text, rf"(?m)^{name} ")


class StatisticsTest(unittest.TestCase):
    def statistics(self, preset):
        """Returns the names of a task's statistics, from an episode of random actions."""
        rng, batch = numpy.random.default_rng(1), Batch(config=preset)
        batch.reset()
        while not (ended := batch.episodes()):
            batch.step([rng.choice(numpy.flatnonzero(batch.action_masks()[0]))] if batch.discrete else [[0.0]])
        return batch.spec["name"], set(ended[0]["stats"])

    def test_pages_have_a_title_for_every_statistic_of_every_preset(self):
        for preset in dray.batch.presets():
            task, keys = self.statistics(preset)
            titled = parts_of_tasks().get(task, TaskParts()).statistics
            families = {f"{key}_{i}" for key, found in titled.items() for i in range(len(found.members))}
            self.assertEqual(keys - set(titled) - families, set(), preset)


class VectorEnvTest(unittest.TestCase):
    def test_every_environment_is_there_and_gives_what_its_spaces_say(self):
        self.assertEqual(set(names()), set(ids()))
        for name in names():
            envs = dray.make_vec(name, num_envs=3)
            observations, _ = envs.reset(seed=1)
            self.assertIn(observations, envs.observation_space, name)
            for _ in range(5):
                observations, rewards, terminated, truncated, _ = envs.step(envs.action_space.sample())
            self.assertIn(observations, envs.observation_space, name)
            self.assertEqual(rewards.shape + terminated.shape + truncated.shape, (3, 3, 3))
            self.assertEqual((terminated.dtype, truncated.dtype), (bool, bool))

    def test_the_same_seed_gives_the_same_bytes_and_another_others(self):
        for name, settings in (("cage2", {"interface": "reduced"}), ("dvrptw", DELIVERIES)):
            first = played(dray.make_vec(name, num_envs=4, **settings), 40)
            self.assertEqual(played(dray.make_vec(name, num_envs=4, **settings), 40), first)
            self.assertNotEqual(played(dray.make_vec(name, num_envs=4, **settings), 40, seed=2), first)

    def test_a_batch_is_its_environments_one_by_one(self):
        # Stream i is environment i's, however many there are.
        several, alone = dray.make_vec("cage2", num_envs=3), dray.make_vec("cage2", num_envs=1)
        several.reset(seed=5)
        alone.reset(seed=5)
        for step in range(150):
            of_several, of_alone = several.step([step % 145] * 3), alone.step([step % 145])
            for i in range(4):
                numpy.testing.assert_array_equal(of_several[i][:1], of_alone[i])

    def test_an_episode_ends_and_the_next_begins_within_a_step(self):
        envs = dray.make_vec("cartpole", num_envs=2)
        self.assertEqual(envs.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode.SAME_STEP)
        envs.reset(seed=3)
        total = numpy.zeros(2)
        for step in range(1, 100):
            observations, rewards, terminated, truncated, info = envs.step([1, 1])  # falls over soon
            total += rewards
            if terminated.any():
                break
        i = int(numpy.flatnonzero(terminated)[0])
        self.assertTrue(info["_final_obs"][i])
        self.assertGreater(abs(info["final_obs"][i][2]), 0.2)  # fallen
        self.assertLess(abs(observations[i][2]), 0.06)  # upright
        self.assertEqual(info["final_info"][i]["episode"]["r"], total[i])
        self.assertEqual(info["episode"]["l"][i], step)

    def test_masks_are_in_info_and_forbid(self):
        envs = dray.make_vec("cage2", num_envs=2, interface="reduced")
        _, info = envs.reset(seed=1)
        self.assertEqual(info["action_mask"].shape, (2, 36))
        self.assertTrue(info["action_mask"].all())
        # Enterprise1 has a single decoy: placed once, it is not offered again.
        _, _, _, _, info = envs.step([28, 0])
        self.assertFalse(info["action_mask"][0][28])
        self.assertTrue(info["action_mask"][1][28])
        numpy.testing.assert_array_equal(info["action_mask"], envs.action_masks())

    def test_copies_stay_and_views_do_not(self):
        kept, view = dray.make_vec("cartpole", num_envs=2), dray.make_vec("cartpole", num_envs=2, copy=False)
        first, shown = kept.reset(seed=1)[0], view.reset(seed=1)[0]
        before = first.copy()
        kept.step([0, 1])
        after = view.step([0, 1])[0]
        numpy.testing.assert_array_equal(first, before)
        self.assertIs(after, shown)

    def test_dense_observations_count_what_the_sparse_ones_name(self):
        # Encoding counts is a table of counts: riders who asked so far stay in it until the episode ends.
        envs = dray.make_vec("dvrptw", num_envs=4, encoding="counts", oracle={"rounds": 5})
        observations, _ = envs.reset(seed=1)
        first = observations.sum(axis=1)
        for _ in range(10):
            observations, _, _, _, _ = envs.step([0] * 4)
        self.assertTrue((observations.sum(axis=1) > first).all())
        self.assertEqual(observations.shape[1], envs.batch.spec["observation_size"])

    def test_state_can_be_kept_and_gone_back_to(self):
        batch = Batch("cage2", count=3, seed=4, config="cage2_bline")
        batch.reset()
        for _ in range(30):
            batch.actions[:] = 0
            batch.step()
        state = batch.save()
        runs = []
        for _ in range(2):
            batch.load(state)
            self.assertEqual(batch.episodes(), [])
            for step in range(100):
                batch.actions[:] = step % 20
                batch.step()
            runs.append((batch.observations.tobytes(), batch.rewards.tobytes(), json.dumps(batch.episodes())))
        self.assertEqual(runs[0], runs[1])
        with self.assertRaisesRegex(dray.Error, "state"):
            batch.load(state[:-3])

    def test_errors_say_what_and_where(self):
        for make, message in (
            (lambda: dray.make_vec("cage3", 2), 'unknown environment "cage3": did you mean "cage2"?'),
            (lambda: dray.make_vec("cage2", 2, rad="meander"), "rad: unknown key; did you mean red?"),
            (lambda: dray.make_vec("cage2", 2, red="nobody"), "env.cage2.red"),
            (lambda: dray.make_vec("cage2", 0), "num_envs: 0 is out of range; it must be from 1 to 65536"),
            (lambda: dray.make_vec(config="cage2_blime"), "there is no preset cage2_blime"),
            (lambda: dray.make_vec(), "name an environment"),
        ):
            with self.assertRaises(dray.Error) as caught:
                make()
            self.assertIn(message, str(caught.exception))
            self.assertNotIn("\n", str(caught.exception))
        envs = dray.make_vec("cage2", num_envs=2)
        envs.reset(seed=1)
        with self.assertRaisesRegex(dray.Error, "environment 1: there is no action 145"):
            envs.step([0, 145])
        with self.assertRaisesRegex(dray.Error, "not a finite number"):
            pendulum = dray.make_vec("pendulum", num_envs=1)
            pendulum.reset(seed=1)
            pendulum.step([[numpy.nan]])

    def test_a_preset_is_played_and_changed(self):
        self.assertEqual(dray.make_vec(config="cage2_bline", num_envs=1).single_action_space.n, 36)
        self.assertEqual(
            dray.make_vec("cage2", config="cage2_bline", num_envs=1, interface="raw").single_action_space.n, 145
        )


class SingleEnvTest(unittest.TestCase):
    def test_gymnasium_finds_nothing_wrong(self):
        for name, identifier in ids().items():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # that observations have no bounds
                env = gymnasium.make(identifier, **(DELIVERIES if name == "dvrptw" else {}))
                check_env(env.unwrapped, skip_render_check=True)
                vector = gymnasium.make_vec(identifier, num_envs=2)
            self.assertEqual(vector.reset(seed=1)[0].shape[0], 2)

    def test_it_goes_on_as_the_batch_does(self):
        env, batch = gymnasium.make("dray/CartPole-v1"), Batch("cartpole", seed=7)
        observation, _ = env.reset(seed=7)
        batch.reset()
        for step in range(200):
            numpy.testing.assert_array_equal(observation, batch.observations[0])
            batch.actions[:] = step % 2
            batch.step()
            observation, _, terminated, truncated, info = env.step(step % 2)
            if terminated or truncated:
                numpy.testing.assert_array_equal(observation, batch.final_observations[0])
                self.assertIn("episode", info)
                observation, _ = env.reset()

    def test_cartpole_is_gymnasium_s(self):
        env = gymnasium.make("dray/CartPole-v1")
        observation, _ = env.reset(seed=1)
        theirs = gymnasium.make("CartPole-v1")
        theirs.reset(seed=1)
        theirs.unwrapped.state = tuple(float(x) for x in observation)
        for step in range(30):
            ours = env.step(step % 2)
            state = theirs.step(step % 2)
            numpy.testing.assert_allclose(ours[0], state[0], atol=1e-4)
            if ours[2] or state[2]:
                self.assertEqual(ours[2], state[2])
                break


class LoadingTest(unittest.TestCase):
    def test_environments_need_no_torch(self):
        done = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys, dray; dray.Batch('cage2').reset(); print([m for m in sys.modules if m in ('torch', 'gymnasium', 'ray')])",
            ],
            env={**os.environ, "PYTHONPATH": os.path.dirname(PACKAGE)},
            capture_output=True,
            text=True,
        )
        self.assertEqual((done.stdout.strip(), done.stderr), ("[]", ""))
        linked = subprocess.run(["ldd", os.environ["DRAY_ENVS_LIBRARY"]], capture_output=True, text=True).stdout
        self.assertNotIn("libtorch", linked)
        self.assertNotIn("libc10", linked)

    def test_environments_and_then_a_training_in_one_process_are_refused_in_words(self):
        from dray import facade

        with self.assertRaisesRegex(dray.Error, "create the training before the environments"):
            facade.environments()
            facade.load(str(pathlib.Path(PACKAGE) / "elsewhere.so"))


if __name__ == "__main__":
    unittest.main()
