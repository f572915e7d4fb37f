"""The picture of Ray's dashboard, of a real cluster in a real browser."""

import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

import cluster
import ray

PICTURE = os.path.abspath(sys.argv.pop(1))
NAMES = [f"shard-{number}" for number in range(12)] + ["learner"]  # more than the page shows unasked


class Idle:
    def ready(self):
        return True


@unittest.skipUnless(shutil.which("chromium"), "no browser: apt-get install chromium")
class DashboardPictureTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.cluster = cluster.Cluster()
        cls.addClassCleanup(cls.cluster.end)
        ray.init(cls.cluster.address, namespace="dray", log_to_driver=False, logging_level="error")
        cls.addClassCleanup(ray.shutdown)
        cls.actors = [ray.remote(Idle).options(name=name, num_cpus=0).remote() for name in NAMES]
        ray.get([actor.ready.remote() for actor in cls.actors])

    def picture(self, *flags, port=None, **environment):
        address = f"http://127.0.0.1:{port or self.cluster.dashboard_port}"
        return subprocess.run(
            [sys.executable, PICTURE, "--address", address, "--out", str(self.folder / "new" / "actors.png"), *flags],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=cluster.PATIENCE_S,
        )

    def fails(self, expected, **arguments):
        result = self.picture(**arguments)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertRegex(result.stderr, rf"^dashboard_picture: {expected}[^\n]*\n$")

    def test_it_reads_the_names_of_all_actors_off_the_page(self):
        def names():
            result = self.picture("--alive")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return sorted(result.stdout.split())

        # The dashboard hears of actors some time after they are there.
        cluster.wait_until(lambda: names() == sorted(NAMES), "the names of all actors")

    def test_the_picture_is_as_wide_and_high_as_asked(self):
        self.assertEqual(self.picture("--width", "1200", "--height", "700").returncode, 0)
        image = (self.folder / "new" / "actors.png").read_bytes()
        self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(struct.unpack(">II", image[16:24]), (1200, 700))

    def test_what_is_wrong_is_said_in_a_line(self):
        self.fails("the cluster of .* asks for another token", RAY_AUTH_TOKEN="0" * 64)
        self.fails("the cluster of .* asks for a token: set RAY_AUTH_TOKEN", RAY_AUTH_TOKEN="")
        self.fails("what answers at .* is not Ray's dashboard", port=self.cluster.metrics_port)
        self.fails("no dashboard answers at", port=1)
        self.fails("no browser found: install one with `apt-get install chromium`", PATH="")


if __name__ == "__main__":
    unittest.main()
