"""Ray clusters of a test's own: own folder, own port, own token; ended exactly, whatever else runs on the machine.

A test that imports this is started with the paths of connection_probe and ray_driver, then unittest's arguments, from the
runfiles folder.
"""

import contextlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROBE = os.path.abspath(sys.argv.pop(1))
DRIVER = os.path.abspath(sys.argv.pop(1))
SCRIPT = pathlib.Path("scripts/cluster.sh").resolve()
CHECK = pathlib.Path("src/python/dray/cluster_check.py").resolve()
OTHER_TOKEN = "0123456789abcdef" * 4

PATIENCE_S = 240  # for anything that takes seconds on an idle machine


class ClusterTest(unittest.TestCase):
    """Every test has a home folder (for the token) and a Ray folder of its own, where no cluster runs yet."""

    @classmethod
    def setUpClass(cls):
        # In /tmp whatever TMPDIR says: paths of unix sockets are short.
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="dr-", dir="/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)

    @classmethod
    def environment(cls, **extra):
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "BUILD_", "TMPDIR"))}
        kept.update(HOME=str(cls.folder), RAY_TMPDIR=str(cls.folder), DRAY_PYTHON=sys.executable)
        kept.update(extra)
        return {name: value for name, value in kept.items() if value is not None}

    @classmethod
    def run_program(cls, *command, **environment):
        return subprocess.run(
            [str(part) for part in command],
            env=cls.environment(**environment),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )

    @classmethod
    def script(cls, *arguments, **environment):
        return cls.run_program(SCRIPT, *arguments, **environment)

    @classmethod
    def start_cluster(cls, *flags, temp_dir="c"):
        """The address of a new cluster, which ends with the test class."""
        folder = cls.folder / temp_dir
        cls.addClassCleanup(cls.script, "stop", "--temp-dir", folder)
        small = ("--num-cpus", 2, "--object-store-gb", 0.1)
        result = cls.script("start", "--port", 0, "--temp-dir", folder, *small, *flags)
        assert result.returncode == 0, result.stdout + result.stderr
        return re.search(r"RAY_ADDRESS=(\S+)", result.stdout)[1], result.stdout

    def check(self, *flags, **environment):
        """What cluster_check says, as the one JSON object that it prints."""
        result = self.run_program(sys.executable, CHECK, *flags, **environment)
        report = json.loads(result.stdout)
        self.assertEqual(result.returncode, 1 if "error" in report else 0, result.stderr)
        self.assertEqual(result.stderr, "")
        return report

    def probe(self, *flags, **environment):
        """What a driver finds: its key=value lines."""
        result = self.run_program(PROBE, *flags, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return dict(line.split("=", 1) for line in result.stdout.splitlines())

    def probe_fails(self, *says, flags=(), **environment):
        """A driver ends with exit code 1 and one line that says all of this."""
        result = self.run_program(PROBE, *flags, **environment)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("dray: "), result.stderr)
        for words in says:
            self.assertIn(words, result.stderr)


def processes_naming(text):
    """Processes that live and have this text in their command line."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if str(text) in words and int(folder.name) != os.getpid():
            found.append(int(folder.name))
    return found


def program_of(pid):
    """The name of the program that a process runs; empty when there is no such process."""
    try:
        return os.path.basename(pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode())
    except OSError:
        return ""


def end_session(leader):
    """Ends a process that leads a session, and all that is in it."""
    leader.terminate()
    try:
        leader.wait(PATIENCE_S / 8)
    except subprocess.TimeoutExpired:
        leader.kill()
        leader.wait()
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(ProcessLookupError):
            if os.getsid(int(folder.name)) == leader.pid:
                os.kill(int(folder.name), signal.SIGKILL)


def wait_until(condition, what, every_s=0.1):
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"not after {PATIENCE_S} s: {what}")
        time.sleep(every_s)
