"""Where Dray's files are found: in a wheel, a bundle and a clone. Argument: dray/__init__.py."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

PACKAGE = pathlib.Path(sys.argv.pop(1)).resolve().parent
ASK = """
from dray import places
print(places.program("train"), places.library("libdray.so", "DRAY_LIBRARY"), places.configs(), places.installed_program("train"),
      places.is_wheel(), places.REPOSITORY, sep="\\n")
"""


class PlacesTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())).resolve()

    def lay_out(self, package, *files):
        for name in ("__init__.py", "error.py", "places.py"):
            (self.root / package).mkdir(parents=True, exist_ok=True)
            shutil.copy(PACKAGE / name, self.root / package / name)
        for file in files:
            (self.root / file).parent.mkdir(parents=True, exist_ok=True)
            (self.root / file).touch()
        self.packages = (self.root / package).parent

    def ask(self, text=ASK, **environment):
        """Lines, with what is below the root relative to it."""
        done = subprocess.run(
            [sys.executable, "-c", text],
            capture_output=True,
            text=True,
            env={**os.environ, **environment, "PYTHONPATH": str(self.packages)},
        )
        return [line.removeprefix(f"{self.root}/") for line in (done.stdout or done.stderr).splitlines()]

    def test_a_wheel(self):
        packages = "venv/lib/python3/site-packages"
        self.lay_out(
            f"{packages}/dray",
            *(f"{packages}/dray/{file}" for file in ("bin/train", "lib/libdray.so", "configs/smoke.yaml")),
        )
        self.assertEqual(
            self.ask(),
            [f"{packages}/dray/{file}" for file in ("bin/train", "lib/libdray.so", "configs", "bin/train")]
            + ["True", "None"],
        )

    def test_a_bundle(self):
        self.lay_out("bundle/python/dray", "bundle/bin/train", "bundle/lib/libdray.so", "bundle/configs/smoke.yaml")
        self.assertEqual(
            self.ask(), ["bundle/bin/train", "bundle/lib/libdray.so", "bundle/configs", "None", "False", "None"]
        )

    def test_a_clone(self):
        self.lay_out(
            "clone/src/python/dray",
            "clone/WORKSPACE",
            "clone/bazel-bin/ray_actors/train",
            "clone/bazel-bin/src/api/libdray.so",
            "clone/configs/smoke.yaml",
        )
        self.assertEqual(
            self.ask(),
            [
                "clone/bazel-bin/ray_actors/train",
                "clone/bazel-bin/src/api/libdray.so",
                "clone/configs",
                "None",
                "False",
                "clone",
            ],
        )

    def test_what_is_named_wins_and_must_be_there(self):
        self.lay_out("bundle/python/dray", "bundle/bin/train", "other/train")
        ask = "from dray import places; print(places.program('train'))"
        self.assertEqual(self.ask(ask, DRAY_TRAIN=str(self.root / "other" / "train")), ["other/train"])
        self.assertIn("DRAY_TRAIN=/nowhere: there is no such file", self.ask(ask, DRAY_TRAIN="/nowhere")[-1])

    def test_what_is_missing_is_told_with_what_to_do(self):
        self.lay_out("bundle/python/dray")
        said = self.ask("from dray import places; places.program('train')")[-1]
        self.assertIn("the program train was not found: build it (bazel build //:train), or set DRAY_TRAIN", said)


if __name__ == "__main__":
    unittest.main()
