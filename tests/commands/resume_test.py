"""A run that is stopped or killed and then resumed is the run that never was."""

import random
import shutil
import signal
import struct
import subprocess

import commands
import torch
from tensorboard.backend.event_processing import event_accumulator

# Long enough to be stopped on the way by the quickest machine.
EPOCHS = 600
LONG = ("--epochs", EPOCHS, "--set", "evaluation.interval=10", "--save-interval", "20")
OFTEN = ("--set", "run.recovery_interval_s=0.1", "--save-interval", "2")


class ResumeTest(commands.CommandTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random()  # stops anywhere: any moment must do

    def start_and_stop(self, run, *flags, number, task="cartpole"):
        """A run that a signal ends on its way; one that ended before the signal arrived is begun anew."""
        while True:
            process = self.start(run, *flags, task=task)
            epoch = self.random.randrange(1, EPOCHS // 2)
            self.wait_until(lambda: process.poll() is not None or self.epochs(run) >= epoch)
            process.send_signal(number)
            if process.wait(commands.PATIENCE_S) != 0:
                break
            shutil.rmtree(self.folder / run)
        self.assertEqual(process.returncode, 128 + number, self.output(run))
        done = self.metrics(run)[-1]["epoch"]
        self.assertLess(done, EPOCHS)
        self.assertIn(
            f"Stopped after {done} epochs; continue with: bazel run //:train -- --resume {run}\n", self.output(run)
        )

    def assert_same_run(self, one, other):
        self.assert_same_metrics(one, other)
        ours, theirs = (torch.load(self.folder / run / "weights.pt", weights_only=True) for run in (one, other))
        self.assertEqual(ours.keys(), theirs.keys())
        for name in ours:
            self.assertTrue(torch.equal(ours[name], theirs[name]), name)

    def test_stopped_by_a_signal(self):
        memory = ("--set", "network.kind=gru", "--set", "network.memory=8")
        for task, number, flags in (
            ("cartpole", signal.SIGINT, memory),
            ("acrobot", signal.SIGTERM, ()),
            ("pendulum", signal.SIGHUP, ()),
        ):
            with self.subTest(task, signal=number.name):
                self.train(f"{task}-whole", *LONG, *flags, task=task)
                self.start_and_stop(f"{task}-stopped", *LONG, *flags, number=number, task=task)
                self.assertIn("resumed after epoch", self.resume(f"{task}-stopped"))
                self.assert_same_run(f"{task}-whole", f"{task}-stopped")

    def test_stopped_by_a_signal_again_and_again_inline_and_threaded_in_turn(self):
        self.train("whole", *LONG, task="pendulum")
        process = self.start("stopped", *LONG, "--set", "scale.threads=1", task="pendulum")
        for epoch in (60, 120, 180):
            self.wait_until(lambda: process.poll() is not None or self.epochs("stopped") >= epoch)
            process.send_signal(signal.SIGTERM)
            self.assertIn(process.wait(commands.PATIENCE_S), (0, 128 + signal.SIGTERM), self.output("stopped"))
            process = self.start_command(
                "stopped", commands.TRAIN, "--resume", "stopped", "--set", f"scale.threads={1 + epoch % 120 // 60}"
            )
        self.assertEqual(process.wait(commands.PATIENCE_S), 0)
        self.assert_same_run("whole", "stopped")

    def test_stopped_by_the_clock(self):
        self.train("whole", *LONG)
        printed = self.train("stopped", *LONG, "--duration", "0.001s")
        self.assertTrue("Time is up: stopping after this epoch" in printed, printed[-500:])
        self.assertLess(self.metrics("stopped")[-1]["epoch"], EPOCHS)
        self.resume("stopped", "--duration", "0s")
        self.assert_same_run("whole", "stopped")

    def test_a_duration_of_a_resumed_run_is_for_that_time_only(self):
        self.train("whole", *LONG)
        self.start_and_stop("stopped", *LONG, number=signal.SIGINT)
        config = (self.folder / "stopped/config.yaml").read_bytes()
        self.assertIn("Time is up: stopping after this epoch", self.resume("stopped", "--duration", "0.001s"))
        self.assertEqual((self.folder / "stopped/config.yaml").read_bytes(), config)
        self.assertNotIn("Time is up", self.resume("stopped"))
        self.assert_same_run("whole", "stopped")

    def test_a_run_by_the_clock_is_resumed_for_more_time(self):
        unlimited = [part for key in ("epochs", "episodes", "total_steps") for part in ("--set", f"train.{key}=0")]
        self.train("run", *unlimited, "--set", "train.duration_s=0.2")
        config = (self.folder / "run/config.yaml").read_bytes()
        done = self.metrics("run")[-1]["epoch"]
        printed = self.resume("run")
        self.assertIn(f"Nothing to do: this run is finished, after {done} epoch", printed)
        self.assertIn("--duration 5m trains for 5 more minutes", printed)
        self.assertIn("Finished after", self.resume("run", "--duration", "0.2s"))
        self.assertGreater(self.metrics("run")[-1]["epoch"], done)
        self.assertEqual((self.folder / "run/config.yaml").read_bytes(), config)

    def test_an_evaluation_is_not_lost_between_two_reports(self):
        flags = (*LONG, "--log-interval", "4", "--set", "evaluation.interval=3")
        self.train("whole", *flags)
        self.train("stopped", *flags, "--duration", "0.1s")
        for _ in range(5):
            self.resume("stopped", "--duration", "0.05s")
        self.resume("stopped", "--duration", "0s")
        self.assert_same_run("whole", "stopped")

    def test_killed_and_resumed_until_it_is_done(self):
        self.train("whole", *LONG, *OFTEN)
        process = self.start("killed", *LONG, *OFTEN)
        for part in (0.2, 0.4, 0.6, 0.8):
            epoch = int(part * EPOCHS) + self.random.randrange(10)
            self.wait_until(lambda: process.poll() is not None or self.epochs("killed") >= epoch)
            process.kill()
            process.wait()
            process = self.start_command("killed", commands.TRAIN, "--resume", "killed")
        self.assertEqual(process.wait(commands.PATIENCE_S), 0, self.output("killed"))
        self.assert_same_run("whole", "killed")
        self.assert_tensorboard_shows("killed")

    def assert_tensorboard_shows(self, run):
        accumulator = event_accumulator.EventAccumulator(str(self.folder / run))
        accumulator.Reload()
        shown = [(event.step, event.value) for event in accumulator.Scalars("counters/epoch")]
        self.assertEqual(shown, [(report["total_steps"], report["epoch"]) for report in self.metrics(run)])

    def test_killed_before_the_first_checkpoint_it_starts_at_the_beginning(self):
        flags = ("--epochs", EPOCHS, "--save-interval", "0", "--set", "run.recovery_interval_s=0")
        flags += ("--set", "evaluation.interval=0")
        self.train("whole", *flags)
        process = self.start("killed", *flags)
        self.wait_for_epoch("killed", 3, process)
        process.kill()
        process.wait()
        self.assertEqual(self.checkpoints("killed"), [])
        self.assertIn("No checkpoint yet in killed/checkpoints: starting at the beginning", self.resume("killed"))
        self.assert_same_run("whole", "killed")

    def test_a_second_signal_quits_at_once(self):
        for first, second in ((signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGTERM)):
            with self.subTest(f"{first.name}, {second.name}"):
                run = f"{first.name}-{second.name}"
                process = self.start(run, "--epochs", "1", "--set", "train.rollout_steps=1000000")
                self.wait_until((self.folder / run / "config.yaml").exists, process)
                self.assertTrue(catches(process, second))
                process.send_signal(first)
                self.wait_until(lambda: not catches(process, second), process)
                process.send_signal(second)
                self.assertEqual(process.wait(commands.PATIENCE_S), -second)
                self.assertEqual(self.checkpoints(run), [])

    def test_a_long_rollout_does_not_keep_sigterm_waiting(self):
        oracle = "oracle: {kind: ruin_recreate, rounds: 1000000}"  # minutes for each step
        self.write("slow.yaml", f"env: {{name: dvrptw, dvrptw: {{num_customers: 10, {oracle}}}}}" + commands.SHORT)
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                process = self.start(number.name, task="slow")
                self.wait_until((self.folder / number.name / "config.yaml").exists, process)
                self.interrupt(number.name, process, number)
                self.assertIn("--resume continues from the newest checkpoint", self.output(number.name))

    def test_a_hangup_that_nohup_ignores_is_ignored(self):
        process = self.start_command(
            "nohup", "nohup", commands.TRAIN, "--config", "cartpole.yaml", "--run-dir", "nohup", *LONG
        )
        self.wait_for_epoch("nohup", 1, process)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(commands.PATIENCE_S), 0)
        self.assertEqual(self.metrics("nohup")[-1]["epoch"], EPOCHS)

    def test_a_reader_that_goes_away_does_not_end_the_training(self):
        self.train("whole", *LONG)
        process = subprocess.Popen(
            [commands.TRAIN, "--config", "cartpole.yaml", "--run-dir", "unread", *map(str, LONG)],
            cwd=self.folder,
            env=commands.environment(),
            stdout=subprocess.PIPE,
            restore_signals=True,
        )
        self.addCleanup(process.kill)
        process.stdout.readline()
        process.stdout.close()
        self.assertEqual(process.wait(commands.PATIENCE_S), 0)
        self.assert_same_run("whole", "unread")

    def test_a_checkpoint_whose_counters_do_not_agree_is_refused(self):
        for name, damage in DAMAGES.items():
            with self.subTest(name):
                self.train(name, "--set", "run.keep_checkpoints=1")
                path = self.folder / name / "checkpoints/epoch_00000012.ckpt"
                path.write_bytes(with_counter(path.read_bytes(), *damage))
                refused = self.run_command(commands.TRAIN, "--resume", name, "--epochs", "20")
                self.assertEqual(refused.returncode, 1)
                self.assertRegex(
                    refused.stderr,
                    rf"^dray: no good checkpoint in {name}/checkpoints \({name}/checkpoints/epoch_00000012.ckpt is damaged: "
                    r"its counters do not agree: .*\): start a new run in another --run-dir\n$",
                )

    def test_an_older_checkpoint_takes_the_place_of_one_whose_counters_do_not_agree(self):
        self.train("whole")
        self.train("damaged")
        path = self.folder / "damaged/checkpoints/epoch_00000012.ckpt"
        path.write_bytes(with_counter(path.read_bytes(), *DAMAGES["version"]))
        self.assertIn("going on from the newest good checkpoint, epoch 10", self.resume("damaged"))
        self.assert_same_run("whole", "damaged")

    def test_a_finished_run_says_so(self):
        self.train("run")
        before = (self.folder / "run/metrics.jsonl").read_bytes()
        self.assertIn("this run is finished, after 12 epochs", self.resume("run"))
        self.assertEqual((self.folder / "run/metrics.jsonl").read_bytes(), before)

    def test_a_finished_run_goes_on_when_given_more_epochs(self):
        self.train("run")
        self.resume("run", "--epochs", "20")
        reports = self.metrics("run")
        self.assertEqual([report["epoch"] for report in reports], list(range(1, 21)))
        self.assertEqual(reports[-1]["total_steps"], 20 * 8 * 32)
        self.assertIn("finished, after 20 epochs", self.resume("run"))

    def test_asynchronous_training_ends_with_the_right_number_of_updates_and_resumes(self):
        flags = (*LONG, "--set", "ppo.max_policy_lag=2", "--set", "scale.threads=2")
        self.train("whole", *flags)
        self.assert_asynchronous("whole")
        self.start_and_stop("stopped", *flags, number=signal.SIGINT)
        self.resume("stopped")
        self.assert_asynchronous("stopped")

    def assert_asynchronous(self, run):
        reports = self.metrics(run)
        self.assertEqual([report["update"] for report in reports], list(range(1, EPOCHS + 1)))
        self.assertEqual(reports[-1]["epoch"], EPOCHS)
        self.assertEqual(reports[-1]["total_steps"], EPOCHS * 8 * 32)
        self.assertEqual(reports[-1]["progress"], 1)
        for report in reports:
            self.assertLessEqual(0, report["lag/min"])
            self.assertLessEqual(report["lag/min"], report["lag/mean"])
            self.assertLessEqual(report["lag/mean"], report["lag/max"])
            self.assertLessEqual(report["lag/max"], 2)
        self.assertGreater(max(report["lag/max"] for report in reports), 0, "shards never ran ahead")


# Of the loop's counters: which, and what it becomes.
DAMAGES = {"epochs": (0, -(1 << 40)), "updates": (1, 13), "version": (2, 1 << 40), "steps": (3, -1)}


def with_counter(checkpoint, which, value):
    """The checkpoint with another counter of the loop, its checksum right."""
    body = bytearray(checkpoint[20:])
    config_size = struct.unpack_from("<Q", body, 24)[0]
    struct.pack_into("<q", body, 24 + 8 + config_size + 8 + 8 * which, value)
    return checkpoint[:16] + struct.pack("<I", crc32c(body)) + bytes(body)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def catches(process, number):
    """Whether the process has a handler for this signal."""
    with open(f"/proc/{process.pid}/status") as status:
        mask = next(int(line.split()[1], 16) for line in status if line.startswith("SigCgt"))
    return bool(mask >> (number - 1) & 1)


if __name__ == "__main__":
    commands.main()
