"""A driver, and the check that it makes, say in one line what is wrong with a cluster; and what it has when nothing is."""

import importlib.metadata
import os
import pathlib
import shutil
import socket
import stat
import subprocess
import sys
import threading
import unittest

import clusters

sys.path.insert(0, str(pathlib.Path("src/python").resolve()))
from dray import ports  # noqa: E402

RAY_VERSION = importlib.metadata.version("ray")


class NoClusterTest(clusters.ClusterTest):
    def test_none_running_is_no_error(self):
        for flags in ((), ("--find",)):
            self.assertEqual(self.check(*flags), {"found": False, "notes": []})

    def test_a_stale_note_of_a_cluster_is_ignored(self):
        note = self.folder / "ray" / "ray_current_cluster"
        note.parent.mkdir(exist_ok=True)
        note.write_text("127.0.0.1:1")
        self.addCleanup(note.unlink)
        report = self.check()
        self.assertFalse(report["found"])
        self.assertIn("names 127.0.0.1:1, where nothing listens any more", report["notes"][0])

    def test_auto_without_a_cluster(self):
        self.probe_fails("RAY_ADDRESS=auto, but no Ray cluster runs", RAY_ADDRESS="auto")

    def test_nothing_listens(self):
        self.probe_fails("no Ray at 127.0.0.1:1 (Connection refused", "from RAY_ADDRESS", RAY_ADDRESS="127.0.0.1:1")

    def test_no_such_host(self):
        self.probe_fails("no Ray at no-such-host.invalid:6379", RAY_ADDRESS="no-such-host.invalid:6379")

    def test_not_an_address(self):
        for address in ("somewhere", "host:", ":6379", "host:99999", "host:port"):
            self.probe_fails(f"RAY_ADDRESS={address} is not an address: expected host:port", RAY_ADDRESS=address)

    def test_an_address_of_the_ray_client(self):
        self.probe_fails(
            "which C++ programs cannot use: give the head's host:port", RAY_ADDRESS="ray://127.0.0.1:10001"
        )

    def test_a_listener_that_says_nothing(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = f"127.0.0.1:{server.getsockname()[1]}"
            self.probe_fails(f"the server at {address} does not answer like a Ray head", RAY_ADDRESS=address)

    def test_a_listener_that_speaks_something_else(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            threading.Thread(target=greet_all, args=(server,), daemon=True).start()
            address = f"127.0.0.1:{server.getsockname()[1]}"
            self.probe_fails(f"the server at {address} does not answer like a Ray head", RAY_ADDRESS=address)

    def test_no_interpreter(self):
        self.probe_fails("Python interpreter /no/python", "DRAY_PYTHON", DRAY_PYTHON="/no/python")

    def test_no_python_modules(self):
        self.probe_fails("DRAY_PYTHON_MODULES", DRAY_PYTHON_MODULES="/no/modules")


def greet_all(server):
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        with connection:
            connection.sendall(b"220 mail.invalid ESMTP ready\r\n")


class ClusterWithTokenTest(clusters.ClusterTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.address, _ = cls.start_cluster()

    def test_it_says_what_there_is(self):
        report = self.check("--address", self.address, "--driver")
        self.assertNotIn("error", report)
        self.assertEqual(
            (report["address"], report["auth"], report["ray_version"]), (self.address, "token", RAY_VERSION)
        )
        self.assertEqual(report["temp_dir"], str(self.folder / "c" / f"dray_{os.getuid()}" / "ray"))
        self.assertTrue(report["dashboard_url"].startswith("http://127.0.0.1:"))
        (node,) = report["nodes"]
        self.assertTrue(node["alive"] and node["is_this_machine"])
        self.assertEqual((node["cpus"], node["gpus"], node["object_store_bytes"]), (2, 0, 10**8))
        self.assertEqual(report["available"]["cpus"], 2)

    def test_a_driver_connects_and_sends_its_token(self):
        found = self.probe(RAY_ADDRESS=self.address)
        self.assertEqual((found["address"], found["own_head"], found["auth_mode"]), (self.address, "0", "token"))

    def test_the_running_cluster_is_found(self):
        note = self.folder / "ray" / "ray_current_cluster"
        note.parent.mkdir(exist_ok=True)
        note.write_text(self.address)
        self.addCleanup(note.unlink)
        for given in (None, "auto"):
            self.assertEqual(self.probe(RAY_ADDRESS=given)["address"], self.address)
        self.assertEqual(self.check("--find"), {"found": True, "notes": [], "address": self.address})

    def test_a_wrong_token(self):
        wrong = dict(RAY_ADDRESS=self.address, RAY_AUTH_TOKEN=clusters.OTHER_TOKEN)
        self.probe_fails(f"the cluster at {self.address} rejects the token of RAY_AUTH_TOKEN", **wrong)

    def test_no_token(self):
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        self.probe_fails(f"the cluster at {self.address} requires a token", RAY_ADDRESS=self.address, HOME=str(empty))

    def test_a_token_in_a_file(self):
        token = (self.folder / ".ray" / "auth_token").read_text()
        (self.folder / "token").write_text(token)
        empty = self.folder / "empty"
        empty.mkdir(exist_ok=True)
        found = self.probe(RAY_ADDRESS=self.address, HOME=str(empty), RAY_AUTH_TOKEN_PATH=str(self.folder / "token"))
        self.assertEqual(found["auth_mode"], "token")

    def test_a_token_file_that_others_could_read_is_closed_to_them(self):
        file = self.folder / ".ray" / "auth_token"
        file.chmod(0o644)
        file.parent.chmod(0o755)
        self.probe(RAY_ADDRESS=self.address)
        self.assertEqual([stat.S_IMODE(path.stat().st_mode) for path in (file, file.parent)], [0o600, 0o700])

    def test_another_version(self):
        report = self.check("--address", self.address, "--expect-version", "9.9.9")
        self.assertIn(f"built with Ray 9.9.9, and {clusters.sys.executable} has Ray {RAY_VERSION}", report["error"])

    def test_a_missing_file(self):
        self.probe_fails(
            "on this machine /no/actors.so is missing", flags=("--file", "/no/actors.so"), RAY_ADDRESS=self.address
        )
        self.probe("--file", clusters.PROBE, RAY_ADDRESS=self.address)

    def test_what_it_has_is_told(self):
        found = self.probe(RAY_ADDRESS=self.address)
        self.assertEqual((found["nodes"], found["cpus"], found["own_head"]), ("1", "2", "0"))
        self.assertEqual(found["object_store_bytes"], str(10**8))
        self.assertGreater(int(found["memory_bytes"]), 10**8)
        self.assertTrue(found["dashboard"].startswith("http://"))


class ClusterWithoutTokenTest(clusters.ClusterTest):
    def test_a_driver_in_token_mode_is_told_that_none_is_wanted(self):
        address, _ = self.start_cluster("--no-auth")
        found = self.probe(RAY_ADDRESS=address, RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=clusters.OTHER_TOKEN)
        self.assertEqual(found["auth_mode"], "disabled")


class RayStartTest(clusters.ClusterTest):
    """`ray start --head` as anyone would type it; but with ports that another Ray here does not share."""

    def start_ray(self):
        command = [
            sys.executable,
            "-m",
            "ray.scripts.scripts",
            "start",
            "--head",
            "--block",
            "--port=0",
            "--include-dashboard=false",
        ]
        command += [
            f"--ray-client-server-port={ports.claim_any()}",
            "--dashboard-agent-listen-port=0",
            "--min-worker-port=0",
            "--max-worker-port=0",
            "--num-cpus=2",
        ]
        with open(self.folder / "start.log", "w") as log:
            ray = subprocess.Popen(
                command + ["--object-store-memory=100000000", "--disable-usage-stats"],
                env=self.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.addCleanup(clusters.end_session, ray)
        clusters.wait_until(lambda: ray.poll() is not None or "--block" in self.said(), "Ray runs")
        self.assertIsNone(ray.poll(), self.said())

    def said(self):
        return (self.folder / "start.log").read_text()

    def test_a_driver_finds_it_and_says_that_it_asks_for_no_token(self):
        self.start_ray()
        result = self.run_program(clusters.PROBE)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("own_head=0\nauth_mode=disabled\n", result.stdout)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("requires no token: anyone who reaches its port can run code here", result.stderr)

    def test_a_driver_finds_it_and_sends_the_token_that_it_wants(self):
        (self.folder / ".ray").mkdir(mode=0o700)
        (self.folder / ".ray" / "auth_token").write_text(clusters.OTHER_TOKEN)
        self.addCleanup(shutil.rmtree, self.folder / ".ray")
        self.start_ray()
        found = self.probe()
        self.assertEqual((found["own_head"], found["auth_mode"]), ("0", "token"))


if __name__ == "__main__":
    unittest.main()
