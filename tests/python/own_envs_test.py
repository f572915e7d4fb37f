"""Trainings on environments written in Python: names and functions, resuming, evaluation, and environments that go wrong.
Arguments: the library of environments, the package's __init__.py, train, evaluate, the sample environments."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

LIBRARY, PACKAGE, TRAIN, EVALUATE, SAMPLES = (os.path.abspath(path) for path in sys.argv[1:6])
del sys.argv[1:6]
SOURCE = str(pathlib.Path(PACKAGE).parents[1])
os.environ.update(
    DRAY_ENVS_LIBRARY=LIBRARY, DRAY_TRAIN=TRAIN, DRAY_EVALUATE=EVALUATE, DRAY_PYTHON=sys.executable, PYTHONPATH=SOURCE
)
sys.path[:0] = [SOURCE, os.path.dirname(SAMPLES)]

import numpy as np
import sample_envs
from gymnasium import spaces

import dray
from dray import env_spaces
from dray.metrics_file import Reports

PATIENCE_S = 240
SMALL = {
    "train": {"rollout_steps": 32},
    "scale": {"num_envs": 4, "envs_per_shard": 2},
    "ppo": {"learning_rate_schedule": "constant"},  # independent of the number of epochs
    "network": {"hidden": [8]},
    "evaluation": {"episodes": 2},
    "run": {"log_interval": 1, "device": "cpu", "tensorboard": False},
}
# Numbers that do not depend on the machine's speed.
STEADY = ("train/", "episode/", "eval/")


def steady(run_dir):
    reports = Reports(run_dir / "metrics.jsonl").new()
    return [{k: v for k, v in report.items() if k.startswith(STEADY)} for report in reports]


class OwnEnvsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def train(self, env, name="run", config=SMALL, options=None, **given):
        settings = {"env.python.folder": os.path.dirname(SAMPLES), **given.pop("set", {})}
        if options:
            settings["env.python.options"] = [f"{name}={value}" for name, value in options.items()]
        return dray.train(config, env=env, run_dir=self.folder / name, set=settings, **given)

    def test_an_environment_of_gymnasium(self):
        reports = []
        run = self.train("gym:CartPole-v1", epochs=3, callback=reports.append)
        self.assertEqual([report["epoch"] for report in reports], [1, 2, 3])
        self.assertGreater(run.metrics["episode/return_mean"], 5)
        self.assertEqual(run.metrics["rollout/stat/workers_replaced"], 0)
        self.assertEqual(run.policy().env, "gym:CartPole-v1")
        found = dray.evaluate(run.run_dir, episodes=3)
        self.assertEqual((found["env"], found["episodes"]), ("gym:CartPole-v1", 3))
        self.assertEqual(found, dray.evaluate(run.run_dir, episodes=3))

    def test_functions_of_modules_and_of_this_script(self):
        def walk():
            return sample_envs.Walk(limit=5)

        by_name = self.train("sample_envs:Walk", "name", epochs=2)
        by_function = dray.train(SMALL, env=sample_envs.Walk, run_dir=self.folder / "function", epochs=2)
        self.assertEqual(steady(by_name.run_dir), steady(by_function.run_dir))
        self.assertIn("episode/stat/furthest", by_name.metrics)
        self.assertEqual(by_function.policy().env, "sample_envs:Walk")
        local = self.train(walk, "local", epochs=2)
        self.assertEqual(local.policy().env, "pickle:walk")
        self.assertLessEqual(local.metrics["episode/length_mean"], 5)
        self.assertEqual(dray.evaluate(local.run_dir, episodes=2)["episodes"], 2)

    def test_the_numbers_do_not_depend_on_workers_and_shards(self):
        one = self.train("sample_envs:Walk", "one", epochs=3, set={"scale.envs_per_shard": 4})
        many = self.train(
            "sample_envs:Walk", "many", epochs=3, set={"scale.envs_per_shard": 2, "env.python.workers": 2}
        )
        for expected, found in zip(steady(one.run_dir), steady(many.run_dir), strict=True):
            self.assertEqual(expected.keys(), found.keys())
            for name, value in expected.items():
                self.assertAlmostEqual(value, found[name], 9, name)  # means are summed in another order

    def test_a_resumed_run_is_the_uninterrupted_one(self):
        for env in ("gym:CartPole-v1", "sample_envs:Stateful"):
            name = env.split(":")[1]
            whole = self.train(env, f"{name}-whole", epochs=4)
            part = self.train(env, f"{name}-part", epochs=2)
            resumed = dray.train(resume=part.run_dir, epochs=4)
            self.assertEqual(steady(resumed.run_dir)[2:4], steady(whole.run_dir)[2:4])
            self.assertNotIn("cannot be saved", whole.output)

    def test_a_run_carries_the_modules_of_its_environment(self):
        source = self.folder / "source"
        (source / "town").mkdir(parents=True)
        (source / "town/__init__.py").write_text("")
        (source / "town/walks.py").write_text(pathlib.Path(SAMPLES).read_text())
        (source / "made.py").write_text("from town import walks\n\n\ndef make():\n    return walks.Stateful()\n")
        where = {"env.python.folder": str(source)}
        whole = self.train("made:make", "whole", epochs=3, set=where)
        part = self.train("made:make", "part", epochs=2, set=where)
        shutil.rmtree(source)
        self.assertEqual(dray.evaluate(part.run_dir, episodes=3)["episodes"], 3)
        resumed = dray.train(resume=part.run_dir, epochs=3)
        self.assertEqual(steady(resumed.run_dir)[2:3], steady(whole.run_dir)[2:3])

    def test_what_cannot_be_saved_is_said_and_starts_new_episodes(self):
        part = self.train("sample_envs:Unsaved", epochs=2)
        self.assertIn("sample_envs:Unsaved cannot be saved (TypeError: cannot pickle", part.output)
        resumed = dray.train(resume=part.run_dir, epochs=3)
        self.assertEqual(resumed.metrics["epoch"], 3)

    def test_an_exception_ends_the_run_with_one_line_and_the_run_can_be_resumed(self):
        calm = self.folder / "calm"
        calm.touch()
        options = {"how": "raise", "unless": str(calm)}
        self.train("sample_envs:Bad", epochs=2, options=options)
        calm.unlink()
        with self.assertRaises(dray.Error) as raised:
            dray.train(resume=self.folder / "run", epochs=4)
        self.assertRegex(
            str(raised.exception),
            r"^environment \d of sample_envs:Bad, step 3 of its episode: ZeroDivisionError: division by zero \(.*in _raise\)$",
        )
        calm.touch()
        self.assertEqual(dray.train(resume=self.folder / "run", epochs=4).metrics["epoch"], 4)

    def test_bad_environments_are_one_line_each(self):
        for how, line in {
            "nan": "observation[0] is nan, which no policy can learn from",
            "nan reward": "reward is nan, which no policy can learn from",
            "shape": "the observation has shape (3,), not (2,)",
            "other space": "the observation space became Box(-1.0, 1.0, (3,), float32)",
            "raise in reset": "RuntimeError: no reset today",
            "exit": "worker ended with status 7; the worker was replaced 5 times before an episode ended",
        }.items():
            with self.subTest(how), self.assertRaises(dray.Error) as raised:
                self.train("sample_envs:Bad", name=how, epochs=2, options={"how": how})
            self.assertIn(line, str(raised.exception))
            self.assertIn("of sample_envs:Bad, step", str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))

    def test_a_worker_that_hangs_is_replaced_and_counted(self):
        run = self.train(
            "sample_envs:Bad",
            epochs=1,
            options={"how": "hang", "unless": str(self.folder / "hung"), "once": 1},
            set={"env.python.step_timeout_s": 3},
        )
        self.assertEqual(run.metrics["rollout/stat/workers_replaced"], 1)

    def test_prints_and_forks_disturb_nothing(self):
        calm = self.train("sample_envs:Bad", "calm", epochs=2, options={"how": "nothing"})
        for how in ("print", "fork"):
            run = self.train("sample_envs:Bad", how, epochs=2, options={"how": how})
            self.assertNotIn("by the environment", run.output)
            self.assertEqual(steady(run.run_dir), steady(calm.run_dir))

    def test_unusable_environments_are_refused_before_a_run_begins(self):
        for env, line in {
            "sample_envs:missing": "module sample_envs has no missing",
            "gym:NoSuch-v1": "NoSuch",
            "sample_envs:number": "makes a int, not a gymnasium.Env",
        }.items():
            with self.assertRaisesRegex(dray.Error, line):
                self.train(env, epochs=1)
        with self.assertRaisesRegex(dray.Error, "observation space Text.* is not supported"):
            self.train("sample_envs:Wide", epochs=1, options={"observation": "text", "action": "box"})
        self.assertFalse((self.folder / "run").exists())

    def test_workers_end_with_a_training_that_is_killed(self):
        words = [TRAIN, "--env", "sample_envs:Bad", "--run-dir", self.folder / "run", "--runner", "local"]
        settings = ["--set", "env.python.folder=" + os.path.dirname(SAMPLES), "--set", "scale.num_envs=2"]
        settings += ["--set", "env.python.options=[how=hang]", "--set", "env.python.step_timeout_s=600"]
        process = subprocess.Popen([*words, *settings], stdout=subprocess.DEVNULL, start_new_session=True)
        self.addCleanup(process.wait)
        self.wait_for(lambda: process.poll() is not None or children(process.pid))
        workers = children(process.pid)
        self.assertTrue(workers)
        process.send_signal(signal.SIGKILL)
        self.wait_for(lambda: not any(os.path.exists(f"/proc/{worker}") for worker in workers))

    def wait_for(self, condition):
        until = time.monotonic() + PATIENCE_S
        while not condition():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.05)


class SpacesTest(unittest.TestCase):
    def test_observations_are_flattened_as_gymnasium_does(self):
        for name in ("box", "pixels", "discrete", "multidiscrete", "multibinary", "tuple", "dict", "boxes", "mixed"):
            space = sample_envs.SPACES[name]
            space.seed(3)
            row = np.full(env_spaces.observation_size(space), np.nan, np.float32)
            write = env_spaces.writer(space, row)
            for _ in range(20):
                observation = space.sample()
                write(observation)
                np.testing.assert_array_equal(row, spaces.flatten(space, observation).astype(np.float32))

    def test_discrete_parts_combine_with_the_last_changing_fastest(self):
        actions = env_spaces.Actions(spaces.MultiDiscrete([2, 3]))
        self.assertEqual([list(choice) for choice in actions.choices], [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]])

    def test_a_mask_by_parts_forbids_every_combination_with_a_forbidden_part(self):
        row = np.zeros(6, np.uint8)
        write = env_spaces.Actions(spaces.MultiDiscrete([2, 3])).mask_writer(row)
        write([1, 0, 1, 1, 0])
        self.assertEqual(list(row), [1, 1, 0, 0, 0, 0])
        write(np.array([0, 1, 0, 1, 0, 1], bool))
        self.assertEqual(list(row), [0, 1, 0, 1, 0, 1])
        with self.assertRaisesRegex(env_spaces.Mismatch, "shape"):
            write([1, 1])


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(word) for word in file.read().split()]


if __name__ == "__main__":
    unittest.main()
