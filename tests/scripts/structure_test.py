"""scripts/structure.py counts what it says it counts, and exits with 1 if a goal is missed."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)).resolve()

TREE = {
    "BUILD": "# top\n",
    "src/envs/envs.bzl": 'ENVS = [\n    "maze",\n]\n',
    "src/envs/maze/maze.cc": '#include "src/env/env.h"\nint maze = 1;\n',
    "src/env/env.h": "#pragma once\n// One environment.\nint Step();  // number of the step\n",
    "src/learn/learner.h": '#pragma once\n#include "src/env/env.h"\n// Trains.\n',
    "src/rollout/shard.h": '#pragma once\n#include "src/env/env.h"\n// Steps environments.\n',
    "src/loop/loop.h": '#pragma once\n#include "src/learn/learner.h"\n// Repeats rollout and update.\n',
    "src/api/api.cc": '#include "src/envs/maze/maze.h"\n',
    "src/python/dray/envs.py": "def make(name: str) -> str:\n    return name\n",
}


class Structure(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for place, text in TREE.items():
            self.write(place, text)

    def write(self, place, text):
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, *arguments):
        command = [sys.executable, SCRIPT, "--root", self.root, *arguments]
        return subprocess.run(command, capture_output=True, text=True)

    def number(self, what):
        row = next(line for line in self.run_script().stdout.splitlines() if line.startswith(what))
        return float(row.removeprefix(what).split()[0])

    def test_a_tree_that_meets_every_goal_passes(self):
        done = self.run_script()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.number("lines of src below loop"), 6)
        self.assertEqual(self.number("lines of code that name a task outside its folder"), 1)

    def test_modules_that_include_a_task_are_counted(self):
        for module in ("learn", "rollout"):
            self.write(f"src/{module}/more.cc", '#include "src/envs/maze/maze.h"\n')
        self.assertEqual(self.number("modules that include envs"), 3)
        self.assertEqual(self.run_script().returncode, 1)

    def test_comments_are_judged_by_their_first_word(self):
        self.write("src/env/more.h", "#pragma once\n// Of the step.\n\n// With the next step.\nint a;  // at the end\n")
        listed = self.run_script("--list", "comments").stdout.splitlines()
        self.assertEqual([line.partition(":")[2].split(": ")[0] for line in listed], ["2", "4", "5"])
        self.assertEqual(self.run_script().returncode, 1)

    def test_a_function_without_types_is_named(self):
        self.write("src/python/dray/more.py", "def free(x):\n    return x\n\n\ndef _private(x):\n    return x\n")
        self.assertEqual(self.run_script("--list", "untyped").stdout, "src/python/dray/more.py:1: free\n")
        self.assertEqual(self.run_script().returncode, 1)


if __name__ == "__main__":
    unittest.main()
