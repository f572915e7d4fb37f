"""scripts/test.sh with a stand-in for Bazel: what it shows, its closing line and its exit code.

Arguments: scripts/test.sh, scripts/test_progress.py.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

SCRIPTS = [pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2)]
# Prints the lines that it is told, and keeps the words that it was called with. Told to hang, it keeps the processes beside it, too, and waits.
BAZEL = """#!/usr/bin/env python3
import json, os, sys, time
told = json.loads(os.environ["FAKE_BAZEL"])
print(*sys.argv[1:], file=open(os.environ["FAKE_BAZEL_WORDS"], "a"))
if "hang" in told:
    def parent(pid):
        return open(f"/proc/{pid}/stat").read().rpartition(") ")[2].split()[1]
    script = parent(os.getppid())
    children = [pid for pid in os.listdir("/proc") if pid.isdigit() and os.path.exists(f"/proc/{pid}/stat") and parent(pid) == script]
    print(*children, file=open(told["hang"] + ".new", "w"), flush=True)
    os.rename(told["hang"] + ".new", told["hang"])
    while os.path.exists(told["hang"]):
        time.sleep(0.01)
for line in told["says"]:
    print(line, file=sys.stderr, flush=True)
sys.exit(told["code"])
"""


def ended(name, outcome):
    """As in Bazel's summary."""
    return f"{name:<63} {outcome}"


class TestScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.words = self.root / "words"
        (self.root / "scripts").mkdir()
        for script in SCRIPTS:
            shutil.copy(script, self.root / "scripts")
        self.write("scripts/setup.sh", "#!/bin/sh\necho setup: ran\n")
        self.write("scripts/layout.py", "")
        self.write("bin/bazel", BAZEL)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def start(self, told, *flags):
        environment = {
            **os.environ,
            "PATH": f"{self.root}/bin:{os.environ['PATH']}",
            "DRAY_VENV": sys.prefix,
            "FAKE_BAZEL_WORDS": str(self.words),
            "FAKE_BAZEL": json.dumps(told),
        }
        return subprocess.Popen(
            [self.root / "scripts/test.sh", *flags],
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def script(self, says, code, expected_code, *flags):
        process = self.start({"says": says, "code": code}, *flags)
        printed, _ = process.communicate()
        self.assertEqual(process.returncode, expected_code, printed)
        return printed

    def test_each_test_is_a_line_with_its_outcome_and_seconds(self):
        text = self.script(
            [
                "Analyzing: 7 targets (3 packages loaded)",
                ended("//a:a_test", "PASSED in 1.2s"),
                ended("//b:b_test", "(cached) PASSED in 60.0s"),
                "",
                "Executed 1 out of 2 tests: 2 tests pass.",
            ],
            0,
            0,
        )
        self.assertRegex(text, r"(?m)^passed +1\.2 s  //a:a_test$")
        self.assertRegex(text, r"(?m)^passed +60\.0 s \(cached\)  //b:b_test$")
        self.assertNotIn("Analyzing", text)
        self.assertEqual(text.splitlines()[-1], "2 passed, 0 failed")

    def test_building_shows_how_far_it_is_now_and_then(self):
        text = self.script(
            [
                *(f"[{i} / 305] 1 / 3 tests, 1 failed; Compiling x{i}.cc; 3s local" for i in range(68, 168)),
                ended("//a:a_test", "PASSED in 0.1s"),
            ],
            0,
            0,
        )
        lines = [line for line in text.splitlines() if "actions" in line]
        self.assertEqual(len(lines), 1, "one line in 20 seconds")
        self.assertRegex(lines[0], r"^ +0:0\d  68 of 305 actions, 1 of 3 tests, 1 failed; Compiling x68\.cc; 3s local$")

    def test_a_failed_test_shows_its_output_and_is_named_at_the_end(self):
        text = self.script(
            [
                "==== Test output for //b:b_test:",
                "what went wrong",
                ended("//b:b_test", "FAILED in 0.1s"),
                "  /some/where/test.log",
                ended("//a:a_test", "TIMEOUT in 900.0s"),
            ],
            3,
            1,
        )
        self.assertIn("\nwhat went wrong\n", text)
        self.assertRegex(text, r"(?m)^FAILED +0\.1 s  //b:b_test$")
        self.assertEqual(text.splitlines()[-3:], ["TIMEOUT: //a:a_test", "FAILED: //b:b_test", "0 passed, 2 failed"])

    def test_tests_that_could_not_be_built_or_run_have_failed(self):
        text = self.script(
            [
                "ERROR: x.cc did not compile",
                ended("//a:a_test", "PASSED in 0.1s"),
                ended("//b:b_test", "FAILED TO BUILD"),
                ended("//c:c_test", "NO STATUS"),
                ended("//d:d_test", "FAILED in 3 out of 3 in 1.5s"),
            ],
            1,
            1,
        )
        self.assertIn("\nERROR: x.cc did not compile\n", text)
        self.assertEqual(
            text.splitlines()[-4:],
            ["FAILED TO BUILD: //b:b_test", "NO STATUS: //c:c_test", "FAILED: //d:d_test", "1 passed, 3 failed"],
        )

    def test_a_broken_build_or_no_test_is_a_failure(self):
        text = self.script(["ERROR: BUILD:1:1: syntax error"], 1, 1)
        self.assertEqual(text.splitlines()[-2:], ["ERROR: BUILD:1:1: syntax error", "0 passed, 1 failed"])
        self.assertEqual(self.script([], 0, 1).splitlines()[-1], "0 passed, 1 failed")
        # All tests passed and something else did not build.
        self.assertEqual(
            self.script([ended("//a:a_test", "PASSED in 0.1s")], 1, 1).splitlines()[-1], "1 passed, 1 failed"
        )

    def test_a_wrong_layout_ends_it_before_the_build(self):
        self.write("scripts/layout.py", "import sys\nprint('layout: src/a.h:1: wrong')\nsys.exit(1)\n")
        text = self.script([], 0, 1)
        self.assertEqual(text.splitlines()[-2:], ["layout: src/a.h:1: wrong", "0 passed, 1 failed"])
        self.assertFalse(self.words.exists())

    def test_flags_say_what_is_tested(self):
        for flags, wanted in [
            ((), [" -- //..."]),
            (("--asan",), [" --config=asan -- //..."]),
            (("--tsan",), [" --config=tsan -- //tests/loop:threads"]),
            (
                ("--all",),
                [
                    " -- //... //tests/learning:all_long",
                    " --config=asan -- //...",
                    " --config=tsan -- //tests/loop:threads",
                    "build --config=edit //src/...",
                ],
            ),
        ]:
            self.words.unlink(missing_ok=True)
            self.script([ended("//a:a_test", "PASSED in 0.1s")], 0, 0, *flags)
            words = self.words.read_text().splitlines()
            self.assertEqual(len(words), len(wanted), words)
            for line, end in zip(words, wanted):
                self.assertTrue(line.endswith(end), line)
        self.assertIn("unknown argument --al", self.script([], 0, 2, "--al"))

    def test_whatever_fails_fails_the_whole(self):
        self.script([ended("//a:a_test", "FAILED in 0.1s")], 3, 1, "--all")

    def start_under_load(self):
        """The script while its tests run, and its busy loops."""
        hang = self.root / "hang"
        process = self.start(
            {"says": [ended("//a:a_test", "PASSED in 0.1s")], "code": 0, "hang": str(hang)}, "--under-load"
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(hang.unlink, missing_ok=True)
        while not hang.exists():
            self.assertIsNone(process.poll())
            time.sleep(0.01)
        loops = [
            pid
            for pid in hang.read_text().split()
            if b"test_progress" not in pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        ]
        self.assertEqual(len(loops), 4)
        return process, loops

    def wait_for_the_end_of(self, loops):
        def lives(pid):
            try:
                return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][0] not in "ZX"
            except OSError:
                return False

        while any(map(lives, loops)):
            time.sleep(0.01)

    def test_load_is_four_busy_loops_that_end_with_the_tests(self):
        process, loops = self.start_under_load()
        (self.root / "hang").unlink()
        printed, _ = process.communicate()
        self.assertEqual((process.returncode, printed.splitlines()[-1]), (0, "1 passed, 0 failed"))
        self.wait_for_the_end_of(loops)

    def test_load_does_not_outlive_a_script_that_is_interrupted_or_killed(self):
        for end, number in ((os.killpg, signal.SIGINT), (os.kill, signal.SIGTERM), (os.kill, signal.SIGKILL)):
            process, loops = self.start_under_load()
            end(process.pid, number)
            process.wait()
            self.wait_for_the_end_of(loops)
            (self.root / "hang").unlink()  # ends what the script had started


if __name__ == "__main__":
    unittest.main()
