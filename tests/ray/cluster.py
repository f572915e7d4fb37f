"""A Ray cluster of a test's own: own ports, own folder, own token, ended to the last process.

Import it before ray, which reads the environment while it is imported.
"""

import ctypes
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).absolute().parents[2] / "src/python"))
from dray import ports  # noqa: E402

PATIENCE_S = 120  # for anything that takes some seconds on an idle machine

# The token lets in this process and its children, and nobody else on this machine or beside it.
os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32), RAY_metrics_report_interval_ms="1000")

_PR_SET_PDEATHSIG = 1


def wait_until(condition, what):
    """The condition's value once it is true."""
    deadline = time.monotonic() + PATIENCE_S
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"waited {PATIENCE_S} s in vain: {what}")
        time.sleep(0.1)
    return value


class Cluster:
    """One head node."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-", dir="/tmp"))  # Ray's sockets need short paths
        port, self.metrics_port, self.dashboard_port, agent_port, client_port = (ports.claim_any() for _ in range(5))
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", "--head", "--block", "--disable-usage-stats"]
        options = {
            "port": port,
            "metrics-export-port": self.metrics_port,
            "dashboard-port": self.dashboard_port,
            "dashboard-agent-listen-port": agent_port,
            "ray-client-server-port": client_port,
            "min-worker-port": 0,
            "max-worker-port": 0,
            "temp-dir": self.folder / "ray",
            "num-cpus": 4,
            "object-store-memory": 100_000_000,
        }
        with open(self.folder / "start.log", "w") as log:
            self.process = subprocess.Popen(
                command + [f"--{name}={value}" for name, value in options.items()],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # every process of the cluster is in it, and nothing else
                preexec_fn=_end_with_parent,
            )
        try:
            self.address = wait_until(self._address, "the cluster to start")
        except BaseException:
            print((self.folder / "start.log").read_text()[-3000:], file=sys.stderr)
            self.end()
            raise

    def end(self):
        self.process.terminate()  # `ray start --block` ends what it started
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        for pid in self._processes():
            os.kill(pid, signal.SIGKILL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _address(self):
        """Where it listens, once it does; Ray's file of it is empty for a moment."""
        if self.process.poll() is not None:
            raise AssertionError("the cluster ended while it started")
        if "Ray runtime started" not in (self.folder / "start.log").read_text():
            return None
        return (self.folder / "ray" / "ray_current_cluster").read_text().strip()

    def _processes(self):
        """Those of the cluster that still run."""
        found = []
        for pid in (int(name) for name in os.listdir("/proc") if name.isdigit()):
            try:
                if os.getsid(pid) == self.process.pid:
                    found.append(pid)
            except ProcessLookupError:
                pass
        return found


def _end_with_parent():
    """A test that is killed takes its cluster with it."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
