"""Ray that ends under a driver: calls fail with one line, and the driver leaves with its own exit code."""

import os
import re
import signal
import sys

import ray_test
from ray_test import outcome


def sees_the_end(cluster):
    """Says that it is ready, then waits until that fails; exit code 7 stands for the engine's own."""
    number = cluster.call(cluster.start("shard-00"), "wait 600")
    print("ready", flush=True)
    seen = outcome(lambda: cluster.wait([number], 600))
    cluster.disconnect()
    print(*seen, flush=True)
    sys.exit(7)


class RayEndsTest(ray_test.RayTest):
    def setUp(self):
        super().setUpClass()

    @classmethod
    def setUpClass(cls):
        pass  # every test ends its Ray

    def ends_with(self, program):
        driver = self.start_driver(sees_the_end)
        self.assertEqual(driver.stdout.readline(), "ready\n")
        os.kill(self.ray.process_of(program), signal.SIGKILL)
        out, errors = driver.communicate(timeout=ray_test.PATIENCE_S)
        self.assertEqual((driver.returncode, errors), (7, ""), out)
        told = re.fullmatch(r"failed Ray .* has ended \(.*\): see (\S+)\n", out)
        self.assertIsNotNone(told, out)
        self.assertTrue(os.path.isfile(told[1]), out)

    def test_the_raylet_dies_while_the_driver_waits(self):
        self.ends_with("raylet")

    def test_the_control_service_dies_while_the_driver_waits(self):
        self.ends_with("gcs_server")


if __name__ == "__main__":
    ray_test.main()
