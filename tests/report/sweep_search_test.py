"""dray sweep --search and --halving, with trainings whose results are known."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

from run_folders import PACKAGES

FAKE = pathlib.Path(__file__).absolute().with_name("fake_train.py")
RANGES = ("--range", "a.x=0.001..0.4", "--range", "a.y=0.0001..1")
SEARCH = (*RANGES, "--search", "bayes", "--trials", 10)
GRID = ("--grid", "a.x=0.001,0.01,0.1", "--grid", "a.y=0.001,0.01,0.1", "--halving")


class SweepSearchTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.train = self.folder / "train"
        self.train.write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} "$@"\n')
        self.train.chmod(0o755)

    def sweep(self, *words, folder="sweep", code=0, **variables):
        environment = {
            "PYTHONPATH": PACKAGES,
            "DRAY_TRAIN": self.train,
            "CALLS": self.folder / f"{folder}.calls",
        }
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "dray.sweep",
                "--config",
                "any",
                "--dir",
                self.folder / folder,
                *map(str, words),
            ],
            capture_output=True,
            text=True,
            env={
                **os.environ,
                **{name: str(value) for name, value in {**environment, **variables}.items()},
            },
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def calls(self, folder="sweep"):
        return [tuple(json.loads(line)) for line in (self.folder / f"{folder}.calls").read_text().splitlines()]

    def record(self, folder="sweep"):
        return json.loads((self.folder / folder / "sweep.json").read_text())

    def test_a_search_tries_as_many_points_as_asked_and_its_page_shows_them(self):
        text = self.sweep(*SEARCH, "--seeds", 2)
        self.assertIn("20/20", text)
        points = self.record()["points"]
        self.assertEqual(len({tuple(point.values()) for point in points}), 10)
        for point in points:
            self.assertTrue(
                0.001 <= float(point["a.x"]) <= 0.4 and 0.0001 <= float(point["a.y"]) <= 1,
                point,
            )
        page = (self.folder / "sweep" / "comparison.html").read_text()
        for shown in (
            "Best so far",
            "<h3>a.x</h3>",
            "<h3>a.y</h3>",
            "0 trials stopped early",
        ):
            self.assertIn(shown, page)

    def test_the_same_command_again_trains_nothing_and_more_trials_go_on(self):
        self.sweep(*SEARCH)
        first = self.record()["points"]
        self.assertIn("10 of them already done", self.sweep(*SEARCH))
        self.assertEqual(len(self.calls()), 10)
        self.sweep(*SEARCH, "--trials", 12)
        self.assertEqual(self.record()["points"][:10], first)
        self.assertEqual(len(self.calls()), 12)

    def test_a_search_that_is_killed_goes_on_with_the_trials_it_would_have_had(self):
        self.sweep(*SEARCH, folder="whole")
        self.sweep(*SEARCH, KILLED_AT=8, code=-signal.SIGKILL)
        self.assertLess(len(self.record()["points"]), 10)
        self.sweep(*SEARCH)
        self.assertEqual(self.record()["points"], self.record("whole")["points"])
        self.assertEqual(len(self.calls()), 11, "one training was killed, the others ran once")

    def test_the_seed_of_the_search_changes_its_trials(self):
        self.sweep(*SEARCH)
        self.sweep(*SEARCH, "--draw-seed", 2, folder="other")
        self.assertNotEqual(self.record()["points"], self.record("other")["points"])
        self.assertIn("has another sweep", self.sweep(*SEARCH, "--draw-seed", 2, code=1))

    def test_parallel_trials_differ(self):
        self.sweep(*SEARCH, "--parallel", 5)
        self.assertEqual(len({call[0] for call in self.calls()}), 10)

    def test_a_failed_training_is_a_bad_result_and_not_the_end(self):
        wide = (
            "--range",
            "a.x=0.001..1000",
            "--range",
            "a.y=0.0001..1",
            "--search",
            "bayes",
            "--trials",
            14,
        )
        text = self.sweep(*wide)
        self.assertIn("dray: training diverged", text)
        self.assertIn("14/14", text)
        failed = [float(point["a.x"]) > 0.5 for point in self.record()["points"]]
        self.assertGreater(sum(failed[:6]), 1, "the first points are spread over the whole range")
        self.assertLess(sum(failed[6:]), 4, "later ones avoid where trainings fail")
        self.assertRegex(text, r"(?m)^[\d.e+]+ +[\d.e-]+ +0 +–$")

    def test_a_search_of_which_every_training_fails_is_a_failure(self):
        self.sweep(
            "--range",
            "a.x=1..9",
            "--grid",
            "a.y=1",
            "--search",
            "bayes",
            "--trials",
            3,
            code=1,
        )

    def test_a_search_ends_when_no_point_is_left(self):
        text = self.sweep(
            "--grid",
            "a.x=0.01,0.1",
            "--grid",
            "a.y=0.01,0.1",
            "--search",
            "bayes",
            "--trials",
            7,
        )
        self.assertIn("4/4", text)
        self.assertEqual(len({call[0] for call in self.calls()}), 4)

    def test_halving_resumes_the_best_third_and_stops_the_others(self):
        text = self.sweep(*GRID)
        self.assertEqual(
            [call[1:] for call in self.calls()],
            9 * [(False, 1000)] + 3 * [(True, 3000)] + [(True, 9000)],
        )
        best = "a.x=0.1,a.y=0.01"
        self.assertIn(best, self.record()["continued"][0])
        self.assertEqual(self.record()["continued"][1], [best])
        self.assertEqual(self.calls()[-1][0], best)
        self.assertIn("continuing the best 3 of 9 trials, 3 times as long", text)
        table = (self.folder / "sweep" / "table.txt").read_text().splitlines()
        self.assertEqual([line.split()[2] for line in table[1:]], ["all", *2 * ["1/3"], *6 * ["1/9"]])
        page = (self.folder / "sweep" / "comparison.html").read_text()
        self.assertIn("8 trials stopped early", page)
        self.assertIn("13 of them already done", self.sweep(*GRID))
        self.assertEqual(len(self.calls()), 13)

    def test_halving_that_is_killed_goes_on_with_the_same_trials(self):
        self.sweep(*GRID, folder="whole")
        for killed_at in (5, 11):
            self.sweep(*GRID, KILLED_AT=killed_at, code=-signal.SIGKILL)
        self.sweep(*GRID)
        self.assertEqual(self.record(), self.record("whole"))
        self.assertEqual(sorted(set(self.calls())), sorted(self.calls("whole")))
        self.assertEqual(len(self.calls()), len(self.calls("whole")) + 2)

    def test_a_search_can_halve(self):
        self.sweep(*SEARCH, "--halving")
        self.assertEqual([call[2] for call in self.calls()], 10 * [1000] + 3 * [3000] + [9000])
        self.assertIn(
            "--trials cannot be raised",
            self.sweep(*SEARCH, "--halving", "--trials", 12, code=1),
        )

    def test_every_flag_is_in_the_help(self):
        text = self.sweep("--help")
        for flag in (
            "--search {bayes}",
            "--trials N",
            "--halving",
            "--range SETTING=A..B",
            "--draw-seed",
            "--parallel",
        ):
            self.assertIn(flag, text)

    def test_wrong_usage_is_said(self):
        for words, message in (
            ((*RANGES, "--search", "bayes"), "--search bayes --trials N"),
            ((*RANGES, "--random", 3, "--trials", 3), "--search bayes --trials N"),
            ((*SEARCH, "--random", 3), "--random and --search exclude each other"),
            ((*RANGES, "--search", "bayes", "--trials", 0), "at least 1"),
            (RANGES, "--range needs --random N or --search bayes"),
        ):
            self.assertIn(message, self.sweep(*words, code=2))


if __name__ == "__main__":
    unittest.main()
