"""A second node joins, is counted, and leaves without the first."""

import os
import unittest

import clusters


class TwoNodesTest(clusters.ClusterTest):
    def test_a_node_joins_and_leaves(self):
        address, said = self.start_cluster("--address", "auto")
        for words in (f"scripts/cluster.sh join {address}", "auth_token", "listens     on all addresses"):
            self.assertIn(words, said)
        second = self.folder / "n"
        self.addCleanup(self.script, "stop", "--temp-dir", second)
        joined = self.script("join", address, "--num-cpus", 1, "--object-store-gb", 0.1, "--temp-dir", second)
        self.assertEqual(joined.returncode, 0, joined.stderr)
        self.assertIn("2 node(s)", joined.stdout)
        # What a node has free is known once it has reported.
        clusters.wait_until(
            lambda: "2 node(s), 3 of 3 CPUs free" in self.script("status", RAY_ADDRESS=address).stdout,
            "both nodes tell what is free",
        )

        found = self.probe("--file", clusters.PROBE, RAY_ADDRESS=address)
        self.assertEqual((found["nodes"], found["cpus"]), ("2", "3"))
        report = self.check("--address", address)
        self.assertTrue(all(node["is_this_machine"] for node in report["nodes"]))

        # Loopback becomes the address that the node goes by.
        port = address.rpartition(":")[2]
        self.assertEqual(self.probe(RAY_ADDRESS=f"127.0.0.1:{port}")["address"], address)

        self.script("stop", "--temp-dir", second)
        clusters.wait_until(lambda: self.probe(RAY_ADDRESS=address)["nodes"] == "1", "the second node is gone")

    def test_joining_without_the_token(self):
        address, _ = self.start_cluster("--address", "auto", temp_dir="e")
        empty = self.folder / "empty"
        os.mkdir(empty)
        result = self.script("join", address, "--temp-dir", self.folder / "f", HOME=str(empty))
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn("requires a token", result.stderr)


if __name__ == "__main__":
    unittest.main()
