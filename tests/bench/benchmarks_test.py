"""Every benchmark compiles and starts, though none runs here. Argument: scripts/bench/peers.py."""

import importlib.util
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PEERS = pathlib.Path(os.path.realpath(sys.argv.pop(1)))
FOLDER = PEERS.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(FOLDER))
import peers  # noqa: E402

# The command that compiles each benchmark in C++, up to its output.
COMPILERS = {"peers_rltools.cc": lambda: peers.rltools_compiler("pendulum", sys.executable)[0]}


class BenchmarksTest(unittest.TestCase):
    def test_every_cc_file_compiles(self):
        for package in ("rltools", "scipy_openblas32"):
            self.assertIsNotNone(
                importlib.util.find_spec(package), f"{package} is not installed: scripts/setup.sh installs it"
            )
        files = {path.name for path in FOLDER.glob("*.cc")}
        self.assertEqual(files, set(COMPILERS), "say here how to compile each")
        for name in sorted(files):
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                # All templates are instantiated; nothing is optimised.
                done = subprocess.run(
                    [*COMPILERS[name](), "-O0", "-c", "-o", f"{folder}/object.o"], capture_output=True, text=True
                )
                self.assertEqual(done.returncode, 0, done.stderr[:3000])

    def test_the_formatter_keeps_the_order_of_includes_that_rltools_needs(self):
        text = (FOLDER / "peers_rltools.cc").read_text()
        kept = re.search(r"^// clang-format off\n(.*?)^// clang-format on\n", text, re.M | re.S)[1]
        includes = [line for line in text.splitlines() if line.startswith("#include <rl_tools/")]
        self.assertGreater(len(includes), 5)
        self.assertEqual(includes, [line for line in kept.splitlines() if line.startswith("#")])
        self.assertEqual(includes[0], "#include <rl_tools/operations/cpu_mux.h>")

    def test_every_program_explains_itself(self):
        programs = [path for path in sorted(FOLDER.glob("*.py")) if path.read_text().startswith("#!")]
        self.assertGreater(len(programs), 10)
        for path in programs:
            with self.subTest(path.name):
                done = subprocess.run([sys.executable, "-B", path, "--help"], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("usage: ", done.stdout)

    def test_every_other_file_is_valid(self):
        for path in sorted(FOLDER.glob("*.py")):
            with self.subTest(path.name):
                compile(path.read_text(), path, "exec")
        for path in sorted(FOLDER.glob("*.sh")):
            with self.subTest(path.name):
                self.assertEqual(subprocess.run(["bash", "-n", path]).returncode, 0)


if __name__ == "__main__":
    unittest.main()
