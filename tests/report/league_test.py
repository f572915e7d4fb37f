"""dray league with real trainings: the table, going on, an interruption; and equilibria of small games.

Arguments: dray/report/__main__.py, train, evaluate.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy
from run_folders import PACKAGES

from dray.tasks.cage2.payoffs import equilibrium, mixture_text

TRAIN, EVALUATE = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
PATIENCE_S = 300
SHORT = ("--red-episodes", "50", "--blue-episodes", "50", "--episodes", "4", "--runner", "local")


class EquilibriumTest(unittest.TestCase):
    def test_of_rock_paper_scissors_is_a_third_each(self):
        names = ["rock", "paper", "scissors"]
        game = equilibrium(numpy.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]]), names, names)
        for shares in (game.blues, game.reds):
            self.assertEqual(list(shares), names)
            for share in shares.values():
                self.assertAlmostEqual(share, 1 / 3, delta=0.02)
        self.assertAlmostEqual(game.value, 0, delta=0.02)

    def test_what_is_dominated_is_left_out(self):
        game = equilibrium(numpy.array([[-9.0, -8], [-2, -5], [-3, -7]]), ["a", "b", "c"], ["one", "two"])
        self.assertEqual((game.blues, game.reds), ({"b": 1.0}, {"two": 1.0}))
        self.assertAlmostEqual(game.value, -5, delta=0.02)

    def test_a_mixture_is_written_as_settings_have_it(self):
        self.assertEqual(mixture_text({"runs/a": 0.25, "runs/b": 0.75}), "0.250000 runs/a, 0.750000 runs/b")


class LeagueTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def start(self, *words):
        process = subprocess.Popen(
            [sys.executable, "-m", "dray.command", "league", "--dir", self.folder / "league", *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PACKAGES), "DRAY_TRAIN": TRAIN, "DRAY_EVALUATE": EVALUATE},
        )
        self.addCleanup(process.kill)
        return process

    def league(self, *words, code=0):
        process = self.start(*words)
        printed, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, code, printed + errors)
        return printed if code == 0 else errors

    def table(self, reds):
        """The defenders of the table's rows, if all have a cell for each attacker."""
        text = (self.folder / "league/table.md").read_text()
        self.assertIn(f"|  | {' | '.join(reds)} |", text)
        cell = r"(?: −?\d+\.\d ± \d+\.\d | +)\|"
        return re.findall(rf"^\| (blue \d) \|(?:{cell}){{{len(reds)}}}$", text, re.M)

    def test_rounds_are_played_once_and_go_on(self):
        said = self.league("--rounds", "1", *SHORT)
        for name in ("blue0", "red1", "blue1"):
            self.assertIn(f"{name}: training", said)
        self.assertEqual(self.table(["B_line", "Meander", "red 1"]), ["blue 0", "blue 1"])
        first = (self.folder / "league/table.md").read_text()
        self.assertNotIn(": training", self.league("--rounds", "1", *SHORT))
        self.assertEqual((self.folder / "league/table.md").read_text(), first)
        more = (
            "--rounds",
            "2",
            "--reds",
            "equilibrium",
            "--blues",
            "uniform",
            "--fresh",
            "1",
            "--fresh-episodes",
            "50",
        )
        said = self.league(*more, *SHORT)
        self.assertEqual(re.findall(r"^(\w+): training", said, re.M), ["red2", "blue2", "fresh1"])
        self.assertEqual(self.table(["B_line", "Meander", "red 1", "red 2", "fresh 1"]), ["blue 0", "blue 1", "blue 2"])
        red2 = (self.folder / "league/red2/config.yaml").read_text()
        self.assertRegex(red2, r'blue: "0\.500000 \S+/blue0, 0\.500000 \S+/blue1"')
        self.assertIn("Payoffs", (self.folder / "league/league.html").read_text())
        # Another defender is the last one now: what learned against the one before it is not fresh any more.
        said = self.league(*more, *SHORT, "--rounds", "3")
        self.assertEqual(re.findall(r"^(\w+): training", said, re.M), ["red3", "blue3", "fresh1"])
        blue = (self.folder / "league/blue3-fresh1/config.yaml").read_text()
        self.assertRegex(blue, r"blue: \S+/blue3\n")
        rows = (self.folder / "league/table.md").read_text().splitlines()
        self.assertRegex(rows[4], r"^\| blue 2 \|.*\|  \|$")
        self.assertRegex(rows[5], r"^\| blue 3 \|.* ± \d+\.\d \|$")

    def test_an_interrupted_training_is_resumed(self):
        process = self.start("--rounds", "1", *SHORT, "--blue-episodes", "10000000")
        metrics = self.folder / "league/blue0/metrics.jsonl"
        deadline = time.monotonic() + PATIENCE_S
        while not (metrics.exists() and metrics.stat().st_size):
            self.assertIsNone(process.poll())
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((process.returncode, errors), (130, "dray: interrupted by SIGINT; the same command resumes\n"))
        checkpoints = self.folder / "league/blue0/checkpoints"
        self.assertTrue(list(checkpoints.glob("epoch_*.ckpt")), "the training saved its state before it ended")
        process = self.start("--rounds", "1", *SHORT)
        self.assertEqual(process.stdout.readline(), "blue0: resuming\n")
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=PATIENCE_S)

    def test_mistakes_are_one_line(self):
        self.assertIn("nobody: no checkpoint", self.league("--blue", self.folder / "nobody", *SHORT, code=1))
        self.assertIn("must be at least 1", self.league("--rounds", "0", code=2))
        (self.folder / "league/scores.json").write_text('{"pair": 3}')
        self.assertIn("scores.json is damaged: remove it", self.league(*SHORT, code=1))


if __name__ == "__main__":
    unittest.main()
