"""Without a cluster a driver starts a head of its own, which ends with it however that comes about."""

import os
import signal
import stat
import subprocess
import unittest

import clusters


class OwnHeadTest(clusters.ClusterTest):
    def start_driver(self):
        driver = subprocess.Popen(
            [clusters.PROBE], env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(driver.stdout.close)
        self.addCleanup(driver.kill)
        found = {}
        for line in driver.stdout:
            name, _, value = line.strip().partition("=")
            found[name] = value
            if name == "auth_mode":
                return driver, found
        self.fail("the driver ended early")

    def test_it_ends_with_the_driver(self):
        driver, found = self.start_driver()
        self.assertEqual((found["own_head"], found["cpus"], found["auth_mode"]), ("1", "2", "token"))
        self.assertTrue(clusters.processes_naming(found["temp_dir"]))
        closed = os.stat(os.path.dirname(found["temp_dir"]))
        self.assertEqual((stat.S_IMODE(closed.st_mode), closed.st_uid), (0o700, os.getuid()))
        driver.stdin.close()
        self.assertEqual(driver.wait(clusters.PATIENCE_S), 0)
        # No waiting here: the driver has waited.
        self.assertEqual(clusters.processes_naming(found["temp_dir"]), [])
        self.assertFalse(os.path.exists(os.path.dirname(found["temp_dir"])))

    def test_it_ends_with_a_killed_driver(self):
        for how in (signal.SIGKILL, signal.SIGTERM):
            driver, found = self.start_driver()
            driver.send_signal(how)
            driver.wait(clusters.PATIENCE_S)
            driver.stdin.close()
            folder = found["temp_dir"]
            clusters.wait_until(lambda: not clusters.processes_naming(folder), "Ray's processes are gone")
            # The logs of a run that did not end well are kept, and nothing large.
            session = os.path.join(folder, "session_latest")
            clusters.wait_until(lambda: os.listdir(session) == ["logs"], "all but the logs is gone")

    def test_what_a_killed_head_has_left_goes_at_the_next_start(self):
        driver, found = self.start_driver()
        left = os.path.dirname(found["temp_dir"])
        head = os.readlink(os.path.join(found["temp_dir"], "session_latest")).rpartition("_")[2]
        for pid in (int(head), driver.pid):  # the head first, which then removes nothing
            os.kill(pid, signal.SIGKILL)
        driver.wait(clusters.PATIENCE_S)
        driver.stdin.close()
        clusters.wait_until(lambda: not clusters.processes_naming(left), "Ray's processes are gone")
        self.assertTrue(os.path.exists(left))
        driver, _ = self.start_driver()
        self.assertFalse(os.path.exists(left))
        driver.stdin.close()
        driver.wait(clusters.PATIENCE_S)

    def test_others_do_not_find_it(self):
        driver, found = self.start_driver()
        self.assertFalse(self.check()["found"])
        driver.stdin.close()
        driver.wait(clusters.PATIENCE_S)


if __name__ == "__main__":
    unittest.main()
