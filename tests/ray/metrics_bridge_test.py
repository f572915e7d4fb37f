"""A run's metrics at the Prometheus endpoint of a real cluster."""

import math
import os
import pathlib
import re
import signal
import sys
import unittest
import urllib.request

import cluster
import ray

PACKAGES = pathlib.Path(sys.argv.pop(1)).resolve().parents[1]
sys.path.insert(0, str(PACKAGES))

from dray import metrics_bridge  # noqa: E402

SAMPLE = re.compile(r"(\w+)\{(.*)\} (\S+)")
TAG = re.compile(r'(\w+)="([^"]*)"')


def setUpModule():
    global CLUSTER
    CLUSTER = cluster.Cluster()
    unittest.addModuleCleanup(CLUSTER.end)
    # As a C++ driver does it: workers import the package from its folder.
    job = ray.job_config.JobConfig(code_search_path=[str(PACKAGES)])
    ray.init(CLUSTER.address, namespace="dray", job_config=job, log_to_driver=False, logging_level="error")
    unittest.addModuleCleanup(ray.shutdown)


def endpoint():
    url = f"http://127.0.0.1:{CLUSTER.metrics_port}/metrics"
    return urllib.request.urlopen(url, timeout=cluster.PATIENCE_S).read().decode()


def samples(run):
    """What the endpoint says of a run now: {(name, index or None): (value, tags)}."""
    found = {}
    for name, text, value in SAMPLE.findall(endpoint()):
        tags = dict(TAG.findall(text))
        if tags.get("run") == run:
            index = tags.get("actor") or tags.get("stat")
            found[name, index] = float(value), tags
    return found


def values(run):
    return {key: value for key, (value, _) in samples(run).items()}


class MetricsBridgeTest(unittest.TestCase):
    def bridge(self, run, **options):
        actor = ray.remote(metrics_bridge.MetricsBridge).options(num_cpus=0, **options).remote(run, "cartpole")
        self.addCleanup(ray.kill, actor)
        return actor

    def record(self, bridge, epoch, numbers):
        return ray.get(bridge.record.remote(epoch, list(numbers), list(numbers.values())))

    def wait_for(self, run, expected):
        """Until the endpoint shows exactly these numbers of the run."""
        cluster.wait_until(lambda: values(run) == expected, f"{expected} of {run} at the endpoint")

    def test_numbers_appear_with_the_tags_of_the_run(self):
        bridge = self.bridge("tags")
        self.assertEqual(self.record(bridge, 7, {"train/policy_loss": -0.25, "lag/max": 2.0}), 2)
        self.wait_for(
            "tags",
            {
                ("ray_dray_epoch", None): 7,
                ("ray_dray_train_policy_loss", None): -0.25,
                ("ray_dray_lag_max", None): 2,
            },
        )
        for _, tags in samples("tags").values():
            self.assertEqual(tags["environment"], "cartpole")
        about = (
            "# HELP ray_dray_lag_max Largest age of the policy behind a batch of this update (updates)",
            "# TYPE ray_dray_lag_max gauge",
        )
        cluster.wait_until(lambda: set(about) <= set(endpoint().splitlines()), f"{about} at the endpoint")

    def test_an_index_is_a_tag(self):
        numbers = {"actor/shard-0/busy_s": 1.5, "actor/shard-1/busy_s": 2.5, "episode/stat/served": 9.0}
        self.record(self.bridge("index"), 1, numbers)
        self.wait_for(
            "index",
            {
                ("ray_dray_epoch", None): 1,
                ("ray_dray_actor_busy_s", "shard-0"): 1.5,
                ("ray_dray_actor_busy_s", "shard-1"): 2.5,
                ("ray_dray_episode_stat", "served"): 9,
            },
        )

    def test_a_second_number_replaces_the_first_and_an_absent_one_stays(self):
        bridge = self.bridge("second")
        self.record(bridge, 1, {"train/entropy": 0.5, "eval/return_mean": 100.0})
        self.wait_for(
            "second",
            {
                ("ray_dray_epoch", None): 1,
                ("ray_dray_train_entropy", None): 0.5,
                ("ray_dray_eval_return_mean", None): 100,
            },
        )
        self.record(bridge, 2, {"train/entropy": 0.25})
        self.wait_for(
            "second",
            {
                ("ray_dray_epoch", None): 2,
                ("ray_dray_train_entropy", None): 0.25,
                ("ray_dray_eval_return_mean", None): 100,
            },
        )

    def test_a_number_stays_while_no_report_comes(self):
        # Ray forgets a gauge after two exports without it; other numbers recorded ten times show that more have passed.
        quiet, busy = self.bridge("quiet"), self.bridge("busy")
        self.record(quiet, 1, {})
        for epoch in range(1, 11):
            self.record(busy, epoch, {})
            self.wait_for("busy", {("ray_dray_epoch", None): epoch})
        self.wait_for("quiet", {("ray_dray_epoch", None): 1})  # one that Ray had forgotten would not come back

    def test_what_is_not_finite_is_left_out_and_taken_down(self):
        bridge = self.bridge("nan")
        self.record(bridge, 1, {"train/kl_k1": 0.1})
        self.wait_for("nan", {("ray_dray_epoch", None): 1, ("ray_dray_train_kl_k1", None): 0.1})
        numbers = {"train/kl_k1": math.nan, "train/kl_k3": math.inf, "train/entropy": -math.inf, "update": 4.0}
        self.assertEqual(self.record(bridge, 2, numbers), 1)
        self.wait_for("nan", {("ray_dray_epoch", None): 2, ("ray_dray_update", None): 4})

    def test_runs_do_not_mix(self):
        self.record(self.bridge("left"), 1, {"update": 10.0})
        self.record(self.bridge("right"), 2, {"update": 20.0})
        self.wait_for("left", {("ray_dray_epoch", None): 1, ("ray_dray_update", None): 10})
        self.wait_for("right", {("ray_dray_epoch", None): 2, ("ray_dray_update", None): 20})

    def test_a_retired_run_leaves_the_endpoint(self):
        bridge = self.bridge("retired")
        self.record(bridge, 1, {"update": 1.0})
        self.wait_for("retired", {("ray_dray_epoch", None): 1, ("ray_dray_update", None): 1})
        self.assertEqual(ray.get(bridge.retire.remote()), 2)
        self.wait_for("retired", {})
        self.assertEqual(ray.get(bridge.retire.remote()), 0)

    def kill(self, bridge):
        os.kill(ray.get(bridge.__ray_call__.remote(lambda _: os.getpid())), signal.SIGKILL)

    def test_a_killed_bridge_leaves_the_endpoint_and_a_new_one_goes_on(self):
        bridge = self.bridge("killed")
        self.record(bridge, 1, {"update": 1.0})
        self.wait_for("killed", {("ray_dray_epoch", None): 1, ("ray_dray_update", None): 1})
        self.kill(bridge)
        with self.assertRaises(ray.exceptions.ActorDiedError):
            self.record(bridge, 2, {"update": 2.0})
        self.wait_for("killed", {})
        self.record(self.bridge("killed"), 3, {"update": 3.0})
        self.wait_for("killed", {("ray_dray_epoch", None): 3, ("ray_dray_update", None): 3})

    def test_a_killed_bridge_that_ray_restarts_goes_on_with_the_next_report(self):
        bridge = self.bridge("restarted", name="metrics_bridge", max_restarts=-1)
        self.record(bridge, 1, {"update": 1.0, "eval/episodes": 5.0})
        self.wait_for(
            "restarted",
            {
                ("ray_dray_epoch", None): 1,
                ("ray_dray_update", None): 1,
                ("ray_dray_eval_episodes", None): 5,
            },
        )
        self.kill(bridge)

        def recorded():
            try:
                return self.record(bridge, 2, {"update": 2.0})
            except ray.exceptions.ActorUnavailableError:
                return 0  # not up again yet

        self.assertEqual(cluster.wait_until(recorded, "the bridge to be up again"), 1)
        self.wait_for("restarted", {("ray_dray_epoch", None): 2, ("ray_dray_update", None): 2})

    def test_names_without_their_numbers_are_refused(self):
        with self.assertRaisesRegex(ValueError, "metrics bridge: 1 names but 2 values in epoch 5"):
            ray.get(self.bridge("refused").record.remote(5, ["update"], [1.0, 2.0]))


if __name__ == "__main__":
    unittest.main()
