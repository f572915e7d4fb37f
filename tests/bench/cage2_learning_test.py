"""The arithmetic of scripts/bench/cage2_learning.py, and a whole comparison with commands that play no game."""

import importlib.util
import pathlib
import subprocess
import sys
import tempfile
import unittest

PATH = pathlib.Path(sys.argv.pop(1)).resolve()
spec = importlib.util.spec_from_file_location("cage2_learning", PATH)
learning = importlib.util.module_from_spec(spec)
spec.loader.exec_module(learning)

# Writes down its seed and settings where the evaluation finds them.
TRAIN = """#!/usr/bin/env python3
import pathlib, sys
run = pathlib.Path(sys.argv[sys.argv.index("--run-dir") + 1])
run.mkdir()
(run / "line").write_text("\\n".join(sys.argv[1:]))
"""
# An order is worth more the earlier enterprise stands in it, and a seed little.
EVALUATE = """#!/usr/bin/env python3
import json, pathlib, re, sys
line = (pathlib.Path(sys.argv[sys.argv.index("--run-dir") + 1]) / "line").read_text()
order = re.search(r"order=\\[(.*)\\]", line)
place = order[1].split(", ").index("enterprise") if order else 0
seed = int(line.split("--seed\\n")[1].split("\\n")[0])
stats = {name: {"mean": value} for name, value in (("compliance", 0.97 - place / 100), ("fixes", 5), ("useless_fixes", 2))}
returns = {steps: {"mean": -10.0} for steps in ("30", "50", "100")}
print(json.dumps({"return_mean": -10 * place - seed % 3, "stats": stats, "total": -40 - seed,
                  "scores": {"bline": {"returns": returns}, "meander": {"returns": returns}}}))
"""


class ArithmeticTest(unittest.TestCase):
    def test_f_is_the_ratio_of_two_variances(self):
        # Means 2 and 5, variance 1 within each: 3 x 4.5 / 1.
        self.assertAlmostEqual(learning.f_ratio([[1, 2, 3], [4, 5, 6]]), 13.5)

    def test_shuffling_tells_an_effect_from_chance(self):
        rows = [[10 * order + seed for seed in range(5)] for order in range(6)]
        self.assertLess(learning.shuffled_p(rows), 0.001)
        self.assertEqual(learning.p_text(learning.shuffled_p(rows)), "< 0.001")
        mixed = [[(7 * order + 3 * seed * seed) % 11 for seed in range(5)] for order in range(6)]
        self.assertGreater(learning.shuffled_p(mixed), 0.05)

    def test_random_orders_are_different_and_always_the_same(self):
        orders = learning.random_orders(120)
        self.assertEqual(len(set(orders)), 120)
        self.assertEqual(learning.random_orders(20), orders[:20])


class WholeTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in (("train", TRAIN), ("evaluate", EVALUATE), ("broken", "#!/bin/sh\necho oh; exit 3\n")):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)

    def run_bench(self, *flags, train="train"):
        command = [sys.executable, PATH, *flags, "--out", self.folder / "out", "--train", self.folder / train]
        command += ["--evaluate", self.folder / "evaluate", "--parallel", "4"]
        return subprocess.run(command, capture_output=True, text=True)

    def test_orders_are_ranked_and_the_extremes_trained_again(self):
        flags = ("orders", "--orders", "5", "--seeds", "2", "--settings", "a")
        result = self.run_bench(*flags)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| a | ", result.stdout)
        self.assertIn("Without a workflow: -1.5.", result.stdout)  # seeds 1 and 2
        self.assertIn("| 5.0 / 2.0 |", result.stdout)
        rows = [line for line in result.stdout.splitlines() if line.startswith("| a | ") and " > " in line]
        self.assertEqual(len(rows), 5)
        numbers = [[float(cell) for cell in row.split("|")[3:5]] for row in rows]
        self.assertEqual(numbers, sorted(numbers, reverse=True))
        self.assertTrue((self.folder / "out/orders.md").exists())
        # What is there is not trained again.
        again = self.run_bench(*flags, train="broken")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stdout.split("Without")[1], result.stdout.split("Without")[1])

    def test_seeds_have_a_row_each_and_a_median(self):
        result = self.run_bench("seeds", "--seeds", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("| leaderboard | 2 | -42.00 | -10.00 / -10.00 / -10.00 |", result.stdout)
        self.assertIn("| head | median | **-41.50** | worst -42.00 | best -41.00 |", result.stdout)

    def test_a_training_that_fails_is_named(self):
        result = self.run_bench("seeds", "--seeds", "1", train="broken")
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: a training failed; see ", result.stderr)


if __name__ == "__main__":
    unittest.main()
