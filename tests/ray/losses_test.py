"""Actors that die."""

import os
import signal
import time

import ray_test
from ray_test import outcome


def dies(cluster, restarts, order):
    """A call to an actor that dies in it, and the first that is answered again."""
    actor = cluster.start("shard-00", max_restarts=int(restarts))
    first = outcome(lambda: cluster.ask(actor, order))
    return [first, until_answered(cluster, actor, "echo", b"back")]


def until_answered(cluster, actor, order, *arguments, method="collect"):
    """Calls made while Ray starts an actor again are lost, too."""
    deadline = time.monotonic() + ray_test.PATIENCE_S / 2
    while True:
        seen = outcome(lambda: cluster.ask(actor, order, *arguments, method=method))
        if seen[0] != "lost" or "dead" in seen[1] or time.monotonic() > deadline:
            return seen
        time.sleep(0.05)


def is_killed(cluster):
    """SIGKILL by somebody else, in the middle of a call."""
    actor = cluster.start("shard-00", concurrency=2)
    number = cluster.call(actor, "wait 600")
    os.kill(int(cluster.ask(actor, "process", method="heartbeat")), signal.SIGKILL)
    return outcome(lambda: cluster.fetch(number))


def kills(cluster, restart):
    actor = cluster.start("shard-00", max_restarts=1)
    cluster.ask(actor, "echo")
    cluster.kill(actor, restart=restart == "restart")
    return until_answered(cluster, actor, "echo", b"back")


def keeps_asking_oracles(cluster):
    """One of two oracles dies in a question; the question is asked again."""
    for name in ("oracle-00", "oracle-01"):
        cluster.start(name, kind="oracle", max_restarts=-1)
    shard = cluster.start("shard-00", oracles=["oracle-00", "oracle-01"])
    before = cluster.ask(shard, "ask", b"process").decode()
    os.kill(int(before), signal.SIGKILL)
    after = [cluster.ask(shard, "ask", b"process").decode() for _ in range(4)]
    return [before, after]


class LossesTest(ray_test.RayTest):
    def test_a_call_whose_actor_dies_is_lost(self):
        first, after = self.drive(dies, 0, "exit")
        self.assertEqual(first[0], "lost")
        self.assertTrue(first[1].startswith("shard-00: collect: "), first[1])
        self.assertEqual(after[0], "lost")

    def test_an_actor_with_restarts_comes_back(self):
        first, after = self.drive(dies, 1, "exit")
        self.assertEqual(first[0], "lost")
        self.assertEqual(after, ["ok", "back"])

    def test_a_call_under_way_when_its_process_is_killed_is_lost(self):
        self.assertEqual(self.drive(is_killed)[0], "lost")

    def test_a_kill_with_restart_brings_the_actor_back_and_without_ends_it(self):
        self.assertEqual(self.drive(kills, "restart"), ["ok", "back"])
        self.assertEqual(self.drive(kills, "for good")[0], "failed")  # the number is gone, too

    def test_a_lost_oracle_is_asked_again(self):
        before, after = self.drive(keeps_asking_oracles)
        self.assertNotIn(before, after)


if __name__ == "__main__":
    ray_test.main()
