"""Red agents that learn, from the command line: both sides of cage2, each trained against the other."""

import unittest

import commands

TINY = """
train: {epochs: 3}
scale: {num_envs: 4, envs_per_shard: 2}
ppo: {minibatch_size: 64}
network: {hidden: [8]}
evaluation: {episodes: 3}
run: {runner: local, device: cpu, save_interval: 1}
"""


class LearnedRedTest(commands.CommandTest):
    def setUp(self):
        super().setUp()
        self.write("blue.yaml", "env: {name: cage2, cage2: {max_steps: 20, interface: reduced}}" + TINY)
        self.write("red.yaml", "env: {name: cage2_red, cage2_red: {max_steps: 20}}" + TINY)

    def fails(self, *command, says):
        result = self.run_command(*command)
        self.assertEqual(result.returncode, 2, result.stdout[-500:])
        for text in says:
            self.assertIn(text, result.stderr)

    def test_both_sides_learn_in_turn_and_need_no_folder_later(self):
        self.train("blue0", task="blue")
        self.train("red1", "--set", "env.cage2_red.blue=blue0", task="red")
        mixture = ("--set", 'env.cage2.red="0.5 bline, 0.5 learned"', "--set", "env.cage2.red_policy=red1")
        self.train("blue1", *mixture, task="blue")
        against_red = self.evaluate("--run-dir", "blue0", "--red", "learned", "--red-policy", "red1", "--episodes", "5")
        self.assertEqual((against_red["env"], against_red["episodes"]), ("cage2", 5))
        before = [self.evaluate("--run-dir", run, "--episodes", "5") for run in ("red1", "blue1")]
        whole = {run: self.metrics(run) for run in ("red1", "blue1")}
        (self.folder / "blue0").rename(self.folder / "elsewhere")
        (self.folder / "red1").rename(self.folder / "red")
        red = self.evaluate("--run-dir", "red", "--episodes", "5")
        self.assertEqual(red["return_mean"], before[0]["return_mean"])
        blue = self.evaluate("--run-dir", "blue1", "--episodes", "5")
        self.assertEqual(blue["return_mean"], before[1]["return_mean"])
        self.resume("blue1", "--set", "train.epochs=5")
        self.assertGreater(len(self.metrics("blue1")), len(whole["blue1"]))

    def test_a_resumed_run_goes_on_bit_for_bit(self):
        self.train("red", task="red")
        flags = (
            "--set",
            "env.cage2.red=learned",
            "--set",
            "env.cage2.red_policy=red",
            "--set",
            "ppo.learning_rate_schedule=constant",
        )
        self.train("whole", *flags, "--set", "train.epochs=6", task="blue")
        self.train("halves", *flags, task="blue")
        self.resume("halves", "--set", "train.epochs=6")
        weights = [self.evaluate("--run-dir", run, "--episodes", "20")["return_mean"] for run in ("whole", "halves")]
        self.assertEqual(*weights)

    def test_mistakes_are_named(self):
        red = (commands.TRAIN, "--config", "red.yaml", "--run-dir", "x", "--set")
        blue = (commands.TRAIN, "--config", "blue.yaml", "--run-dir", "x", "--set", "env.cage2.red=learned", "--set")
        self.fails(
            *red,
            "env.cage2_red.blue=slep",
            says=("env.cage2_red.blue: ", "slep: no such folder", "or one of sleep, random"),
        )
        self.fails(*blue, "env.cage2.red_policy=nowhere", says=("env.cage2.red_policy: ", "nowhere: no such folder"))
        self.fails(*blue, 'env.cage2.red_policy=""', says=("env.cage2.red_policy: names no policy",))
        (self.folder / "empty").mkdir()
        self.fails(*blue, "env.cage2.red_policy=empty", says=("there is no checkpoint in empty/checkpoints",))
        self.train("blue0", task="blue")
        self.fails(
            *blue, "env.cage2.red_policy=blue0", says=("is a policy for cage2, but one for cage2_red is needed",)
        )
        for checkpoint in (self.folder / "blue0/checkpoints").glob("*.ckpt"):
            checkpoint.write_bytes(checkpoint.read_bytes()[:100])
        result = self.run_command(*red, "env.cage2_red.blue=blue0")
        self.assertEqual(result.returncode, 1)
        self.assertIn("is truncated", result.stderr)


if __name__ == "__main__":
    unittest.main()
