"""Actors as the engine starts and calls them."""

import ray_test
from ray_test import outcome


def calls_all_kinds(cluster):
    methods = {
        "env_shard": ["collect", "summary", "heartbeat", "save", "load"],
        "learner": ["update", "summary", "heartbeat", "publish", "export", "save", "load"],
        "evaluator": ["evaluate", "heartbeat"],
        "embedder": ["add", "update", "publish", "save", "load", "heartbeat"],
        "oracle": ["solve", "heartbeat"],
        "trial": ["train", "stop", "heartbeat"],
    }
    return {
        kind: [cluster.ask(actor, "called", method=name).decode() == f"{kind}.{name}" for name in names]
        for kind, names in methods.items()
        for actor in [cluster.start(f"{kind}-00", kind=kind)]
    }


def throws(cluster):
    actor = cluster.start("shard-00")
    return [
        outcome(lambda: cluster.ask(actor, "throw key scale.num_envs: must be > 0 (was: -1)")),
        outcome(lambda: cluster.ask(actor, "echo", b"still here")),
    ]


def cannot_be_made(cluster):
    actor = cluster.start("shard-00", settings=b"broken: no such environment: cartpol")
    return [outcome(lambda: cluster.ask(actor, "echo", b"x")) for _ in range(2)]


def is_late(cluster):
    actor = cluster.start("shard-00")
    cluster.ask(actor, "echo")
    return outcome(lambda: cluster.ask(actor, "wait 600", timeout_s=0.3))


def works_side_by_side(cluster):
    """A heartbeat is answered while a long call is under way."""
    actor = cluster.start("shard-00", concurrency=2)
    long = cluster.call(actor, "wait 600")
    beat = cluster.call(actor, "echo", b"alive", method="heartbeat")
    return [cluster.wait([long, beat]), cluster.fetch(beat).decode()]


def reserves(cluster):
    refused = outcome(lambda: cluster.reserve([(1, 0), (1000, 2)], "STRICT_PACK", timeout_s=2))
    cluster.reserve([(1, 0), (2, 0)])
    actor = cluster.start("learner", kind="learner", cpus=2, bundle=1)
    return [refused, cluster.ask(actor, "echo", b"placed", method="update").decode()]


def asks_oracles(cluster):
    for name in ("oracle-00", "oracle-01"):
        cluster.start(name, kind="oracle", concurrency=4)
    shard = cluster.start("shard-00", oracles=["oracle-00", "oracle-01"])
    return [
        outcome(lambda: cluster.ask(shard, "ask", b"variable RAY_JOB_ID")),
        outcome(lambda: cluster.ask(shard, "ask", b"throw the oracle's weights are missing")),
    ]


class ActorsTest(ray_test.RayTest):
    def test_every_method_of_every_kind_reaches_its_role(self):
        for kind, reached in self.drive(calls_all_kinds).items():
            self.assertTrue(all(reached), kind)

    def test_what_an_actor_throws_arrives_as_its_line_and_the_actor_goes_on(self):
        failed, after = self.drive(throws)
        self.assertEqual(failed, ["failed", "key scale.num_envs: must be > 0 (was: -1)"])
        self.assertEqual(after, ["ok", "still here"])

    def test_an_actor_that_cannot_be_made_says_why_in_every_call(self):
        line = ["failed", "broken: no such environment: cartpol"]
        self.assertEqual(self.drive(cannot_be_made), [line, line])

    def test_a_late_answer_is_a_failure_that_names_the_actor(self):
        self.assertEqual(self.drive(is_late), ["failed", "shard-00: collect did not answer within 0.3 s"])

    def test_a_heartbeat_does_not_wait_for_a_long_call(self):
        self.assertEqual(self.drive(works_side_by_side), [[0, 1], "alive"])

    def test_a_reservation_is_made_or_refused_in_one_line(self):
        refused, placed = self.drive(reserves)
        self.assertEqual(refused[0], "failed")
        self.assertIn("did not reserve 1001 CPUs and 2 GPUs (2 actors, STRICT_PACK) within 2 s", refused[1])
        self.assertEqual(placed, "placed")

    def test_a_shard_reaches_an_oracle_and_its_errors(self):
        answered, failed = self.drive(asks_oracles)
        self.assertEqual(answered[0], "ok")
        self.assertEqual(failed[0], "failed", failed)
        self.assertIn("the oracle's weights are missing", failed[1])


if __name__ == "__main__":
    ray_test.main()
