"""A disk that is full, read-only or gone does not end a training that could go on."""

import json
import os
import resource
import shutil
import signal
import subprocess
import time
import unittest

import commands

# Longer than any test: it is stopped when all is seen.
ENDLESS = ("--epochs", "10000000", "--save-interval", "3", "--set", "run.recovery_interval_s=0.05")
RETRIES = "the run continues and will try again"


def may_mount():
    return os.geteuid() == 0 and subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode == 0


class ConsoleTest(commands.CommandTest):
    def test_a_console_that_cannot_be_written_costs_one_line_on_stderr(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [commands.TRAIN, "--config", "cartpole.yaml", "--run-dir", "run"],
                cwd=self.folder,
                env=commands.environment(),
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                timeout=commands.PATIENCE_S,
            )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(
            done.stderr, f"Warning: the output of the run cannot be written (No space left on device); {RETRIES}\n"
        )
        reports = self.metrics("run")
        self.assertEqual([report["epoch"] for report in reports], list(range(1, 13)))
        self.assertGreater(reports[-1]["writes/failed"], reports[0]["writes/failed"])


class DescriptorsTest(commands.CommandTest):
    def test_closed_standard_descriptors_do_not_reach_the_files_of_a_run(self):
        for number, closed in enumerate(("<&- >&- 2>&-", ">&-", "<&-", "2>&-")):
            run = f"run-{number}"
            script = f"exec {commands.TRAIN} --config cartpole.yaml --run-dir {run} {closed}"
            result = self.run_command("sh", "-c", script)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual([report["epoch"] for report in self.metrics(run)], list(range(1, 13)))
            self.assertEqual((self.folder / run / ".lock").read_bytes(), b"")  # the first file that a run opens
            for events in (self.folder / run).glob("events.out.*"):
                self.assertNotIn(b"Training cartpole with PPO", events.read_bytes())
            self.evaluate("--run-dir", run, "--episodes", "1")


class MovedFolderTest(commands.CommandTest):
    def test_a_run_whose_folder_is_moved_goes_on_there(self):
        process = self.start("run", *ENDLESS)
        self.wait_for_epoch("run", 5, process)
        os.rename(self.folder / "run", self.folder / "moved")
        self.wait_until(lambda: "The run's folder is now " in self.output("run"), process)
        saved = self.checkpoints("moved")
        self.wait_until(lambda: self.checkpoints("moved")[-2:] != saved[-2:], process)
        self.interrupt("run", process, signal.SIGINT)
        self.assertNotIn("Warning", self.output("run"))
        self.assertIn(f"--resume {self.folder}/moved", self.output("run"))
        self.assertFalse((self.folder / "run").exists())
        epochs = [report["epoch"] for report in self.metrics("moved")]
        self.assertEqual(epochs, list(range(1, len(epochs) + 1)))
        self.assertIn(f"resumed after epoch {epochs[-1]}", self.resume("moved", "--epochs", epochs[-1] + 3))


class FileSizeLimitTest(commands.CommandTest):
    def test_a_limit_that_no_file_fits_is_one_line(self):
        command = f"ulimit -f 0; exec {commands.TRAIN} --config cartpole.yaml --run-dir run"
        result = self.run_command("sh", "-c", command)
        self.assertEqual(result.returncode, 1)
        self.assertIn("File too large (raise the file size limit, ulimit -f, or choose another folder", result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def read_until(self, process, *texts):
        """Until all of them were printed, in any order."""
        missing, deadline = set(texts), time.monotonic() + commands.PATIENCE_S
        while missing:
            line = process.stdout.readline()
            self.assertTrue(line, f"ended without {missing}")
            self.assertLess(time.monotonic(), deadline, f"no {missing}")
            missing = {text for text in missing if text not in line}

    def test_a_limit_on_the_way_is_waited_for(self):
        command = [commands.TRAIN, "--config", "cartpole.yaml", "--run-dir", "run", *ENDLESS]
        process = subprocess.Popen(  # a console that is a file would be limited, too
            command,
            cwd=self.folder,
            env=commands.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        before = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        self.wait_for_epoch("run", 5, process)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (1, before[1]))
        self.read_until(process, "metrics.jsonl: File too large", "; the run continues, keeps the checkpoint of epoch ")
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, before)
        self.read_until(process, "metrics.jsonl: can be written again", "run/checkpoints: can be written again")
        process.send_signal(signal.SIGINT)
        process.stdout.read()
        self.assertEqual(process.wait(commands.PATIENCE_S), 128 + signal.SIGINT)
        epochs = [report["epoch"] for report in self.metrics("run")]
        self.assertEqual(epochs, list(range(1, len(epochs) + 1)))


@unittest.skipUnless(may_mount(), "this user may not mount file systems")
class SmallDiskTest(commands.CommandTest):
    def setUp(self):
        super().setUp()
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.mount("-t", "tmpfs", "-o", "size=4m", "tmpfs", self.disk)

    def mount(self, *arguments):
        subprocess.run(["mount", *map(str, arguments)], check=True)
        self.addCleanup(subprocess.run, ["umount", "--lazy", str(arguments[-1])], capture_output=True)

    def fill(self):
        with open(self.disk / "filler", "wb", buffering=0) as filler:
            try:
                while True:
                    filler.write(bytes(4096))
            except OSError:
                pass

    def train_on_disk(self, *flags):
        process = self.start("disk/run", *ENDLESS, *flags)
        self.wait_for_epoch("disk/run", 5, process)
        return process

    def output(self, run="disk/run"):
        return (self.folder / "disk.out").read_text()

    def start_command(self, name, *command):
        return super().start_command("disk", *command)

    def wait_for_text(self, text, process):
        self.wait_until(lambda: text in self.output(), process)

    def wait_for_more_reports(self, process):
        """The training goes on, whatever its files do."""
        before = len(self.output())
        self.wait_until(lambda: len(self.output()) > before + 2000, process)

    def checkpoint_warning(self, why):
        return f"{why}; the run continues, keeps the checkpoint of epoch "

    def assert_warned_once(self, text):
        self.assertEqual(self.output().count(text), 1, self.output()[-3000:])

    def stop(self, process, code=128 + signal.SIGINT):
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(commands.PATIENCE_S), code, self.output()[-3000:])

    def assert_every_epoch_is_reported(self):
        epochs = [report["epoch"] for report in self.metrics("disk/run")]
        self.assertEqual(epochs, list(range(1, len(epochs) + 1)))

    def leftovers(self):
        return [path.name for path in (self.disk / "run").rglob("*.tmp")]

    def test_a_full_disk_is_waited_for(self):
        process = self.train_on_disk()
        self.fill()
        self.wait_for_text(
            self.checkpoint_warning("(free some space, or choose another folder with --run-dir)"), process
        )
        self.wait_for_text("metrics.jsonl: No space left on device", process)
        self.wait_for_more_reports(process)
        self.wait_until(lambda: not self.leftovers(), process)  # between two tries
        (self.disk / "filler").unlink()
        for place in ("disk/run/checkpoints", "disk/run/metrics.jsonl"):
            self.wait_for_text(f"{place}: can be written again", process)
        self.assert_warned_once("keeps the checkpoint of epoch")
        self.assert_warned_once("metrics.jsonl: No space left on device")
        self.stop(process)
        self.assert_every_epoch_is_reported()
        self.assertGreater(self.metrics("disk/run")[-1]["writes/failed"], 1)
        self.assertEqual(self.leftovers(), [])
        done = self.metrics("disk/run")[-1]["epoch"]
        self.assertIn(f"resumed after epoch {done}", self.resume("disk/run", "--epochs", done + 3))

    def test_a_disk_that_is_still_full_at_the_end_is_a_failure(self):
        process = self.train_on_disk()
        self.fill()
        self.wait_for_text("keeps the checkpoint of epoch ", process)
        self.stop(process, code=1)
        last = self.output().splitlines()[-1]
        self.assertIn("the run's last checkpoint was not written: cannot write disk/run/checkpoints/", last)
        kept = int(self.output().partition("keeps the checkpoint of epoch ")[2].partition(",")[0])
        self.assertIn(f"; the newest is of epoch {kept}: ", last)
        (self.disk / "filler").unlink()
        self.assertIn(f"resumed after epoch {kept}", self.resume("disk/run", "--epochs", kept + 3))

    def test_a_failed_save_ends_the_run_where_that_is_wanted(self):
        process = self.train_on_disk("--set", "run.stop_on_failed_save=true")
        self.fill()
        self.assertEqual(process.wait(commands.PATIENCE_S), 1)
        self.assertIn("cannot write disk/run/checkpoints/", self.output().splitlines()[-1])
        self.assertIn("No space left on device", self.output().splitlines()[-1])

    def test_a_read_only_disk_is_waited_for(self):
        process = self.train_on_disk()
        run = self.disk / "run"
        self.mount("--bind", run, run)
        command = ["mount", "-o", "remount,bind,ro", str(run)]
        # Refused while the run has a file there open for writing.
        self.wait_until(lambda: subprocess.run(command, capture_output=True).returncode == 0, process)
        self.wait_for_text(
            self.checkpoint_warning("Read-only file system (choose another folder with --run-dir)"), process
        )
        self.wait_for_more_reports(process)
        subprocess.run(["umount", "--lazy", str(run)], check=True)
        self.wait_for_text("disk/run/checkpoints: can be written again", process)
        self.assert_warned_once("keeps the checkpoint of epoch")
        self.stop(process)
        self.assert_every_epoch_is_reported()

    def remove_folder(self, process):
        process.send_signal(signal.SIGSTOP)  # it would write into the folder meanwhile
        shutil.rmtree(self.disk / "run")
        process.send_signal(signal.SIGCONT)

    def test_without_its_folder_it_goes_on_and_uses_one_that_comes_back(self):
        process = self.train_on_disk()
        config = (self.disk / "run/config.yaml").read_text()
        self.remove_folder(process)
        self.wait_for_text("; the run continues, has no checkpoint, and will try again", process)
        self.wait_for_text("metrics.jsonl: No such file or directory", process)
        self.wait_for_more_reports(process)
        (self.disk / "run/checkpoints").mkdir(parents=True)
        for place in ("disk/run/checkpoints", "disk/run/metrics.jsonl"):
            self.wait_for_text(f"{place}: can be written again", process)
        self.stop(process)
        (self.disk / "run/config.yaml").write_text(config)
        done = json.loads((self.disk / "run/metrics.jsonl").read_text().splitlines()[-1])["epoch"]
        self.assertIn(f"resumed after epoch {done}", self.resume("disk/run", "--epochs", done + 3))

    def test_without_its_folder_it_ends_with_a_failure(self):
        process = self.train_on_disk()
        self.remove_folder(process)
        self.wait_for_text("; the run continues, has no checkpoint, and will try again", process)
        self.stop(process, code=1)
        self.assertIn(
            "there is none in disk/run: what the run learned is lost, unless the folder was copied elsewhere",
            self.output().splitlines()[-1],
        )


if __name__ == "__main__":
    commands.main()
