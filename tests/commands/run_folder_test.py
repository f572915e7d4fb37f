"""What a run leaves behind, read by the tools that people read it with."""

import math
import pathlib
import re
import shutil
import subprocess

import commands
import numpy as np
import torch
from tensorboard.backend.event_processing import event_accumulator

CARTPOLE_STEP = re.compile(r"cart at (\S+) m moving (\S+) m/s, pole at (\S+) degrees turning (\S+) rad/s")
PENDULUM_STEP = re.compile(r"pendulum at (\S+) degrees from upright, turning (\S+) rad/s")

PACKAGES = pathlib.Path("src/python").resolve()

# A policy that has learnt enough for its outputs to be far from zero.
LEARNT = ("--epochs", "30", "--learning-rate", "3e-3", "--set", "train.rollout_steps=64")


def forward(tensors, network, observation):
    """The networks of weights.pt in numpy."""
    values = np.asarray(observation, dtype=np.float32)
    if "observation.mean" in tensors:
        values = (values - tensors["observation.mean"]) * tensors["observation.scale"]
        values = np.clip(values, -tensors["observation.clip"], tensors["observation.clip"])
    layers = sum(re.fullmatch(rf"{network}\.\d+\.weight", name) is not None for name in tensors)
    for layer in range(layers):
        values = tensors[f"{network}.{layer}.weight"] @ values + tensors[f"{network}.{layer}.bias"]
        if layer + 1 < layers:
            values = np.tanh(values)
    return values


class RunFolderTest(commands.CommandTest):
    def tensors(self, run):
        loaded = torch.load(self.folder / run / "weights.pt", weights_only=True)
        self.assertIs(type(loaded), dict)
        return {name: tensor.numpy() for name, tensor in loaded.items()}

    def steps(self, run, pattern):
        """The numbers of every rendered step of one episode."""
        text = self.succeeds(commands.EVALUATE, "--run-dir", run, "--episodes", "1", "--render")
        return [[float(number) for number in found] for found in pattern.findall(text)]

    def test_it_holds_the_config_the_metrics_the_weights_and_the_checkpoints(self):
        self.train("run")
        names = {path.name for path in (self.folder / "run").iterdir()}
        events = {name for name in names if name.startswith("events.out.tfevents.")}
        self.assertEqual(len(events), 1)
        self.assertEqual(
            names - events, {".lock", "config.yaml", "metrics.jsonl", "weights.pt", "report.html", "checkpoints"}
        )
        self.assertEqual(self.checkpoints("run"), ["best.ckpt", "epoch_00000010.ckpt", "epoch_00000012.ckpt"])

    def test_a_checkpoint_of_updates_that_look_diverged_is_kept_only_where_the_run_shall_continue(self):
        unstable = (
            "ppo.learning_rate=1",
            "network.hidden=[512]",
            "ppo.clip_value_loss=false",
            "run.keep_checkpoints=10",
        )
        flags = [
            "--epochs",
            "5",
            "--save-interval",
            "1",
            *(word for setting in unstable for word in ("--set", setting)),
        ]
        for on_divergence in ("warn", "stop"):
            out = self.train(on_divergence, *flags, "--set", f"ppo.on_divergence={on_divergence}")
            self.assertIn("the policy's KL divergence from the one that acted is", out)
        saved = [f"epoch_0000000{epoch}.ckpt" for epoch in range(1, 6)]
        self.assertEqual(self.checkpoints("warn"), ["best.ckpt", *saved])
        self.assertEqual(self.checkpoints("stop"), ["best.ckpt", *saved[1:]])  # the first update is the one

    def test_a_program_without_bazels_files_makes_its_page_by_the_folder_python_beside_it(self):
        """As scripts/build_without_bazel.sh leaves it."""
        (self.folder / "build").mkdir()
        program = shutil.copy(commands.TRAIN, self.folder / "build/train")
        libraries = re.search(
            r"libdray\.so => (\S+)/libdray\.so", subprocess.check_output(["ldd", commands.TRAIN], text=True)
        )[1]
        command = [
            "env",
            "-u",
            "RUNFILES_DIR",
            f"LD_LIBRARY_PATH={libraries}",
            program,
            "--config",
            "cartpole.yaml",
            "--epochs",
            "1",
            "--run-dir",
        ]
        self.assertIn("no page was made", self.succeeds(*command, "without"))
        (self.folder / "build/python").symlink_to(PACKAGES)
        self.assertIn("with/report.html", self.succeeds(*command, "with"))
        self.assertTrue((self.folder / "with/report.html").is_file())

    def test_without_a_name_it_is_named_after_the_environment_and_the_time(self):
        for _ in range(2):  # twice within a second: another name
            self.succeeds(commands.TRAIN, "--config", "cartpole.yaml", "--epochs", "1")
        names = sorted(path.name for path in (self.folder / "runs").iterdir())
        self.assertEqual(len(names), 2)
        for name in names:
            self.assertRegex(name, r"^cartpole-\d{8}-\d{6}(-2)?$")

    def test_its_config_gives_the_same_config_again(self):
        for task in commands.TASKS:
            with self.subTest(task):
                self.train(task, "--epochs", "1", "--set", "ppo.gamma=0.97", task=task)
                version, _, dumped = (self.folder / task / "config.yaml").read_text().partition("\n")
                self.assertRegex(version, r"^# Dray \d+\.\d+")
                self.assertIn("gamma: 0.97", dumped)
                printed = self.succeeds(commands.TRAIN, "--config", f"{task}/config.yaml", "--dry-run")
                self.assertEqual(printed.split("\npreflight\n")[0], dumped)

    def test_a_run_of_its_config_is_the_same_run(self):
        self.train("one", "--epochs", "3")
        self.succeeds(commands.TRAIN, "--config", "one/config.yaml", "--run-dir", "two")
        self.assert_same_metrics("one", "two")

    def test_there_is_a_report_every_log_interval_and_at_the_end(self):
        self.train("run", "--log-interval", "5", "--set", "evaluation.interval=0")
        self.assertEqual([report["epoch"] for report in self.metrics("run")], [5, 10, 12])

    def test_reports_and_evaluations_can_follow_the_clock(self):
        at_once = ("--set", "run.log_interval_s=1e-9", "--set", "evaluation.interval_s=1e-9")
        by_epochs = ("--log-interval", "0", "--set", "evaluation.interval=0")
        self.train("silent", "--epochs", "4", *by_epochs)
        self.assertEqual([report["epoch"] for report in self.metrics("silent")], [4])
        self.train("run", "--epochs", "4", *by_epochs, *at_once)
        reports = self.metrics("run")
        self.assertEqual([report["epoch"] for report in reports], [1, 2, 3, 4])
        self.assertEqual([report["eval/episodes"] for report in reports], [reports[-1]["eval/episodes"]] * 4)

    def test_tensorboard_reads_the_numbers_of_the_metrics(self):
        self.train("run", task="pendulum")
        accumulator = event_accumulator.EventAccumulator(str(self.folder / "run"))
        accumulator.Reload()
        expected = {}
        for report in self.all_metrics("run"):
            for name, value in report.items():
                number = math.nan if value is None else float(np.float32(value))
                tag = name if "/" in name else f"counters/{name}"
                expected.setdefault(tag, []).append((report["total_steps"], repr(number)))
        shown = {
            tag: [(event.step, repr(event.value)) for event in accumulator.Scalars(tag)]
            for tag in accumulator.Tags()["scalars"]
        }
        self.assertEqual(shown.keys(), expected.keys())
        for tag in shown:
            self.assertEqual(shown[tag], expected[tag], tag)
        self.assertIn("eval/return_mean", shown)

    def test_no_event_file_is_written_when_not_wanted(self):
        self.train("run", "--epochs", "1", "--set", "run.tensorboard=false")
        self.assertEqual(list((self.folder / "run").glob("events*")), [])

    def test_the_weights_in_numpy_choose_the_actions_of_the_evaluation(self):
        self.train("run", *LEARNT)
        tensors = self.tensors("run")
        steps = self.steps("run", CARTPOLE_STEP)
        decided = 0
        for now, after in zip(steps, steps[1:]):
            logits = forward(tensors, "actor", [now[0], now[1], math.radians(now[2]), now[3]])
            if abs(logits[1] - logits[0]) < 0.05:
                continue  # the printed state is rounded
            decided += 1
            self.assertEqual(int(np.argmax(logits)), int(after[1] > now[1]), now)
        self.assertGreater(decided, 10)

    def test_with_normalised_observations_they_give_the_torques_of_the_evaluation(self):
        self.train("run", *LEARNT, task="pendulum")
        tensors = self.tensors("run")
        self.assertEqual(forward(tensors, "critic", [1, 0, 0]).shape, (1,))
        self.assertEqual(tensors["actor.log_std"].shape, (1,))
        steps = self.steps("run", PENDULUM_STEP)
        compared = 0
        for now, after in zip(steps, steps[1:]):
            angle, turn = math.radians(now[0]), now[1]
            if abs(after[1]) == 8:
                continue  # at its top speed a torque does not show
            wanted = np.clip(forward(tensors, "actor", [math.cos(angle), math.sin(angle), turn])[0], -2, 2)
            # Gymnasium's dynamics, solved for the torque.
            torque = ((after[1] - turn) / 0.05 - 15 * math.sin(angle)) / 3
            self.assertAlmostEqual(torque, wanted, delta=0.03)
            compared += 1
        self.assertGreater(compared, 10)

    def test_without_normalisation_the_weights_hold_the_networks_alone(self):
        self.train("run", "--epochs", "1")
        shapes = {name: tensor.shape for name, tensor in self.tensors("run").items()}
        expected = {}
        for network, outputs in (("actor", 2), ("critic", 1)):
            for layer, (rows, columns) in enumerate(((16, 4), (16, 16), (outputs, 16))):
                expected[f"{network}.{layer}.weight"] = (rows, columns)
                expected[f"{network}.{layer}.bias"] = (rows,)
        self.assertEqual(shapes, expected)

    def test_the_last_checkpoints_the_best_and_the_milestones_are_kept(self):
        keep = ("--set", "run.keep_checkpoints=2", "--set", "run.milestone_interval=8", "--save-interval", "2")
        self.train("run", "--epochs", "23", *keep)
        self.assertEqual(
            self.checkpoints("run"),
            ["best.ckpt"] + [f"epoch_000000{epoch:02}.ckpt" for epoch in (8, 16, 22, 23)],
        )
        reports = [report for report in self.metrics("run") if "eval/return_mean" in report]
        self.assertEqual([report["epoch"] for report in reports], [4, 8, 12, 16, 20, 23])
        best = max(reports, key=lambda report: report["eval/return_mean"])
        found = self.evaluate("--checkpoint", "run/checkpoints/best.ckpt")
        self.assertEqual(found["epoch"], best["epoch"])
        self.assertEqual(found["return_mean"], best["eval/return_mean"])


if __name__ == "__main__":
    commands.main()
