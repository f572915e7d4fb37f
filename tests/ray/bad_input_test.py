"""What is wrong with a cluster, or asked too much of it, is one line and exit code 1."""

import os
import re
import signal
import socket
import unittest

import training_on_ray


class BadInputTest(training_on_ray.TrainingTest):
    def fails(self, *arguments, says, **environment):
        training = self.start(*arguments, **environment)
        self.assertEqual(training.end(), 1, training.output())
        lines = [line for line in training.output().splitlines() if line]
        self.assertEqual(len(lines), 1, training.output())
        self.assertTrue(lines[0].startswith("dray: "), lines[0])
        for words in says:
            self.assertIn(words, lines[0])
        self.assertFalse(training.folder.exists(), "a run folder was made")

    def test_an_address_where_nobody_listens(self):
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            port = nobody.getsockname()[1]
        self.fails(RAY_ADDRESS=f"127.0.0.1:{port}", says=(f"127.0.0.1:{port}",))

    def test_an_address_that_is_none(self):
        self.fails(RAY_ADDRESS="nowhere", says=("nowhere",))

    def test_a_wrong_token(self):
        self.fails(RAY_AUTH_TOKEN="0123456789abcdef" * 4, says=("token",))

    def test_too_few_cpus_for_the_shards(self):
        self.fails(
            "--num-workers",
            "4",
            "--set",
            "ray.shard_cpus=1",
            says=("2 CPUs free of 2", "4 shards", "need 4", "--num-workers"),
        )

    def test_a_gpu_that_is_not_there(self):
        self.fails("--device", "cuda", says=("device cuda", "has no GPU"))

    def test_batches_that_the_store_cannot_hold(self):
        self.fails(
            *(
                "--config",
                training_on_ray.CONFIGS / "pendulum.yaml",
                "--set",
                "train.rollout_steps=20000",
                "--num-envs",
                "256",
            ),
            says=("object store", "--object-store-memory"),
        )

    def test_an_actor_library_that_is_not_there(self):
        self.fails(DRAY_ACTOR_LIBRARY="/nowhere/libdray_actors.so", says=("/nowhere/libdray_actors.so",))


class RayDiesTest(training_on_ray.TrainingTest):
    def test_a_ray_that_dies_during_the_run(self):
        training = self.start("--epochs", "1000")
        training.wait_for_epoch(3)
        os.kill(self.ray.process_of("raylet"), signal.SIGKILL)
        self.assertEqual(training.end(), 1, training.output())
        last = training.output().splitlines()[-1]
        told = re.fullmatch(r"dray: .* see (\S+)", last)
        self.assertIsNotNone(told, last)
        self.assertTrue(os.path.isfile(told[1]), last)
        self.assertNotIn("Stack", training.output())
        # What was learned is there to go on from.
        self.assertTrue(list((training.folder / "checkpoints").iterdir()))
        self.ray.end()
        again = self.start("--resume", run="run")
        self.assertEqual(again.end(), 1, again.output())
        self.assertEqual(len(again.output().splitlines()), 1, again.output())


if __name__ == "__main__":
    unittest.main()
