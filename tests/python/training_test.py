"""dray.train: callbacks, stops, errors, and the run that it returns. Arguments: the library of environments, the package's
__init__.py, train, evaluate."""

import contextlib
import io
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

LIBRARY, PACKAGE, TRAIN, EVALUATE = (os.path.abspath(path) for path in sys.argv[1:5])
del sys.argv[1:5]
SOURCE = str(pathlib.Path(PACKAGE).parents[1])
os.environ.update(DRAY_ENVS_LIBRARY=LIBRARY, DRAY_TRAIN=TRAIN, DRAY_EVALUATE=EVALUATE, PYTHONPATH=SOURCE)
sys.path.insert(0, SOURCE)

import dray
from dray import progress_display
from dray.metrics_file import Reports

PATIENCE_S = 240
SMALL = {
    "include": "cartpole",
    "scale": {"num_envs": 4, "envs_per_shard": 2},
    "network": {"hidden": [8]},
    "evaluation": {"episodes": 2},
    "run": {"log_interval": 1, "device": "cpu", "tensorboard": False},
}
ENDLESS = {**SMALL, "train": {"epochs": 1000000}}
# A script that trains until it is stopped, and says what it reads.
DRIVER = """
import sys, dray
run = dray.train(eval(sys.argv[1]), run_dir=sys.argv[2], callback=lambda report: print(report["epoch"], flush=True))
print(run.stopped, run.policy().env)
"""


class TrainingTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def train(self, config=SMALL, name="run", **given):
        return dray.train(config, run_dir=self.folder / name, **given)

    def drive(self):
        """A script that trains, in its own process, after its first report."""
        process = subprocess.Popen(
            [sys.executable, "-c", DRIVER, repr(ENDLESS), self.folder / "run"], stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "1\n")
        return process

    def test_the_run_that_it_returns(self):
        reports = []
        run = self.train(epochs=5, callback=reports.append)
        self.assertEqual([report["epoch"] for report in reports], [1, 2, 3, 4, 5])
        self.assertEqual((run.run_dir, run.stopped, run.metrics["epoch"]), (self.folder / "run", False, 5))
        self.assertIn("eval/return_mean", run.metrics)
        self.assertIn("Finished after 5 epochs", run.output)
        self.assertIn("runner local", run.output)
        self.assertEqual(run.policy().env, "cartpole")
        self.assertEqual(dray.evaluate(run.run_dir, episodes=3)["episodes"], 3)

    def test_it_gives_the_numbers_of_the_command(self):
        reports = []
        run = self.train(epochs=3, seed=7, callback=reports.append)
        command = [TRAIN, "--config", run.run_dir / "config.yaml", "--run-dir", self.folder / "command"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines = (self.folder / "command" / "metrics.jsonl").read_text().splitlines()
        machine = ("time/", "cpu/", "memory/")

        def learned(report):
            return {name: value for name, value in report.items() if not name.startswith(machine)}

        self.assertEqual(list(map(learned, reports)), [learned(json.loads(line)) for line in lines])

    def test_environments_made_before_do_not_matter(self):
        batch = dray.Batch("cartpole", count=2)
        batch.reset()
        self.assertEqual(self.train(epochs=1).metrics["epoch"], 1)
        batch.step([0, 1])

    def test_keywords_overrule_the_dictionary_and_the_preset(self):
        run = self.train({**SMALL, "ppo": {"gamma": 0.5}}, epochs=1, num_envs=6, set={"ppo.gae_lambda": 0.25})
        written = (run.run_dir / "config.yaml").read_text()
        for line in ("num_envs: 6\n", "gamma: 0.5\n", "gae_lambda: 0.25\n", "name: cartpole\n", "runner: local\n"):
            self.assertIn(line, written)

    def test_a_dictionary_needs_no_preset(self):
        own = {name: group for name, group in SMALL.items() if name != "include"}
        self.assertEqual(self.train({**own, "env": {"name": "pendulum"}}, epochs=1).policy().env, "pendulum")

    def test_without_a_folder_it_is_named_after_the_config(self):
        with contextlib.chdir(self.folder):
            runs = [dray.train("cartpole", epochs=1) for _ in range(2)]
        for run in runs:
            self.assertRegex(run.run_dir.name, r"^cartpole-\d{8}-\d{6}(-2)?$")
            self.assertEqual(run.run_dir.parent, self.folder / "runs")
        self.assertNotEqual(runs[0].run_dir, runs[1].run_dir)

    def test_a_callback_stops_the_run_which_resumes_where_it_was(self):
        first = self.train(ENDLESS, callback=lambda report: report["epoch"] < 3)
        self.assertTrue(first.stopped)
        last = first.metrics["epoch"]
        self.assertGreaterEqual(last, 3)
        self.assertIn("Stopped after", first.output)
        reports = []
        second = dray.train(resume=first.run_dir, epochs=last + 5, callback=reports.append)
        self.assertEqual([report["epoch"] for report in reports], list(range(last + 1, last + 6)))
        self.assertEqual((second.stopped, second.run_dir), (False, first.run_dir))

    def test_an_interruption_by_the_callback_stops_the_run(self):
        calls = []

        def interrupt(report):
            calls.append(report)
            raise KeyboardInterrupt

        self.assertTrue(self.train(ENDLESS, callback=interrupt).stopped)
        self.assertEqual(len(calls), 1)

    def test_an_exception_of_the_callback_arrives_once_the_run_has_ended(self):
        def fail(_):
            raise ValueError("mine")

        with self.assertRaisesRegex(ValueError, "^mine$"):
            self.train(ENDLESS, callback=fail)
        self.assertEqual(dray.load_policy(self.folder / "run").env, "cartpole")

    def test_an_interruption_by_the_user_stops_the_run(self):
        process = self.drive()
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((said.splitlines()[-1], process.returncode), ("True cartpole", 0))

    def test_the_training_ends_with_the_process_that_started_it(self):
        process = self.drive()
        [training] = self.trainings()
        end = os.pidfd_open(training)
        self.addCleanup(os.close, end)
        process.kill()
        process.wait()
        self.assertTrue(select.select([end], [], [], PATIENCE_S)[0], "the training still runs")
        self.assertEqual(dray.load_policy(self.folder / "run").env, "cartpole")

    def trainings(self):
        """Processes of train that write to this test's folder."""
        found = []
        for entry in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                if os.path.basename(words[0]) == b"train" and os.fsencode(self.folder / "run") in words:
                    found.append(int(entry.name))
        return found

    def test_mistakes_are_one_line(self):
        for config, given, says in (
            ("cartpol", {}, "there is no preset cartpol"),
            (SMALL, {"epoch": 3}, "dray.train: unknown argument epoch; did you mean epochs?"),
            (SMALL, {"zzzzzzzz": 3}, "dray.train: unknown argument zzzzzzzz; arguments are the flags of train"),
            (SMALL, {"set": {"ppo.gamma": 7}}, "ppo.gamma: 7 is out of range"),
            ({**SMALL, "ppo": {"gama": 1}}, {}, "--set ppo.gama=1: ppo.gama: unknown key; did you mean gamma?"),
            ({**SMALL, "ppo": {"gamma": object()}}, {}, "config: ppo.gamma: <object"),
            (SMALL, {"epochs": {"a": 1}}, "epochs: {'a': 1} is not the value of a flag"),
            (SMALL, {"dry_run": True}, "dry_run: works only with the command train"),
            (None, {"resume": self.folder / "nowhere"}, "nowhere/config.yaml"),
        ):
            with self.subTest(says), self.assertRaises(dray.Error) as raised:
                given = given if "resume" in given else {"run_dir": self.folder / "run", **given}
                dray.train(config, **given)
            self.assertIn(says, str(raised.exception))
            self.assertNotIn("\n", str(raised.exception))


class ReportsTest(unittest.TestCase):
    def test_a_resumed_run_s_old_reports_are_left_out_and_repeated_ones_are_not(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "metrics.jsonl"
            lines = [
                json.dumps({"epoch": epoch, "total_steps": 8, "time/elapsed_s": epoch}) + "\n" for epoch in (1, 2, 3)
            ]
            again = json.dumps({"epoch": 2, "total_steps": 8, "time/elapsed_s": 2.5}) + "\n"
            file.write_text(lines[0] + again)
            reports = Reports(file)
            reports.skip("".join(lines).encode())
            self.assertEqual([report["time/elapsed_s"] for report in reports.new()], [2.5])
            file.write_text(lines[0] + again + lines[2])
            self.assertEqual([report["epoch"] for report in reports.new()], [3])


class DisplayTest(unittest.TestCase):
    def test_a_notebook_has_one_bar_that_is_updated(self):
        shown, updated = [], []
        handle = types.SimpleNamespace(update=lambda drawn, raw: updated.append(drawn))

        def display(drawn, raw, display_id):
            shown.append(drawn)
            return handle

        fake = types.SimpleNamespace(get_ipython=lambda: types.SimpleNamespace(kernel=object()))
        with mock.patch.dict(sys.modules, {"IPython": fake, "IPython.display": types.SimpleNamespace(display=display)}):
            bar = progress_display.here()
            bar.show(0, "starting")
            bar.show(0.5, "50% <epoch 1>")
            bar.close()
        self.assertEqual([drawn["text/plain"] for drawn in shown + updated], ["starting", "50% <epoch 1>"])
        self.assertIn('value="0.5000"', updated[0]["text/html"])
        self.assertIn("50% &lt;epoch 1&gt;", updated[0]["text/html"])

    def test_a_terminal_has_one_line_and_a_file_none(self):
        for terminal, wanted in ((True, "\r\x1b[Kstarting\r\x1b[K50% epoch 1\n"), (False, "")):
            written = io.StringIO()
            written.isatty = lambda: terminal
            with contextlib.redirect_stderr(written):
                line = progress_display.here()
                line.show(0, "starting")
                line.show(0.5, "50% epoch 1")
                line.close()
            self.assertEqual(written.getvalue(), wanted)


if __name__ == "__main__":
    unittest.main()
