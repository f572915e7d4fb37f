"""What the tests of actors share: one Ray for a test class, and drivers in processes of their own.

A driver is a function of the test's module that takes a Cluster and prints what it saw as one JSON value; it runs in
a process of its own, since Ray can be joined once in a process and may end it.
"""

import inspect
import json
import os
import pathlib
import subprocess
import sys
import unittest

SCRIPTS = pathlib.Path(__file__).absolute().parents[2] / "scripts"
sys.path[:0] = [str(SCRIPTS), str(SCRIPTS / "bench")]
import engine_port  # noqa: E402
import own_ray  # noqa: E402

LIBRARY = os.path.abspath(sys.argv[1])
PYTHON = str(pathlib.Path("src/python").resolve())
PATIENCE_S = 300


class RayTest(unittest.TestCase):
    ray_options = {}

    @classmethod
    def setUpClass(cls):
        cls.ray = own_ray.OwnRay(**cls.ray_options)
        cls.addClassCleanup(cls.ray.end)

    def start_driver(self, driver, *arguments):
        process = subprocess.Popen(
            [sys.executable, inspect.getfile(driver), LIBRARY, "--driver", driver.__name__, *map(str, arguments)],
            env={**self.ray.environment, "PYTHONPATH": os.path.dirname(os.path.abspath(__file__))},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def drive(self, driver, *arguments):
        """What the driver printed, once it ended well."""
        process = self.start_driver(driver, *arguments)
        out, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual((process.returncode, errors), (0, ""), out)
        return json.loads(out.splitlines()[-1])


def outcome(work):
    """("ok", reply) or ("lost" | "failed", line)."""
    try:
        reply = work()
        return ["ok", reply.decode(errors="replace") if isinstance(reply, bytes) else reply]
    except engine_port.Failed as failure:
        return ["lost" if failure.status == engine_port.LOST else "failed", str(failure)]


def main():
    if "--driver" in sys.argv:
        name, *arguments = sys.argv[3:]
        cluster = engine_port.Cluster(LIBRARY, run_name=f"run-{os.getpid()}", python=PYTHON)
        seen = getattr(sys.modules["__main__"], name)(cluster, *arguments)
        cluster.disconnect()
        print(json.dumps(seen), flush=True)
        return
    del sys.argv[1]
    unittest.main()
