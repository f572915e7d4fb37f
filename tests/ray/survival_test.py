"""Trainings on a real cluster outlive whatever process is killed, and count what was lost."""

import os
import signal
import subprocess
import sys
import unittest

import training_on_ray
from training_on_ray import EPOCHS, wait_until

FILL = """
import ray, numpy, sys
ray.init(address=sys.argv[1], log_to_driver=False)
held = [ray.put(numpy.ones(10_000_000, dtype=numpy.uint8)) for _ in range(int(sys.argv[2]))]
print("full", flush=True)
sys.stdin.read()
"""


class SurvivalTest(training_on_ray.TrainingTest):
    def test_a_shard_is_killed(self):
        training = self.start()
        training.wait_for_epoch(3)
        self.strike("shard-01")
        # A batch is lost unless the shard was resting.
        self.assert_whole(training, restarted=1, lost=(0, 1))
        self.assertIn("shard-01 was lost", training.output())

    def test_an_actor_with_two_shards_is_killed(self):
        training = self.start("--set", "ray.shards_per_actor=2")
        training.wait_for_epoch(3)
        self.strike("shard-00")
        self.assert_whole(training, restarted=1, lost=(0, 2))
        self.assertIn("shard-00 was lost", training.output())
        self.assertNotIn("shard-01", training.output())

    def test_the_learner_is_killed_and_loses_one_update_at_most(self):
        training = self.start("--set", "ray.learner_copy_share=1")
        training.wait_for_epoch(5)
        self.strike("learner")
        training.end()
        # Shards that were called with weights that died with the learner are called again.
        orphans = training.output().count("could not begin its rollout")
        last = self.assert_whole(training, restarted=1, lost=range(3 + orphans))
        self.assertNotRegex(training.output(), r"shard-\d+ was lost")
        self.assertRegex(training.output(), "The learner continues from the newest state kept")
        self.assertLessEqual(last["updates/undone"], 1)
        self.assertGreater(last["policy_version"], EPOCHS)  # what was restored was published anew

    def test_the_evaluator_is_killed_and_no_evaluation_is_missing(self):
        training = self.start()
        training.wait_for_epoch(3)
        self.strike("evaluator")
        self.assert_whole(training, restarted=1, lost=(0,))
        evaluated = [report["epoch"] for report in training.reports() if "eval/return_mean" in report]
        self.assertEqual(evaluated, list(range(2, EPOCHS + 1, 2)))

    def test_the_oracle_is_killed_while_shards_wait_for_it(self):
        training = self.start("--set", "env.dvrptw.oracle.placement=actor")
        training.wait_for_epoch(3)
        self.strike("oracle-00")
        self.assert_whole(training, restarted=1, lost=(0,))

    def test_the_side_learner_is_killed(self):
        training = self.start("--set", "ray.embedder=actor")
        training.wait_for_epoch(3)
        self.strike("embedder")
        self.assert_whole(training, restarted=1, lost=(0,))

    def test_a_shard_that_hangs_is_replaced_and_its_phase_is_told(self):
        for attempt in range(5):
            training = self.start("--set", "ray.hang_timeout_s=8", run=f"run{attempt}")
            training.wait_for_epoch(3)
            self.strike("shard-00", signal.SIGSTOP)
            # On a busy machine another may be taken for one that hangs.
            self.assertGreaterEqual(self.assert_whole(training)["actors/restarted"], 1)
            # Stopped between a result and its summary, it is noticed sooner and by that.
            if "shard-00 was lost (its result came without a summary)" not in training.output():
                break
        self.assertRegex(training.output(), "shard-00 was lost .it has not moved for 8 s, in phase '")

    def test_the_metrics_bridge_is_killed(self):
        training = self.start()
        training.wait_for_epoch(3)
        bridge = wait_until(self.bridge, "the metrics bridge")
        os.kill(bridge, signal.SIGKILL)
        self.assert_whole(training, restarted=0, lost=(0,))

    def bridge(self):
        found = [pid for pid, line in self.ray.processes().items() if "MetricsBridge" in line]
        return found[0] if found else None

    def test_the_driver_is_killed_and_resumed(self):
        training = self.start()
        training.wait_for_epoch(5)
        training.process.kill()
        training.end()
        resumed = self.start("--resume")  # while Ray still takes the dead driver's actors for alive
        self.assert_whole(resumed, restarted=0, lost=(0,))
        epochs = [report["epoch"] for report in resumed.reports()]
        self.assertEqual(epochs, list(range(1, EPOCHS + 1)))

    def test_shards_that_are_killed_while_others_run_ahead(self):
        training = self.start("--set", "ppo.max_policy_lag=2", "--num-workers", 2, "--set", "ray.shard_cpus=0.4")
        for epoch, shard in ((2, "shard-00"), (4, "shard-01"), (6, "shard-00.2")):
            training.wait_for_epoch(epoch)
            self.strike(shard)
        last = self.assert_whole(training, restarted=3)
        self.assertLessEqual(last["lag/max"], 2)

    def test_a_store_that_others_have_filled(self):
        filling = subprocess.Popen(
            [sys.executable, "-c", FILL, self.ray.address, "14"],
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(filling.communicate)
        self.assertEqual(filling.stdout.readline(), "full\n")
        self.assert_whole(self.start(), restarted=0, lost=(0,))


class TwoNodesTest(training_on_ray.TrainingTest):
    ray_options = {"cpus": 2, "object_store_mb": 150}

    def test_a_node_is_lost_and_the_other_takes_over(self):
        node = self.ray.join(cpus=2)
        training = self.start("--num-workers", 4, "--set", "ray.placement=spread", "--set", "ray.shard_cpus=0.4")
        training.wait_for_epoch(3)
        there = [
            name
            for name in ("shard-00", "shard-01", "shard-02", "shard-03", "learner", "evaluator")
            if node.hosts(self.actor(name))
        ]
        self.assertTrue(there, "nothing was placed on the second node")
        node.end()
        last = self.assert_whole(training)
        self.assertGreaterEqual(last["actors/restarted"], len(there), training.output())

    def test_a_node_that_joins_late_is_used_after_a_restart(self):
        training = self.start("--set", "scale.envs_per_shard=4")
        training.wait_for_epoch(4)
        training.process.send_signal(signal.SIGINT)
        self.assertEqual(training.end(), 128 + signal.SIGINT, training.output())
        self.assertIn("16 environments in 2 shards", training.output())
        self.ray.join(cpus=2)
        resumed = self.start("--set", "scale.envs_per_shard=4", "--resume")
        self.assert_whole(resumed)
        self.assertIn("16 environments in 4 shards", resumed.output())
        self.assertIn("begin new episodes", resumed.output())


if __name__ == "__main__":
    unittest.main()
