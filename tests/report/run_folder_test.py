"""What is read of a run folder. Argument: dray/report/__main__.py."""

import fcntl
import os
import pathlib
import tempfile
import unittest

import run_folders

from dray.error import Error
from dray.report.run_folder import Damaged, RunFolder, settings_of


class RunFolderTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.run = run_folders.write_run(self.folder / "run", last=run_folders.evaluation(38.0, 3.0, 20))

    def append(self, text):
        with open(self.run / "metrics.jsonl", "a") as file:
            file.write(text)

    def test_settings_are_found_by_their_paths(self):
        run = RunFolder(self.run)
        self.assertEqual(
            (run.task, run.setting("train.seed"), run.setting("ppo.learning_rate")), ("cartpole", "1", "0.001")
        )

    def test_a_text_of_several_lines_has_no_settings_in_it(self):
        found = settings_of("env:\n  scenario: |\n    name: inner\n    a: b\n  name: cage2\ntrain:\n  seed: 3\n")
        self.assertEqual(found, {"env.name": "cage2", "train.seed": "3"})

    def test_the_last_report_with_an_evaluation_is_the_final_one(self):
        self.append('{"total_steps": 500, "episode/return_mean": 41}\n')
        run = RunFolder(self.run)
        self.assertEqual(len(run.reports), 5)
        self.assertEqual(run.final_evaluation()["total_steps"], 400)
        self.assertEqual((run.last("episode/return_mean"), run.last("cpu/busy"), run.last("gpu/busy")), (41, 0.9, None))

    def test_a_torn_last_line_is_left_out_with_a_note(self):
        self.append('{"total_steps": 500, "epis')
        run = RunFolder(self.run)
        self.assertEqual(len(run.reports), 4)
        self.assertEqual(run.notes, ["metrics.jsonl: line 5 is damaged and left out"])

    def test_what_is_no_report_or_no_number_is_left_out(self):
        self.append(
            '[1]\n{"epoch": 5}\n{"total_steps": 500, "train/entropy": null, "train/kl_k3": NaN, "episode/return_mean": "<b>"}\n'
        )
        run = RunFolder(self.run)
        self.assertEqual(run.notes, ["metrics.jsonl: lines 5, 6 are damaged and left out"])
        self.assertEqual(run.reports[-1], {"total_steps": 500})

    def test_evaluations_lie_below_the_folder_or_elsewhere(self):
        run_folders.write_delivery_evaluation(self.run / "evaluation")
        elsewhere = run_folders.write_delivery_evaluation(self.folder / "elsewhere")
        self.assertEqual(
            (len(RunFolder(self.run).evaluations), len(RunFolder(self.run, [elsewhere]).evaluations)), (1, 2)
        )
        twice = RunFolder(self.run, [self.run / "evaluation"])
        self.assertEqual((len(twice.evaluations), len(twice.pictures)), (1, 8))
        self.assertEqual(RunFolder(self.run).evaluations[0]["days"]["learned"], {1: 99, 2: 95, 3: 102})
        self.assertEqual(len(RunFolder(self.run).pictures), 8)

    def test_other_json_is_not_taken_for_an_evaluation(self):
        (self.run / "mine.json").write_text('{"a": 1}')
        (self.run / "list.json").write_text("[1, 2]")
        (self.run / "torn.json").write_text('{"policies"')
        run = RunFolder(self.run)
        self.assertEqual((run.evaluations, run.notes), ([], ["torn.json is damaged and left out"]))

    def test_a_line_that_is_nested_too_deeply_or_has_no_number_is_left_out(self):
        self.append(
            "[" * 100_000 + "\n" + '{"total_steps": 1' + "0" * 400 + "}\n" + '{"total_steps": 500, "cpu/busy": 1e300}\n'
        )
        run = RunFolder(self.run)
        self.assertEqual(run.notes, ["metrics.jsonl: lines 5, 6 are damaged and left out"])
        self.assertEqual(run.reports[-1], {"total_steps": 500})

    def test_a_pipe_is_not_waited_for(self):
        for name in ("config.yaml", "search.json", "days.jsonl"):
            (self.run / name).unlink(missing_ok=True)
            os.mkfifo(self.run / name)
        self.assertEqual(
            RunFolder(self.run).notes,
            ["config.yaml cannot be read: not a file", "search.json cannot be read: not a file"],
        )

    def test_a_run_without_a_readable_report_is_damaged(self):
        (self.run / "metrics.jsonl").write_bytes(b"\xff\xfe\n")
        with self.assertRaisesRegex(Damaged, "run: no report can be read .metrics.jsonl: line 1 is damaged"):
            RunFolder(self.run)

    def test_what_is_no_run_is_refused(self):
        (self.folder / "empty").mkdir()
        with self.assertRaisesRegex(Error, "empty has no metrics.jsonl"):
            RunFolder(self.folder / "empty")
        with self.assertRaisesRegex(Error, "nowhere: no such folder"):
            RunFolder(self.folder / "nowhere")

    def test_a_run_without_a_report_is_waited_for_only_while_it_is_training(self):
        (self.run / "metrics.jsonl").write_text("")
        with self.assertRaisesRegex(Error, "is empty: the run ended before its first report; train longer or"):
            RunFolder(self.run)
        with open(self.run / ".lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            with self.assertRaisesRegex(Error, "has no report yet: wait for the run's first"):
                RunFolder(self.run)


if __name__ == "__main__":
    unittest.main()
