"""Another PATH (a virtual environment that is activated, another terminal) does not make Bazel build anything anew: what it would
run, and the keys by which it knows what was run, stay the same. Argument: scripts/layout.py, which says where the source is.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve().parent.parent
TARGETS = "//src/base:all + //src/config:all + //src/metrics:all + //src/routing:all + //src/loop:all"


class BuildPath(unittest.TestCase):
    def test_every_action_is_the_same_under_another_path(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "copy")
            for name in ("src", "scripts/bazel", "configs"):
                shutil.copytree(ROOT / name, copy / name)
            for name in ("WORKSPACE", "BUILD", ".bazelrc"):
                shutil.copy(ROOT / name, copy)
            first = self.actions(copy, folder, os.environ["PATH"])
            second = self.actions(copy, folder, f"{folder}/shims:{os.environ['PATH']}:/nowhere")
        self.assertGreater(len(re.findall("Mnemonic: CppCompile", first)), 10)
        self.assertGreater(len(re.findall("ActionKey: ", first)), 20)
        self.assertEqual(first, second)

    def actions(self, copy, folder, path):
        environment = {**os.environ, "PATH": path, "DRAY_VENV": sys.prefix, "HOME": folder}
        asked = subprocess.run(
            ["bazel", "--batch", f"--output_base={folder}/bazel", "aquery", "--output=text", TARGETS],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
        )
        self.assertEqual(asked.returncode, 0, asked.stderr)
        return asked.stdout


if __name__ == "__main__":
    unittest.main()
