"""dray runs: what is listed, shown and cleaned."""

import fcntl
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
        [sys.executable, "-m", "dray.command", "runs", *map(str, words)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
    )


class RunsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        write_run(self.folder / "done")
        write_run(self.folder / "half", reports=2)
        write_run(self.folder / "under_way", reports=2)
        self.age("done", 40 * 86_400)
        self.age("half", 7200)

    def age(self, name, age_s):
        for file in (self.folder / name).rglob("*"):
            os.utime(file, (time.time() - age_s,) * 2, follow_symlinks=False)

    def hold(self, name):
        """As the training there does."""
        lock = open(self.folder / name / ".lock", "w")
        self.addCleanup(lock.close)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.age(name, 7200)
        return lock

    def clean(self, *words):
        return runs("clean", "--dir", self.folder, *(words or ("--unfinished",)), "--yes").stdout

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
        self.assertIn("1 run would be removed; repeat with --yes", runs(*clean).stdout)
        self.assertTrue((self.folder / "half").is_dir())
        self.assertIn("1 run removed", runs(*clean, "--yes").stdout)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"done", "under_way"})
        self.assertIn("1 run removed", runs("clean", "--dir", self.folder, "--older-than", 30, "--yes").stdout)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {"under_way"})
        self.assertIn("no matching runs", runs(*clean).stdout)

    def test_a_search_is_one_run_and_no_unfinished_one(self):
        write_search(self.folder / "search")
        write_run(self.folder / "search" / "trials" / "1", reports=1)
        for file in (self.folder / "search").rglob("*"):
            os.utime(file, (time.time() - 7200,) * 2)
        listed = runs("list", "--dir", self.folder).stdout
        self.assertNotIn("trials", listed)
        self.assertNotIn("search", runs("clean", "--dir", self.folder, "--unfinished").stdout)

    def test_a_run_that_is_training_stays_however_old_its_files_are(self):
        lock = self.hold("half")
        before = sorted((self.folder / "half").iterdir())
        for words in (("--unfinished",), ("--older-than", "0.01")):
            self.assertNotIn("half", self.clean(*words))
            self.assertEqual(sorted((self.folder / "half").iterdir()), before)
        lock.close()
        self.assertIn("1 run removed", self.clean())
        self.assertFalse((self.folder / "half").exists())

    def test_a_training_of_a_search_that_is_under_way_stays(self):
        (self.folder / "search").mkdir()
        (self.folder / "half").rename(self.folder / "search/workflow-001")
        self.hold("search")
        self.assertEqual(self.clean(), "no matching runs\n")

    def test_a_file_below_counts_as_written(self):
        (self.folder / "half/checkpoints").mkdir()
        (self.folder / "half/checkpoints/recovery.ckpt").write_text("new")
        self.assertEqual(self.clean(), "no matching runs\n")

    def test_what_dray_did_not_write_stays_and_is_named(self):
        half, elsewhere = self.folder / "half", self.folder / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "metrics.jsonl").write_text("of somebody else")
        for name in ("checkpoints", "notes", "paper", "eval", "workflow-001", "workflow-002"):
            (half / name).mkdir()
        own = (
            "weights.pt",
            "weights.pt.tmp",
            "events.out.tfevents.1.host.dray",
            "checkpoints/epoch_00000001.ckpt",
            "workflow-001/config.yaml",
            "wandb.json",
            "eval/evaluation.json",
            "eval/episode_1_routes.svg",
        )
        foreign = (
            "thesis.tex",
            "checkpoints/mine.pt",
            "notes/config.yaml",
            "notes/x.ckpt",
            "report.md",
            "orders.csv",
            "best.svg",
            "episode_1_routes.svg",
            "paper/days.jsonl",
            "eval/episode_of_my_thesis.svg",
            "workflow-002/report.md",
        )
        for name in own + foreign:
            (half / name).write_text("")
        (half / "report.html").symlink_to(elsewhere / "metrics.jsonl")
        (half / "events.out.tfevents.2").symlink_to(elsewhere)
        self.age("half", 7200)
        text = self.clean()
        left = {str(path.relative_to(half)) for path in half.rglob("*") if not path.is_dir() or path.is_symlink()}
        self.assertEqual(left, {*foreign, "report.html", "events.out.tfevents.2"})
        for name in foreign:
            self.assertIn(name, text)
        self.assertEqual((elsewhere / "metrics.jsonl").read_text(), "of somebody else")

    def test_a_folder_of_another_program_is_not_cleaned(self):
        other = write_run(self.folder / "other", reports=2)
        (other / "config.yaml").write_text("model:\n  name: resnet\n")
        self.age("other", 7200)
        self.clean()
        self.assertEqual(len(list(other.iterdir())), 2)

    def test_a_run_within_a_run_is_one_of_its_own(self):
        write_run(self.folder / "done/inner", reports=2)
        self.age("done", 40 * 86_400)
        self.assertIn("done/inner", runs("list", "--dir", self.folder).stdout)

    def test_a_damaged_run_is_listed_as_such_and_the_others_are_shown(self):
        (self.folder / "half/metrics.jsonl").write_text("[" * 100_000 + "\n")
        write_run(self.folder / "pipe")
        (self.folder / "pipe/metrics.jsonl").unlink()
        os.mkfifo(self.folder / "pipe/metrics.jsonl")
        (write_search(self.folder / "search") / "search.json").write_text('{"verdict"')
        listed = runs("list", "--dir", self.folder)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        lines = {pathlib.Path(line.split()[0]).name: line for line in listed.stdout.splitlines()}
        self.assertIn("damaged: no report can be read (metrics.jsonl: line 1 is damaged and left out)", lines["half"])
        self.assertIn("damaged: no report can be read (metrics.jsonl cannot be read: not a file)", lines["pipe"])
        self.assertIn("damaged: search.json is damaged", lines["search"])
        self.assertIn("finished", lines["done"])
        shown = runs("show", self.folder / "half")
        self.assertEqual((shown.returncode, len(shown.stderr.splitlines())), (1, 1))
        self.clean("--older-than", "0")
        self.assertTrue((self.folder / "half/metrics.jsonl").exists())

    def test_a_name_that_is_no_text_does_not_end_the_list(self):
        (self.folder / "half").rename(os.fsdecode(bytes(self.folder) + b"/h\xff"))
        listed = runs("list", "--dir", self.folder)
        self.assertEqual((listed.returncode, listed.stderr), (0, ""))
        self.assertIn("done", listed.stdout)

    def test_errors_are_one_line(self):
        for words, message in (
            (("list", "--dir", "nowhere"), "nowhere: no such folder"),
            (("show", "nowhere"), "nowhere: no such folder"),
            (("clean",), "clean needs --unfinished or --older-than DAYS"),
        ):
            done = runs(*words)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(message, done.stderr)
            self.assertNotIn("Traceback", done.stderr)


if __name__ == "__main__":
    unittest.main()
