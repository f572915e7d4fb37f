"""//:evaluate: what it prints, and that it agrees with the evaluation during training."""

import json
import math
import re

import commands

# The 97.5 % quantile of Student's t with 9 degrees of freedom.
T_OF_TEN = 2.262157


class EvaluateTest(commands.CommandTest):
    def returns(self, *flags):
        """The return and length of each episode, from the rendering."""
        text = self.succeeds(commands.EVALUATE, "--render", *flags)
        found = re.findall(r"^Return (\S+) in (\d+) steps$", text, re.MULTILINE)
        return [float(total) for total, _ in found], [int(length) for _, length in found], text

    def test_mean_deviation_and_interval_are_those_of_the_episodes(self):
        self.train("run", "--epochs", "4")
        totals, lengths, _ = self.returns("--run-dir", "run", "--episodes", "10")
        report = self.evaluate("--run-dir", "run", "--episodes", "10")
        mean = sum(totals) / 10
        std = math.sqrt(sum((total - mean) ** 2 for total in totals) / 9)
        self.assertGreater(std, 0)
        self.assertAlmostEqual(report["return_mean"], mean, places=6)
        self.assertAlmostEqual(report["return_std"], std, places=6)
        self.assertAlmostEqual(report["return_ci95"], T_OF_TEN * std / math.sqrt(10), delta=2e-3 * std)
        self.assertAlmostEqual(report["length_mean"], sum(lengths) / 10)
        self.assertEqual(
            (report["env"], report["episodes"], report["epoch"], report["policy_version"]), ("cartpole", 10, 4, 4)
        )
        self.assertEqual(report["checkpoint"], "run/checkpoints/epoch_00000004.ckpt")

    def test_text_and_json_say_the_same(self):
        self.train("run", "--epochs", "4")
        report = self.evaluate("--run-dir", "run")
        text = self.succeeds(commands.EVALUATE, "--run-dir", "run")
        self.assertEqual(
            text,
            "cartpole, epoch 4 of run/checkpoints/epoch_00000004.ckpt, deterministic policy\n"
            f"  return   {report['return_mean']:.2f} ± {report['return_ci95']:.2f} (95 % interval of the mean), "
            f"std {report['return_std']:.2f}\n"
            f"  length   {report['length_mean']:.1f} steps\n"
            "  episodes 3, seed 1000003\n",
        )

    def test_out_has_what_json_prints_and_every_episode(self):
        self.train("run", "--epochs", "4")
        totals, lengths, _ = self.returns("--run-dir", "run", "--episodes", "10")
        result = self.run_command(
            commands.EVALUATE, "--run-dir", "run", "--episodes", "10", "--json", "--out", "new/folder"
        )
        self.assertEqual((result.returncode, result.stderr), (0, "written new/folder/evaluation.json\n"))
        written = json.loads((self.folder / "new/folder/evaluation.json").read_text())
        episodes = written.pop("by_episode")
        self.assertEqual(written, json.loads(result.stdout))
        self.assertEqual([episode["episode"] for episode in episodes], list(range(1, 11)))
        self.assertEqual([episode["length"] for episode in episodes], lengths)
        self.assertEqual([episode["return"] for episode in episodes], totals)

    def test_a_folder_that_cannot_be_written_is_refused_before_anything_is_played(self):
        self.train("run", "--epochs", "1")
        (self.folder / "file").write_text("")
        result = self.run_command(commands.EVALUATE, "--run-dir", "run", "--render", "--out", "file/folder")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, r"^dray: .*file/folder.*--out.*\n$")

    def test_one_episode_has_no_interval(self):
        self.train("run", "--epochs", "1")
        report = self.evaluate("--run-dir", "run", "--episodes", "1")
        self.assertIsNone(report["return_ci95"])
        self.assertEqual(report["return_std"], 0)
        text = self.succeeds(commands.EVALUATE, "--run-dir", "run", "--episodes", "1")
        self.assertIn("(one episode: no interval)", text)
        self.assertNotIn("nan", text)

    def test_the_same_seed_gives_the_same_numbers_and_another_does_not(self):
        self.train("run", "--epochs", "1", task="pendulum")
        one = self.evaluate("--run-dir", "run", "--seed", "7")
        self.assertEqual(self.evaluate("--run-dir", "run", "--seed", "7"), one)
        other = self.evaluate("--run-dir", "run", "--seed", "8")
        self.assertEqual((one["seed"], other["seed"]), (7, 8))
        self.assertNotEqual(other["return_mean"], one["return_mean"])

    def test_more_episodes_begin_with_the_same_ones(self):
        self.train("run", "--epochs", "1")
        few, _, _ = self.returns("--run-dir", "run", "--episodes", "2")
        more, _, _ = self.returns("--run-dir", "run", "--episodes", "4")
        self.assertEqual(more[:2], few)

    def test_render_draws_every_step_of_every_episode(self):
        self.train("run", "--epochs", "1")
        _, lengths, text = self.returns("--run-dir", "run", "--episodes", "2")
        self.assertEqual(re.findall(r"^Episode \d$", text, re.MULTILINE), ["Episode 1", "Episode 2"])
        drawn = [int(step) for step in re.findall(r"^step (\d+): cart at", text, re.MULTILINE)]
        self.assertEqual(drawn, [step for length in lengths for step in range(length)])

    def test_it_equals_the_evaluation_during_training(self):
        for task in commands.TASKS:
            with self.subTest(task):
                self.train(task, "--save-interval", "4", "--set", "run.keep_checkpoints=9", task=task)
                reports = {report["epoch"]: report for report in self.metrics(task)}
                for epoch in (4, 8, 12):
                    found = self.evaluate("--checkpoint", f"{task}/checkpoints/epoch_{epoch:08}.ckpt")
                    for name in ("return_mean", "return_std", "return_ci95", "length_mean", "episodes"):
                        self.assertEqual(found[name], reports[epoch][f"eval/{name}"], f"epoch {epoch}, {name}")

    def test_a_setting_of_the_environment_can_be_changed(self):
        self.train("run", "--epochs", "1", task="pendulum")
        self.assertEqual(self.evaluate("--run-dir", "run")["length_mean"], 40)
        self.assertEqual(self.evaluate("--run-dir", "run", "--set", "env.pendulum.max_steps=60")["length_mean"], 60)

    def test_evaluating_changes_nothing_in_the_run_folder(self):
        self.train("run", "--epochs", "1")
        before = {path: path.read_bytes() for path in (self.folder / "run").rglob("*") if path.is_file()}
        self.evaluate("--run-dir", "run")
        after = {path: path.read_bytes() for path in (self.folder / "run").rglob("*") if path.is_file()}
        self.assertEqual(before, after)


if __name__ == "__main__":
    commands.main()
