"""scripts/cluster.sh starts a cluster with a token, says how to use it, and ends just that."""

import os
import re
import stat
import subprocess
import unittest

import clusters
from listening import listening


class UsageTest(clusters.ClusterTest):
    def misuse(self, says, *arguments):
        result = self.script(*arguments)
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (2, 1), result.stderr)
        self.assertIn(says, result.stderr)

    def test_help_names_every_command(self):
        result = self.script("--help")
        self.assertEqual(result.returncode, 0)
        for word in ("start", "join ADDRESS", "status", "stop", "--no-auth", "--object-store-gb"):
            self.assertIn(word, result.stdout)

    def test_what_makes_no_sense_is_one_line(self):
        self.misuse("give a command: start, join, status or stop")
        self.misuse("unknown command begin", "begin")
        self.misuse("unknown option --ports", "start", "--ports", "1")
        self.misuse("--port needs a value", "start", "--port")
        self.misuse("--num-cpus many: want a whole number", "start", "--num-cpus", "many")
        self.misuse("--no-auth is an option of start", "join", "10.0.0.1:6379", "--no-auth")
        self.misuse("--address is an option of start", "status", "--address", "10.0.0.1")
        self.misuse("join needs the head's address", "join")

    def test_without_a_cluster_there_is_nothing_to_stop(self):
        result = self.script("stop")
        self.assertEqual(result.returncode, 0)
        self.assertIn("nothing to stop", result.stdout)
        result = self.script("status")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no Ray cluster is running", result.stdout)

    def test_joining_where_nothing_listens_is_one_line(self):
        result = self.script("join", "127.0.0.1:1")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn("no Ray at 127.0.0.1:1", result.stderr)

    def test_an_address_that_this_machine_has_not_is_one_line(self):
        result = self.script("start", "--port", 0, "--temp-dir", self.folder / "a", "--address", "192.0.2.77")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn("--address 192.0.2.77 is not an address of this machine", result.stderr)

    @unittest.skipUnless(os.getuid() == 0, "only root can give a folder away")
    def test_a_folder_that_another_user_has_made_is_one_line(self):
        taken = self.folder / "t" / f"dray_{os.getuid()}"
        taken.mkdir(parents=True)
        os.chown(taken, 65534, 65534)
        result = self.script("start", "--port", 0, "--temp-dir", self.folder / "t")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn("belongs to someone else", result.stderr)

    @unittest.skipUnless(os.getuid() == 0, "only root can give a folder away")
    def test_what_another_user_says_of_clusters_is_not_read(self):
        nodes = self.folder / "s" / f"dray_{os.getuid()}" / "nodes"
        nodes.mkdir(parents=True)
        node = subprocess.Popen(["dray/ray_node.py", "1000"], executable="/bin/sleep", start_new_session=True)
        self.addCleanup(node.wait)
        self.addCleanup(node.kill)
        (nodes / "1").write_text(f"pid={node.pid}\naddress=127.0.0.1:1\n")
        said = self.script("status", "--temp-dir", self.folder / "s")
        self.assertIn("no Ray at 127.0.0.1:1", said.stderr)
        os.chown(nodes.parent, 65534, 65534)
        for command in ("status", "stop"):
            said = self.script(command, "--temp-dir", self.folder / "s")
            self.assertIn("no cluster started by this script is running here", said.stdout)
        self.assertIsNone(node.poll())

    def test_a_long_temp_folder_is_one_line(self):
        result = self.script("start", "--port", 0, "--temp-dir", self.folder / ("long" * 20))
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn("too long for Ray's sockets", result.stderr)


class LifeOfAClusterTest(clusters.ClusterTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.address, cls.said = cls.start_cluster()
        cls.temp = cls.folder / "c"

    def test_start_says_what_to_type_next(self):
        for words in (
            "dashboard   http://127.0.0.1:",
            f"RAY_ADDRESS={self.address} bazel run //:train",
            f"RAY_AUTH_MODE=token RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0 RAY_ADDRESS={self.address}",
            "only with start --address",
            f"scripts/cluster.sh stop --temp-dir {self.temp}",
        ):
            self.assertIn(words, self.said)

    def test_ray_itself_runs_as_it_says(self):
        words = re.search(r"ray itself  (.*)", self.said)[1]

        def tells_of_cpus():
            result = self.run_program("bash", "-c", words)
            self.assertEqual(result.returncode, 0, result.stderr)
            return "/2.0 CPU" in result.stdout

        # Until the autoscaler's first report, the answer is "No cluster status".
        clusters.wait_until(tells_of_cpus, f"{words} tells of CPUs")

    def test_only_this_machine_can_reach_it(self):
        self.assertRegex(self.address, r"^127\.0\.0\.1:\d+$")
        sockets = listening(clusters.processes_naming(self.temp))
        self.assertEqual({(program, str(address)) for program, address in sockets if not address.is_loopback}, set())
        self.assertGreater({program for program, _ in sockets}, {"gcs_server", "raylet"})

    def test_no_other_user_can_look_into_its_folder(self):
        self.assertEqual(stat.S_IMODE(os.stat(self.temp / f"dray_{os.getuid()}").st_mode), 0o700)

    def test_no_node_joins_a_head_for_one_machine(self):
        result = self.script("join", self.address, "--temp-dir", self.folder / "j")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn(f"the head at {self.address} accepts only its own machine", result.stderr)

    def test_the_token_is_for_this_user_alone(self):
        for path, mode in ((".ray", 0o700), (".ray/auth_token", 0o600)):
            self.assertEqual(stat.S_IMODE(os.stat(self.folder / path).st_mode), mode)

    def test_status_says_what_is_free(self):
        result = self.script("status", "--temp-dir", self.temp)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(f"at {self.address}: 1 node(s), 2 of 2 CPUs free", result.stdout)

    def test_a_taken_port_is_one_line(self):
        port = self.address.rpartition(":")[2]
        result = self.script("start", "--port", port, "--temp-dir", self.folder / "b")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn(f"port {port} is taken", result.stderr)

    def test_stop_ends_one_cluster_and_leaves_the_other(self):
        other, _ = self.start_cluster("--no-auth", temp_dir="d")
        self.assertTrue(clusters.processes_naming(self.folder / "d"))
        result = self.script("stop", "--temp-dir", self.folder / "d")
        self.assertEqual((result.returncode, result.stdout), (0, f"cluster: stopped the node at {other}\n"))
        self.assertEqual(clusters.processes_naming(self.folder / "d"), [])
        self.assertEqual(list((self.folder / "d").glob("**/ray_current_cluster")), [])
        self.assertNotIn("error", self.check("--address", self.address))


if __name__ == "__main__":
    unittest.main()
