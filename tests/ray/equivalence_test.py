"""The Ray runner gives the same numbers as the local one."""

import json
import shutil
import subprocess
import unittest

import training_on_ray
from training_on_ray import CONFIGS, PATIENCE_S, TRAIN

# What may differ. A batch is a shard's rollout.
MACHINE = ("time/", "cpu/", "memory/", "actor/", "batches/collected", "batches/trained")


class EquivalenceTest(training_on_ray.TrainingTest):
    def numbers(self, reports):
        return [{k: v for k, v in report.items() if not k.startswith(MACHINE)} for report in reports]

    def both(self, config, *arguments):
        """The numbers of a local run and of one on Ray, with nothing left to what either measures at its start."""
        return self.local(config, *arguments), self.ray_run(config, *arguments)

    def local(self, config, *arguments):
        local = self.folder / "local"
        subprocess.run(
            [TRAIN, "--runner", "local", "--config", config, "--run-dir", local, "--device", "cpu", *arguments],
            cwd=self.folder,
            env=self.environment(),
            check=True,
            capture_output=True,
            timeout=PATIENCE_S,
        )
        return self.numbers(map(json.loads, (local / "metrics.jsonl").read_text().splitlines()))

    def ray_run(self, config, *arguments):
        training = self.start("--device", "cpu", *arguments, config=config)
        self.assertEqual(training.end(), 0, training.output())
        return self.numbers(training.reports())

    def test_the_smoke_config(self):
        local, ray = self.both(CONFIGS / "smoke.yaml", "--set", "scale.envs_per_shard=4")
        self.assertEqual(len(local), 6)
        self.assertEqual(ray, local)

    def test_with_the_oracle_and_the_side_learner_in_actors_of_their_own(self):
        local, ray = self.both(
            *(CONFIGS / "smoke.yaml", "--set", "scale.envs_per_shard=4"),
            *("--set", "env.dvrptw.oracle.placement=actor", "--set", "ray.embedder=actor"),
        )
        # How calls of the oracle are merged is the one thing that may differ.
        merged = ("rollout/stat/oracle_calls", "rollout/stat/oracle_batch")
        for reports in (local, ray):
            for report in reports:
                for name in merged:
                    report.pop(name)
        self.assertEqual(ray, local)

    def test_the_workflow_config_with_the_metrics_of_each_environment(self):
        sizes = ("env.cage2.max_steps=20", "network.hidden=[16]", "evaluation.episodes=4", "scale.envs_per_shard=5")
        # A goal that is reached at once: an early end is the same, too.
        goal = ("stat=compliance", "at_least=0", "min_episodes_per_env=6")
        settings = (*sizes, *(f"train.early_stop.{part}" for part in goal), "run.log_interval=1")
        flags = [part for setting in settings for part in ("--set", setting)]
        local, ray = self.both(CONFIGS / "cage2_workflow.yaml", *flags)
        self.assertEqual([report["epoch"] for report in local], list(range(1, 7)))
        self.assertIn("env/24/stat/compliance", local[-1])
        self.assertEqual(ray, local)

    def test_continuous_actions_with_normalised_observations_and_memory(self):
        config = self.folder / "pendulum.yaml"
        config.write_text(
            "env: {name: pendulum}\ntrain: {epochs: 5, rollout_steps: 64}\nscale: {num_envs: 6, envs_per_shard: 3}\n"
            "normalize: {observations: true, rewards: true}\nnetwork: {kind: gru, hidden: [16]}\n"
        )
        local, ray = self.both(config)
        self.assertEqual(ray, local)

    def test_environments_in_python(self):
        config = self.folder / "python.yaml"
        config.write_text(
            "env: {name: 'gym:CartPole-v1'}\ntrain: {epochs: 3, rollout_steps: 32}\n"
            "scale: {num_envs: 6, envs_per_shard: 3}\nevaluation: {episodes: 2}\n"
        )
        local, ray = self.both(config)
        self.assertGreater(local[-1]["episode/return_mean"], 5)
        self.assertEqual(ray, local)

    def test_modules_of_an_environment_reach_machines_that_lack_them(self):
        source = self.folder / "source"
        source.mkdir()
        (source / "made.py").write_text("import gymnasium\n\n\ndef make():\n    return gymnasium.make('CartPole-v1')\n")
        config = self.folder / "made.yaml"
        config.write_text(
            f"env: {{name: 'made:make', python: {{folder: {source}}}}}\ntrain: {{epochs: 3, rollout_steps: 32}}\n"
            "scale: {num_envs: 6, envs_per_shard: 3}\nevaluation: {episodes: 2}\n"
        )
        local = self.local(config)
        shutil.rmtree(source)
        # The settings of a run hold what its environment needs.
        ray = self.ray_run(self.folder / "local" / "config.yaml")
        self.assertEqual(ray, local)


if __name__ == "__main__":
    unittest.main()
