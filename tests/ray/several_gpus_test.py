"""A cluster with several GPUs, as Ray counts them: one for the learner, and an oracle actor on each of the others."""

import subprocess
import sys
import unittest

import training_on_ray


class SeveralGpusTest(training_on_ray.TrainingTest):
    ray_options = {"cpus": 4, "object_store_mb": 150, "gpus": 3}

    def status(self):
        command = [sys.executable, "-m", "ray.scripts.scripts", "status", "--address", self.ray.address]
        return subprocess.run(command, env=self.environment(), capture_output=True, text=True).stdout

    def test_every_gpu_that_the_learner_leaves_has_an_oracle(self):
        training = self.start("--set", "env.dvrptw.oracle.placement=actor", "--set", "ray.shards_per_actor=0")
        for name in ("oracle-00", "oracle-01", "learner"):
            self.actor(name)
        self.assertIsNone(self.ray.actor("oracle-02"))
        training_on_ray.wait_until(lambda: "3.0/3.0 GPU" in self.status(), "a GPU for each of the three")
        last = self.assert_whole(training, restarted=0, lost=(0,))
        self.assertGreater(last["rollout/stat/oracle_problems"], 0)
        self.assertIn("actors: 2", (self.folder / "run/config.yaml").read_text())


if __name__ == "__main__":
    unittest.main()
