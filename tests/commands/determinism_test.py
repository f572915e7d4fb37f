"""The same config and seed give the same numbers, however the work is spread."""

import math

import commands

TASKS = ("cartpole", "acrobot", "pendulum")

# A layout changes how many rows a matrix product has at once, hence the last bits of a float; training
# then amplifies them, so that only the beginning can be compared.
LAYOUT_EPOCHS = 3
LAYOUT_TOLERANCE = 1e-4


class DeterminismTest(commands.CommandTest):
    def test_the_same_seed_gives_the_same_metrics_and_another_does_not(self):
        for task in TASKS:
            with self.subTest(task):
                self.train(f"{task}-a", "--seed", "5", task=task)
                self.train(f"{task}-b", "--seed", "5", task=task)
                self.train(f"{task}-c", "--seed", "6", task=task)
                self.assertEqual(len(self.metrics(f"{task}-a")), 12)
                self.assert_same_metrics(f"{task}-a", f"{task}-b")
                for one, other in zip(self.metrics(f"{task}-a"), self.metrics(f"{task}-c")):
                    self.assertNotEqual(one["train/value_loss"], other["train/value_loss"])

    def test_inline_and_threaded_runs_are_the_same(self):
        for task in TASKS:
            with self.subTest(task):
                self.train(f"{task}-inline", "--set", "scale.threads=1", task=task)
                self.train(f"{task}-threads", "--set", "scale.threads=2", task=task)
                self.train(f"{task}-more", "--set", "scale.threads=4", task=task)
                self.assert_same_metrics(f"{task}-inline", f"{task}-threads")
                self.assert_same_metrics(f"{task}-inline", f"{task}-more")

    def test_another_shard_layout_differs_by_rounding_alone(self):
        for task in TASKS:
            self.train(f"{task}-2", task=task)
            for envs_per_shard in (1, 3, 8):
                with self.subTest(task, envs_per_shard=envs_per_shard):
                    run = f"{task}-{envs_per_shard}"
                    self.train(run, "--set", f"scale.envs_per_shard={envs_per_shard}", task=task)
                    self.assert_close(self.metrics(f"{task}-2"), self.metrics(run))

    def test_the_value_coefficient_has_no_effect_where_the_dry_run_says_so(self):
        apart = ("--set", "ppo.policy_epochs=2", "--set", "ppo.value_epochs=3")
        together = ("--set", "ppo.policy_epochs=3", "--set", "ppo.value_epochs=3", "--set", "ppo.max_grad_norm=0.1")
        for epochs, says_none in ((apart, True), (together, False)):
            printed = self.succeeds(commands.TRAIN, "--config", "cartpole.yaml", "--dry-run", *epochs)
            self.assertEqual("ppo.value_coefficient has no effect" in printed, says_none)
            runs = [f"{says_none}-{coefficient}" for coefficient in (0.5, 2)]
            for run, coefficient in zip(runs, (0.5, 2)):
                self.train(run, *epochs, "--set", f"ppo.value_coefficient={coefficient}")
            one, other = ([epoch["train/value_loss"] for epoch in self.metrics(run)] for run in runs)
            self.assertEqual(one == other, says_none)

    def assert_close(self, ours, theirs):
        for left, right in zip(ours[:LAYOUT_EPOCHS], theirs[:LAYOUT_EPOCHS]):
            self.assertEqual(left.keys(), right.keys())
            for name in left.keys() - {
                "train/first_ratio_error",
                "batches/collected",
                "batches/trained",
            }:  # a shard's batch each
                one, other = left[name], right[name]
                if one is None or other is None:
                    self.assertEqual(one, other, name)
                    continue
                close = math.isclose(one, other, rel_tol=LAYOUT_TOLERANCE, abs_tol=LAYOUT_TOLERANCE)
                self.assertTrue(close, f"epoch {left['epoch']}: {name}: {one} against {other}")


if __name__ == "__main__":
    commands.main()
