"""A port is claimed by one process at a time, and its claim ends with the process."""

import pathlib
import socket
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path("src/python").resolve()))

from dray import ports

CLAIM_ANY = "from dray import ports; print(ports.claim_any({}), flush=True); input()"


class PortsTest(unittest.TestCase):
    def start_claimer(self, port):
        process = subprocess.Popen(
            [sys.executable, "-c", CLAIM_ANY.format(port)],
            env={"PYTHONPATH": sys.path[0]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def free_port(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def test_of_many_at_once_one_gets_the_port_and_the_others_get_others(self):
        wanted = self.free_port()
        claimers = [self.start_claimer(wanted) for _ in range(8)]
        claimed = [int(claimer.stdout.readline()) for claimer in claimers]
        self.assertEqual(claimed.count(wanted), 1)
        self.assertEqual(len(set(claimed)), len(claimed))

    def test_a_claim_ends_with_its_process(self):
        port = self.free_port()
        claimer = self.start_claimer(port)
        self.assertEqual(int(claimer.stdout.readline()), port)
        self.assertFalse(ports.claim(port))
        claimer.kill()
        claimer.wait()
        self.assertTrue(ports.claim(port))

    def test_a_port_where_somebody_listens_is_not_claimed(self):
        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            port = listener.getsockname()[1]
            self.assertFalse(ports.claim(port))
            self.assertNotEqual(ports.claim_any(port), port)
        self.assertTrue(ports.claim(port))

    def test_other_ports_are_none_that_the_kernel_hands_out(self):
        lowest = int(ports.EPHEMERAL.read_text().split()[0])
        if lowest <= ports.LOWEST + 1000:
            self.skipTest("this machine hands out almost every port")
        for _ in range(20):
            self.assertLess(ports.claim_any(), lowest)


if __name__ == "__main__":
    unittest.main()
