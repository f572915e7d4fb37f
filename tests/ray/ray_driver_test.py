"""What a Connection promises, Ray keeps: ray::Init works, and a Ray that dies under a run is one line and exit code 1."""

import os
import re
import signal
import subprocess
import unittest

import clusters


class RayDriverTest(clusters.ClusterTest):
    def start_driver(self, **environment):
        driver = subprocess.Popen(
            [clusters.DRIVER],
            env=self.environment(**environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(driver.kill)
        for line in driver.stdout:
            name, _, value = line.strip().partition("=")
            if name == "temp_dir":
                return driver, value
        self.fail(driver.stderr.read())

    def lines_of_ours(self, driver):
        """Closes the driver's standard input, which ends it, and gives what it said."""
        _, said = driver.communicate(timeout=clusters.PATIENCE_S)
        return [line for line in said.splitlines() if line.startswith("dray: ")]

    def test_a_driver_uses_a_cluster_with_a_token(self):
        address, _ = self.start_cluster()
        for mode in (None, "disabled"):
            driver, _ = self.start_driver(RAY_ADDRESS=address, RAY_AUTH_MODE=mode)
            self.assertEqual(self.lines_of_ours(driver), [])
            self.assertEqual(driver.returncode, 0)

    def test_a_driver_uses_a_cluster_without_a_token(self):
        address, _ = self.start_cluster("--no-auth", temp_dir="d")
        driver, _ = self.start_driver(RAY_ADDRESS=address, RAY_AUTH_MODE="token")
        (warning,) = self.lines_of_ours(driver)
        self.assertIn(f"the cluster at {address} requires no token", warning)
        self.assertEqual(driver.returncode, 0)

    def test_a_ray_that_dies_is_one_line(self):
        for name in ("raylet", "gcs_server"):
            driver, folder = self.start_driver()
            for pid in clusters.processes_naming(folder):
                if clusters.program_of(pid) == name:
                    os.kill(pid, signal.SIGKILL)
            driver.wait(clusters.PATIENCE_S)
            _, last = self.lines_of_ours(driver)  # the first says that a head was started
            self.assertEqual(driver.returncode, 1)
            log = re.search(r"has died, and this run with it: see (\S+)$", last)[1]
            self.assertTrue(log.startswith(folder), last)
            clusters.wait_until(lambda: not clusters.processes_naming(folder), "Ray's processes are gone")
            self.assertTrue(os.path.isfile(log), log)


if __name__ == "__main__":
    unittest.main()
