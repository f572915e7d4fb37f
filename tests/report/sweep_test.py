"""dray sweep with real trainings: every point and seed once, going on, the table's order, errors."""

import contextlib
import io
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

from run_folders import PACKAGES, evaluation, write_run

from dray import sweep, sweep_training
from dray.report.run_folder import RunFolder

TRAIN = os.path.abspath(sys.argv.pop(1))
SHORT = ("--", "--runner", "local", "--epochs", "3", "--set", "evaluation.episodes=2")


class SweepTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.train = TRAIN

    def start(self, *words):
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "dray.sweep",
                "--config",
                "cartpole",
                "--dir",
                self.folder / "sweep",
                *map(str, words),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PACKAGES), "DRAY_TRAIN": self.train},
        )
        self.addCleanup(process.kill)
        return process

    def train_for(self, epochs):
        """Gives every training that starts from now on so many epochs."""
        self.train = str(self.folder / "train")
        pathlib.Path(self.train).write_text(f'#!/bin/sh\nexec {TRAIN} "$@" --epochs {epochs}\n')
        pathlib.Path(self.train).chmod(0o755)

    def sweep(self, *words, code=0):
        process = self.start(*words)
        printed, errors = process.communicate()
        self.assertEqual(process.returncode, code, printed + errors)
        self.assertNotIn("Traceback", errors)
        return printed + errors

    def test_every_point_and_seed_is_trained_once_and_the_best_is_first(self):
        words = (
            "--grid",
            "ppo.learning_rate=1e-9,1e-2",
            "--grid",
            "ppo.clip=0.1,0.2",
            "--seeds",
            2,
            "--parallel",
            2,
            *SHORT,
        )
        text = self.sweep(*words)
        runs = sorted(
            str(path.parent.relative_to(self.folder / "sweep")) for path in (self.folder / "sweep").rglob("config.yaml")
        )
        self.assertEqual(len(runs), 8)
        self.assertIn("ppo.learning_rate=1e-2,ppo.clip=0.2/seed-1", runs)
        config = (self.folder / "sweep" / "ppo.learning_rate=1e-2,ppo.clip=0.1" / "seed-2" / "config.yaml").read_text()
        self.assertIn("learning_rate: 0.01", config)
        self.assertIn("seed: 2", config)
        table = (self.folder / "sweep" / "table.txt").read_text().splitlines()
        means = [float(line.split()[3].replace(",", "")) for line in table[1:]]
        self.assertEqual(means, sorted(means, reverse=True))
        self.assertRegex(table[1], r" 2 +\S+ ± ")
        page = text.splitlines()[-1]
        self.assertIn("<html", pathlib.Path(page).read_text()[:200])
        before = {path: path.stat().st_mtime_ns for path in (self.folder / "sweep").rglob("metrics.jsonl")}
        self.assertIn("8 of them already done", self.sweep(*words))
        self.assertEqual({path: path.stat().st_mtime_ns for path in before}, before)

    def test_what_every_run_wrote_is_read_once(self):
        read = []

        class Counted(RunFolder):
            def __init__(self, path):
                read.append(path.name)
                super().__init__(path)

        for seed in (1, 2):
            write_run(
                self.folder / "sweep" / "ppo.clip=0.1" / f"seed-{seed}",
                seed=seed,
                last=evaluation(30.0 + seed, 2.0, 10),
            )
        words = ["--config", "cartpole", "--grid", "ppo.clip=0.1", "--seeds", "2", "--dir", str(self.folder / "sweep")]
        out = self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        with mock.patch.dict(os.environ, DRAY_TRAIN=TRAIN), mock.patch.object(sweep_training, "RunFolder", Counted):
            sweep.main(words)
        self.assertEqual(sorted(read), ["seed-1", "seed-2"])
        self.assertRegex(out.getvalue(), r"(?m)^0.1 +2 +31\.5 ± ")

    def test_settings_of_the_same_last_word_have_folders_of_their_own(self):
        paths = ("ppo.learning_rate", "env.dvrptw.flexibility.learning_rate")
        for path in paths:
            write_run(self.folder / "sweep" / f"{path}=0.001" / "seed-1", last=evaluation(len(path), 2.0, 10))
        for path in paths:
            (self.folder / "sweep" / "sweep.json").unlink(missing_ok=True)
            self.assertRegex(self.sweep("--grid", f"{path}=0.001"), rf"(?m)^0.001 +1 +{len(path)}\b")

    def test_folders_differ_where_points_do(self):
        long = "a" * 300
        points = [{"a.b": "1"}, {"c.b": "1"}, {"a.b": "x/y"}, {"a.b": "x_y"}, {"a.b": long + "1"}, {"a.b": long + "2"}]
        names = [sweep_training.name_of(point) for point in points]
        self.assertEqual(len(set(names)), len(points))
        self.assertEqual(names[0], "a.b=1")
        self.assertLess(max(map(len, names)), 200)

    def test_a_run_of_other_settings_is_not_counted(self):
        run = write_run(
            self.folder / "sweep" / "ppo.learning_rate=1e-3" / "seed-1",
            learning_rate=0.001,
            last=evaluation(7.0, 2.0, 10),
        )
        words = ("--grid", "ppo.learning_rate=1e-3")
        self.assertRegex(self.sweep(*words), r"(?m)^1e-3 +1 +7\b")
        config = (run / "config.yaml").read_text()
        for other, says in (
            ("learning_rate: 0.001", "ppo.learning_rate=0.002, not 1e-3"),
            ("seed: 1", "train.seed=0.002, not 1"),
        ):
            (run / "config.yaml").write_text(config.replace(other, other.partition(":")[0] + ": 0.002"))
            text = self.sweep(*words, code=1)
            self.assertIn(f"seed-1 has a run with {says}: remove it, or choose another --dir", text)
            self.assertEqual(len(text.splitlines()), 1, text)

    def test_a_value_is_the_same_however_it_is_spelled(self):
        for written, asked in (
            ("0.01", "1e-2"),
            ("[64, 64]", "[64,64]"),
            ("true", "yes"),
            ("tanh", "tanh"),
            ("16", "auto"),
            ("/data/days.csv", "days.csv"),
            ("0.12345679", "0.123456789"),
        ):
            self.assertTrue(sweep_training.same_value(written, asked), (written, asked))
        for written, asked in (
            ("0.01", "1e-3"),
            ("[64, 64]", "[64,32]"),
            ("true", "no"),
            ("tanh", "relu"),
            ("auto", "16"),
        ):
            self.assertFalse(sweep_training.same_value(written, asked), (written, asked))

    def test_old_spellings_are_the_same_value(self):
        words = ("--grid", "env.dvrptw.reward=r1", "--config", "smoke", *SHORT[:-2], "--num-envs", 2, "--epochs", 1)
        self.sweep(*words)
        self.assertIn("1 of them already done", self.sweep(*words))

    def test_another_sweep_is_refused(self):
        config = self.folder / "own.yaml"
        config.write_text("include: cartpole\nppo:\n  learning_rate: 1e-3\n")
        words = ("--config", config, "--grid", "ppo.clip=0.1", *SHORT)
        self.sweep(*words)
        self.assertIn("1 of them already done", self.sweep(*words))
        config.write_text("include: cartpole\nppo:\n  learning_rate: 1e-9\n")
        text = self.sweep(*words, code=1)
        self.assertIn("has another sweep (with ppo.learning_rate=0.001, now 1e-09): choose another --dir", text)

    def test_flags_do_not_replace_what_is_varied(self):
        words = ("--grid", "ppo.learning_rate=1e-3,1e-2", *SHORT, "--learning-rate", "1e-9")
        text = self.sweep(*words, code=1)
        self.assertIn("the flags of train set ppo.learning_rate, which the sweep varies", text)
        self.assertFalse(list(self.folder.rglob("config.yaml")))
        for words in (("--grid", "train.seed=3,4"), ("--grid", "ppo.clip=0.1", "--", "--seed", 7)):
            self.assertIn("a sweep chooses the seeds itself", self.sweep(*words, code=2))

    def test_a_point_that_is_named_twice_is_trained_once(self):
        self.assertIn("1 training, ", self.sweep("--grid", "ppo.clip=0.1,0.1", "--parallel", 2, *SHORT))

    def test_a_damaged_note_of_the_sweep_is_one_line(self):
        (self.folder / "sweep").mkdir()
        search = ("--search", "bayes", "--trials", 2)
        sound = {"search": ["bayes", 1, [["ppo.clip", ["0.1"]]], []], "train": list(SHORT[1:])}
        for part in (
            {"points": [5]},
            {"points": [None]},
            {"points": [{}]},
            {"points": [{"ppo.clip": 5}]},
            {"points": [{"ppo.clip": "7"}]},
            {"points": [{"ppo.clop": "0.1"}]},
            {"continued": 5},
            {"continued": [5]},
        ):
            (self.folder / "sweep" / "sweep.json").write_text(json.dumps(sound | part))
            text = self.sweep("--grid", "ppo.clip=0.1", *search, *SHORT, code=1)
            self.assertIn("sweep.json is damaged: remove it", text, part)
        for damaged in ('{"config": "cart', "[" * 100_000, "[1]", "\0\xff"):
            (self.folder / "sweep" / "sweep.json").write_text(damaged)
            text = self.sweep("--grid", "ppo.clip=0.1", *SHORT, code=1)
            self.assertIn("sweep.json is damaged: remove it", text)
            self.assertEqual(len(text.splitlines()), 1, text)

    def test_points_are_drawn_the_same_each_time(self):
        words = ("--random", 2, "--range", "ppo.learning_rate=1e-4..1e-2", "--grid", "ppo.clip=0.1,0.2", *SHORT)
        self.sweep(*words)
        first = json.loads((self.folder / "sweep" / "sweep.json").read_text())["points"]
        self.assertIn("2 of them already done", self.sweep(*words))
        self.assertEqual(json.loads((self.folder / "sweep" / "sweep.json").read_text())["points"], first)
        for point in first:
            self.assertTrue(1e-4 <= float(point["ppo.learning_rate"]) <= 1e-2)

    def test_a_signal_ends_all_trainings_in_good_order_and_the_same_command_goes_on(self):
        words = (
            "--grid",
            "ppo.clip=0.1,0.2,0.3",
            "--parallel",
            2,
            "--",
            "--runner",
            "local",
            "--set",
            "evaluation.episodes=2",
        )
        self.train_for(1000000)
        for number in (signal.SIGINT, signal.SIGTERM):

            def runs():
                return {path: path.stat().st_size for path in (self.folder / "sweep").rglob("metrics.jsonl")}

            before = runs()
            process = self.start(*words)
            while sum(size > before.get(path, 0) for path, size in runs().items()) < 2:
                self.assertIsNone(process.poll())
                time.sleep(0.01)
            process.send_signal(number)
            _, errors = process.communicate()
            self.assertEqual(process.returncode, 128 + number, errors)
            self.assertIn(f"interrupted by {number.name}; the same command resumes", errors)
            self.assertEqual(len(runs()), 2, "a training was begun after the signal")
            for path in runs():
                self.assertIn("Stopped after ", pathlib.Path(f"{path.parent}.log").read_text())
        logs = "".join(pathlib.Path(f"{path.parent}.log").read_text() for path in runs())
        (self.folder / "sweep" / "sweep.json").unlink()  # which remembers the length of the trainings
        self.train_for(1 + max(map(int, re.findall(r"Stopped after (\d+) epochs", logs))))
        self.assertIn("3/3", self.sweep(*words))

    def test_what_went_wrong_is_said(self):
        self.assertIn("unknown key; did you mean clip?", self.sweep("--grid", "ppo.clop=1,2", *SHORT, code=1))
        self.assertIn("has another sweep", self.sweep("--grid", "ppo.clip=0.1", "--", "--epochs", "5", code=1))
        for words, message in (
            (("--grid", "ppo.clip"), "expected SETTING=VALUE,VALUE"),
            ((), "nothing to try"),
            (("--range", "a.b=1..2"), "--range needs --random"),
            (("--grid", "a.b=1", "--grid", "a.b=2"), "a.b is given twice"),
            (("--random", 1, "--range", "a.b=2..1"), "0 < LEAST < MOST"),
        ):
            self.assertIn(message, self.sweep(*words, code=2))


if __name__ == "__main__":
    unittest.main()
