"""scripts/bench/large_batches.py with the real train and a stand-in for JAX's interpreter. Arguments: the script, the train command."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT, TRAIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))


def run(*words):
    return subprocess.run([sys.executable, SCRIPT, *map(str, words)], capture_output=True, text=True)


def program(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


class LargeBatchesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        # Trains for some epochs, whatever time they take.
        few = f'exec {TRAIN} "$@" --duration 0s --epochs 6 --log-interval 1 --device cpu'
        self.words = ["--train", program(self.folder / "train", few), "--shapes", "8x16/32", "--repeats", "1"]

    def test_both_are_measured(self):
        jax = program(self.folder / "jax", "echo '{\"samples_per_s\": 1.0}'")
        done = run(*self.words, "--jax-python", jax)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"\| 8 × 16 / 32 \| [\d,]+ \([\d,]+ - [\d,]+\) \| 1 \(1 - 1\) \| [\d.]+ \|")

    def test_without_jax_only_dray_is_measured(self):
        jax = program(self.folder / "jax", "echo 'ModuleNotFoundError: no jax here' >&2; exit 1")
        done = run(*self.words, "--jax-python", jax)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("8 × 16 / 32: JAX: ModuleNotFoundError: no jax here", done.stdout)
        self.assertRegex(done.stdout, r"\| 8 × 16 / 32 \| [\d,]+ \([\d,]+ - [\d,]+\) \| – \| – \|")

    def test_a_shape_that_is_none_is_said(self):
        self.assertIn("expected ENVIRONMENTSxSTEPS/MINIBATCH", run("--shapes", "4096").stderr)


if __name__ == "__main__":
    unittest.main()
