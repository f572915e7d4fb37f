"""Without a cluster a driver starts a head of its own, which ends with it however that comes about."""

import os
import pathlib
import re
import signal
import socket
import stat
import subprocess
import sys
import unittest

import clusters

NODE = pathlib.Path("src/python/dray/ray_node.py").resolve()


def claimed_ports(pid):
    """The ports that a process has set aside (dray/ports.py)."""
    names = pathlib.Path("/proc/net/unix").read_text()
    claims = {inode: int(port) for inode, port in re.findall(r"(\d+) @dray-port-(\d+)$", names, re.MULTILINE)}
    held = [os.readlink(link) for link in pathlib.Path(f"/proc/{pid}/fd").iterdir() if link.is_symlink()]
    return {claims[inode] for inode in re.findall(r"socket:\[(\d+)\]", " ".join(held)) if inode in claims}


class OwnHeadTest(clusters.ClusterTest):
    def start_driver(self):
        driver = subprocess.Popen(
            [clusters.PROBE],
            env=self.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(driver.stdout.close)
        self.addCleanup(driver.stderr.close)
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

    def test_what_a_killed_head_has_left_but_its_logs_goes_at_the_next_start(self):
        driver, found = self.start_driver()
        left = os.path.dirname(found["temp_dir"])
        head = os.readlink(os.path.join(found["temp_dir"], "session_latest")).rpartition("_")[2]
        for pid in (int(head), driver.pid):  # the head first, which then removes nothing
            os.kill(pid, signal.SIGKILL)
        driver.wait(clusters.PATIENCE_S)
        driver.stdin.close()
        clusters.wait_until(lambda: not clusters.processes_naming(left), "Ray's processes are gone")
        session = os.path.join(found["temp_dir"], "session_latest")
        self.assertIn("sockets", os.listdir(session))
        driver, _ = self.start_driver()
        self.assertEqual(os.listdir(session), ["logs"])
        driver.stdin.close()
        driver.wait(clusters.PATIENCE_S)

    def test_a_port_that_another_program_takes_meanwhile_is_exchanged(self):
        command = [sys.executable, NODE, "--until-stdin-closes", "--num-cpus=1", "--object-store-gb=0.1"]
        environment = self.environment(RAY_TMPDIR=None, TMPDIR=str(self.folder))
        node = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(node.communicate)
        self.addCleanup(node.kill)
        control, agents, dashboard_and_metrics = 1, 4, 3
        ports = control + agents + dashboard_and_metrics
        clusters.wait_until(lambda: len(claimed_ports(node.pid)) == ports, "the head has set its ports aside")
        node.send_signal(signal.SIGSTOP)
        taken = claimed_ports(node.pid)
        for port in taken:  # before Ray, which has not been imported yet
            listener = self.enterContext(socket.socket())
            listener.bind(("127.0.0.1", port))
            listener.listen()
        node.send_signal(signal.SIGCONT)
        said = dict(line.strip().split("=", 1) for line in iter(node.stdout.readline, "ready=1\n"))
        self.assertEqual(said["pid"], str(node.pid))
        self.assertEqual(claimed_ports(node.pid) & taken, set())
        self.assertEqual(
            len(list(self.folder.glob(f"dray-*/r/session_*_{node.pid}"))), 1, "of the first try something is left"
        )

    def test_one_that_dies_while_it_starts_is_one_line_that_names_a_log(self):
        for program in ("gcs_server", "raylet"):
            with self.subTest(program):
                driver = subprocess.Popen(
                    [clusters.PROBE], env=self.environment(), stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True
                )
                self.addCleanup(driver.communicate)
                self.addCleanup(driver.kill)
                clusters.wait_until(lambda: self.children(program), f"a {program} runs", every_s=0)
                os.kill(self.children(program)[0], signal.SIGKILL)  # before it has written down its port
                told = driver.stderr.read().splitlines()[-1]
                self.assertEqual(driver.wait(clusters.PATIENCE_S), 1)
                log = re.search(
                    rf"its {program} has ended\); see (\S+)$|has died, and this run with it: see (\S+)$", told
                )
                self.assertIsNotNone(log, told)
                self.assertTrue(os.path.isfile(log[1] or log[2]), told)

    def children(self, program):
        """The processes of this program that belong to a head of this test."""
        return [pid for pid in clusters.processes_naming(self.folder) if clusters.program_of(pid) == program]

    def test_one_that_dies_before_ray_is_joined_is_one_line_that_names_a_log(self):
        driver, found = self.start_driver()
        head = os.readlink(os.path.join(found["temp_dir"], "session_latest")).rpartition("_")[2]
        os.kill(int(head), signal.SIGKILL)
        self.assertEqual(driver.wait(clusters.PATIENCE_S), 1)
        told = driver.stderr.read().splitlines()
        log = re.fullmatch(r"dray: the Ray cluster at \S+ has died, and this run with it: see (\S+)", told[-1])
        self.assertEqual(len(told), 2, told)  # the first says that a head was started
        self.assertTrue(os.path.isfile(log[1]), told)

    def test_others_do_not_find_it(self):
        driver, found = self.start_driver()
        self.assertFalse(self.check()["found"])
        driver.stdin.close()
        driver.wait(clusters.PATIENCE_S)


if __name__ == "__main__":
    unittest.main()
