"""Runs a Ray cluster for one script or test, with its own ports, folder and token. `end` ends exactly its processes."""

import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PACKAGE = pathlib.Path(__file__).absolute().parents[1] / "src/python"
sys.path.insert(0, str(PACKAGE))
from dray import ports  # noqa: E402

PATIENCE_S = 120
CLUSTER_CHECK = PACKAGE / "dray/cluster_check.py"
# Ray's default is a fixed range of ports, which another cluster on this machine would share.
WORKER_PORTS = ["--min-worker-port=0", "--max-worker-port=0"]


def _session(leader):
    """Returns the processes of the session that this process leads."""
    found = []
    for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
        try:
            if os.getsid(pid) == leader:
                found.append(pid)
        except ProcessLookupError:
            pass
    return found


class Node:
    """A node that joined; all of its processes are in their own session."""

    def __init__(self, command, environment, log):
        with open(log, "w") as out:
            self.process = subprocess.Popen(
                command, env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
            )
        deadline = time.monotonic() + PATIENCE_S
        while "--block" not in log.read_text():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the node did not start:\n" + log.read_text())
            time.sleep(0.05)

    def processes(self):
        return _session(self.process.pid)

    def hosts(self, pid):
        return pid in self.processes()

    def end(self):
        """Kills raylet and workers at once, like a power failure."""
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()


class OwnRay:
    def __init__(self, cpus=8, object_store_mb=400, gpus=0, dashboard=False, settings=None):
        # Short, because it is part of the paths of Ray's sockets, which are limited to 107 characters.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dr-", dir="/tmp"))
        token = secrets.token_hex(16)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "BUILD_"))},
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": token,
            **(settings or {}),
        }
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--port=0"]
        command += [f"--temp-dir={self.folder}/r", f"--include-dashboard={dashboard}", "--disable-usage-stats"]
        # The agent's default port may be the one drawn for clients.
        command += ["--dashboard-agent-listen-port=0"]
        if dashboard:
            port = ports.claim_any()
            command += [f"--dashboard-port={port}"]
            self.dashboard_url = f"http://127.0.0.1:{port}"
        command += [f"--ray-client-server-port={ports.claim_any()}", f"--num-cpus={cpus}", f"--num-gpus={gpus}"]
        command += [f"--object-store-memory={object_store_mb * 1000000}", *WORKER_PORTS]
        with open(self.folder / "start.log", "w") as log:
            self.process = subprocess.Popen(
                command, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True
            )
        self.nodes = []
        try:
            self.address = self._wait_for_address()
        except BaseException:
            self.end()
            raise
        self.environment["RAY_ADDRESS"] = self.address

    def _wait_for_address(self):
        deadline = time.monotonic() + PATIENCE_S
        started = "--address='"
        while time.monotonic() < deadline:
            text = (self.folder / "start.log").read_text()
            if started in text and "--block" in text:
                return text.split(started)[1].split("'")[0]
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError("Ray did not start:\n" + (self.folder / "start.log").read_text())

    def join(self, cpus):
        """Adds a node, which ends with the cluster or earlier."""
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", f"--address={self.address}"]
        # Its own address, as on another machine: a driver would join any node with the driver's address.
        command += [f"--node-ip-address=127.0.0.{2 + len(self.nodes)}"]
        command += ["--disable-usage-stats", f"--num-cpus={cpus}", "--object-store-memory=100000000", *WORKER_PORTS]
        self.nodes.append(Node(command, self.environment, self.folder / f"node{len(self.nodes)}.log"))
        return self.nodes[-1]

    def actor(self, name):
        """Returns the process that hosts the actor of this name. Linux keeps only 15 characters of it; with several matches, any."""
        for pid in self.workers():
            try:
                if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == f"dray {name}"[:15]:
                    return pid
            except OSError:
                pass
        return None

    def processes(self):
        """Returns the cluster's processes as {process id: command line}: all processes of its sessions."""
        found = {}
        for pid in _session(self.process.pid) + [pid for node in self.nodes for pid in node.processes()]:
            try:
                line = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
            except OSError:
                continue
            found[pid] = line.replace(b"\0", b" ").decode(errors="replace")
        return found

    def process_of(self, program):
        """Returns the process id of "gcs_server" or "raylet"."""
        return self._running(program)[0]

    def workers(self):
        """Returns the processes of C++ actors."""
        return self._running("default_worker")

    def _running(self, program):
        return [pid for pid, line in self.processes().items() if line.split(" ")[0].endswith("/" + program)]

    def object_store_bytes(self):
        """Returns the size of the objects in the store, as reported by the cluster."""
        result = subprocess.run(
            [sys.executable, CLUSTER_CHECK], env=self.environment, capture_output=True, check=True, text=True
        )
        report = json.loads(result.stdout)
        return report["total"]["object_store_bytes"] - report["available"]["object_store_bytes"]

    def end(self):
        for node in self.nodes:
            node.end()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
