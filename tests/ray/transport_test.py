"""Bytes that cross Ray between real actors."""

import subprocess
import sys
import textwrap

import ray_test


def sends_sizes(cluster):
    actor = cluster.start("shard-00")
    sent = {
        str(size): bytes(i * 7 % 251 for i in range(1009)) * (size // 1009 + 1) for size in (0, 1, 15, 5000, 3000000)
    }
    return {size: cluster.ask(actor, "echo", whole[: int(size)]) == whole[: int(size)] for size, whole in sent.items()}


def passes_on(cluster):
    """A batch from one actor to another, never through the driver."""
    shard, learner = cluster.start("shard-00"), cluster.start("learner", kind="learner")
    batch, other = cluster.call(shard, "make 9000000"), cluster.put(b"\2" * 800000)
    return cluster.ask(learner, "sum", batch, other, method="update").decode()


def moves_many(cluster, rounds):
    """Resident memory of the workers and objects held, at a quarter and at the end."""
    shard, learner = cluster.start("shard-00"), cluster.start("learner", kind="learner")
    memory = []
    for done in range(int(rounds)):
        batch = cluster.call(shard, "make 9000000")
        cluster.ask(learner, "sum", batch, method="update")
        cluster.release(batch)
        if done in (int(rounds) // 4, int(rounds) - 1):
            workers = ((shard, "collect"), (learner, "update"))
            memory.append([int(cluster.ask(actor, "memory", method=method)) for actor, method in workers])
    return memory


class TransportTest(ray_test.RayTest):
    ray_options = {"object_store_mb": 200}

    def test_bytes_of_any_size_come_back_as_they_were(self):
        self.assertEqual(set(self.drive(sends_sizes).values()), {True})

    def test_a_batch_goes_from_actor_to_actor(self):
        ones, twos = 9000000 // 8 * 0x0101010101010101, 800000 // 8 * 0x0202020202020202
        self.assertEqual(int(self.drive(passes_on)), (ones + twos) % 2**64)

    def test_objects_are_released_and_memory_stays_flat(self):
        # 4.5 GB through a store of 200 MB: it would be full if anything were kept.
        for early, late in zip(*self.drive(moves_many, 500)):
            self.assertLess(late, early + 20e6)

    def test_foreign_bytes_are_refused(self):
        # Python can call the actors; what it passes is msgpack, but no message of ours.
        program = textwrap.dedent(f"""
            import ray
            from ray.job_config import JobConfig
            ray.init(address="{self.ray.address}", log_to_driver=False, logging_level="ERROR",
                     job_config=JobConfig(code_search_path=["{ray_test.LIBRARY}"]))
            actor = ray.cross_language.cpp_actor_class("RoleActor::Create", "RoleActor").remote("learner", b"", [])
            try:
                print(ray.get(actor.Call.remote(b"DRAYBLOB but short")))
            except Exception as error:
                print("refused:", error)
        """)
        done = subprocess.run([sys.executable, "-c", program], env=self.ray.environment, capture_output=True, text=True)
        self.assertIn("refused:", done.stdout, done.stderr)
        self.assertIn("damaged or does not come from Dray", done.stdout)


if __name__ == "__main__":
    ray_test.main()
