"""Without --runner, a run joins the cluster that is named or running on this machine, and needs no Ray otherwise."""

import subprocess
import unittest

import training_on_ray
from training_on_ray import CONFIGS, PATIENCE_S, TRAIN


class RunnerChoiceTest(training_on_ray.TrainingTest):
    def train(self, run, *flags, **named):
        """What a run says that finds the clusters noted in self.folder, and those that `named` names."""
        environment = self.environment(RAY_TMPDIR=str(self.folder))
        del environment["RAY_ADDRESS"]
        done = subprocess.run(
            [TRAIN, "--run-dir", self.folder / run, *(flags or ("--config", CONFIGS / "smoke.yaml"))],
            cwd=self.folder,
            env={**environment, **named},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def note(self, address):
        file = self.folder / "ray" / "ray_current_cluster"
        file.parent.mkdir()
        file.write_text(address)

    def test_a_cluster_that_runs_here_is_joined(self):
        self.note(self.ray.address)
        said = self.train("run")
        self.assertIn(f"runner: ray, because a cluster runs at {self.ray.address}; --runner local trains in", said)
        self.assertIn(f"Ray at {self.ray.address}", said)

    def test_a_cluster_that_is_named_is_joined(self):
        said = self.train("run", RAY_ADDRESS=self.ray.address)
        self.assertIn(f"runner: ray, because RAY_ADDRESS is {self.ray.address}; --runner local trains in", said)
        self.assertIn(f"Ray at {self.ray.address}", said)

    def test_without_one_the_run_is_local_and_resumes_so_beside_a_cluster(self):
        said = self.train("run")
        self.assertIn("runner: local, because no Ray cluster is named or running on this machine; --runner ray", said)
        self.assertNotIn("Ray at", said)
        self.note(self.ray.address)
        said = self.train("run", "--resume", "--epochs", "7")
        self.assertNotIn("Ray at", said)

    def test_a_cluster_that_has_ended_is_not_waited_for(self):
        self.note("127.0.0.1:1")
        said = self.train("run")
        self.assertIn("names 127.0.0.1:1, where nothing listens any more: ignored", said)
        self.assertIn("runner: local", said)

    def test_without_python_the_run_is_local(self):
        self.note(self.ray.address)
        self.assertIn("runner: local", self.train("run", DRAY_PYTHON="/no/python"))


if __name__ == "__main__":
    unittest.main()
