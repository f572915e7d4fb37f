"""dray runs: what is listed, shown and cleaned."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

from run_folders import PACKAGES, write_run, write_search


def runs(*words):
    return subprocess.run(
        [sys.executable, "-m", "dray.runs", *map(str, words)], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(PACKAGES)})


class RunsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_run(self.folder / "done")
        write_run(self.folder / "half", reports=2)
        write_run(self.folder / "under_way", reports=2)
        for name, age_s in (("done", 40 * 86_400), ("half", 7200)):
            for file in (self.folder / name).iterdir():
                os.utime(file, (time.time() - age_s,) * 2)

    def test_the_newest_run_comes_first(self):
        lines = runs("list", "--dir", self.folder).stdout.splitlines()
        self.assertEqual([pathlib.Path(line.split()[0]).name for line in lines[1:]], ["under_way", "half", "done"])
        self.assertRegex(lines[2], r"cartpole +200 +20 .* 50 % +2 h")
        self.assertIn("finished", lines[3])

    def test_one_is_shown_with_its_newest_numbers(self):
        text = runs("show", self.folder / "half").stdout
        self.assertRegex(text, r"total_steps +200\n")

    def test_only_what_was_asked_for_goes_and_only_with_yes(self):
        clean = ("clean", "--dir", self.folder, "--unfinished")
        self.assertIn("1 run would be removed: again with --yes", runs(*clean).stdout)
        self.assertTrue((self.folder / "half").is_dir())
        self.assertIn("1 run removed", runs(*clean, "--yes").stdout)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"done", "under_way"})
        self.assertIn("1 run removed", runs("clean", "--dir", self.folder, "--older-than", 30, "--yes").stdout)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"under_way"})
        self.assertIn("no such runs", runs(*clean).stdout)

    def test_a_search_is_one_run_and_no_unfinished_one(self):
        write_search(self.folder / "search")
        write_run(self.folder / "search" / "trials" / "1", reports=1)
        for file in (self.folder / "search").rglob("*"):
            os.utime(file, (time.time() - 7200,) * 2)
        listed = runs("list", "--dir", self.folder).stdout
        self.assertNotIn("trials", listed)
        self.assertNotIn("search", runs("clean", "--dir", self.folder, "--unfinished").stdout)

    def test_errors_are_one_line(self):
        for words, message in ((("list", "--dir", "nowhere"), "nowhere: no such folder"), (("show", "nowhere"), "nowhere: no such folder"),
                               (("clean",), "clean needs --unfinished or --older-than DAYS")):
            done = runs(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
