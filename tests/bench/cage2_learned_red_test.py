"""scripts/bench/cage2_learned_red.py: one short round, and that a second start repeats nothing.

Arguments: the script, train, evaluate.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SCRIPT, TRAIN, EVALUATE = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
SHORT = ("--rounds", "1", "--red-episodes", "50", "--blue-episodes", "50", "--episodes", "4")


class LearnedRedTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-"))
        self.addCleanup(subprocess.run, ["rm", "-r", str(self.folder)])

    def run_script(self, *flags):
        command = [
            sys.executable,
            SCRIPT,
            "--train",
            TRAIN,
            "--evaluate",
            EVALUATE,
            "--out",
            self.folder / "out",
            *flags,
        ]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)

    def test_one_round_gives_a_table_and_a_second_start_only_the_table(self):
        first = self.run_script(*SHORT)
        self.assertEqual(first.returncode, 0, first.stderr)
        for name in ("blue0", "red1", "blue1"):
            self.assertIn(f"{name}: training", first.stdout)
        table = (self.folder / "out/learned_red.md").read_text()
        cell = r" −?\d+\.\d ± \d+\.\d \|"
        self.assertIn("| | B_line | Meander | red 1 |", table)
        self.assertEqual(len(re.findall(r"^\| blue [01] \|" + 3 * cell + "$", table, re.M)), 2, table)
        second = self.run_script(*SHORT)
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertNotIn(": training", second.stdout)
        self.assertEqual((self.folder / "out/learned_red.md").read_text(), table)

    def test_a_blue_that_is_none_is_named(self):
        result = self.run_script("--blue", self.folder / "nobody", *SHORT)
        self.assertEqual(result.returncode, 1)
        self.assertIn("nobody: no checkpoint", result.stderr)


if __name__ == "__main__":
    unittest.main()
