"""Environments in C from outside of Dray, with the real commands: the example project of the documentation and a library made for tests.

Arguments: train, evaluate, check_env.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path("tests/commands").resolve()))
import commands

CHECK_ENV = os.path.abspath(sys.argv.pop(1))
EXAMPLE = pathlib.Path("scripts/examples/own_env_c").resolve()
WALK = pathlib.Path("tests/envs/plugin/walk.c").resolve()
ROOT = pathlib.Path().resolve()
SHORT = (
    "--set",
    "run.device=cpu",
    "--set",
    "run.runner=local",
    "--set",
    "train.rollout_steps=32",
    "--num-envs",
    "8",
    "--set",
    "scale.envs_per_shard=8",
    "--log-interval",
    "1",
)


class OwnEnvTest(commands.CommandTest):
    def setUp(self):
        super().setUp()
        shutil.copytree(commands.CONFIGS, self.folder / "configs")

    def compiled(self, source, *flags, name="libmine.so"):
        command = ["cc", "-std=c99", "-O2", "-shared", "-fPIC", f"-I{ROOT}", *flags, "-o", name, source, "-lm"]
        subprocess.run([str(part) for part in command], cwd=self.folder, check=True)
        return f"./{name}"

    def fails(self, code, *command):
        result = self.run_command(*command)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        return result.stderr

    def train_library(self, run, library, *flags):
        return self.succeeds(commands.TRAIN, "--env", library, "--run-dir", run, *SHORT, *flags)

    def test_the_example_is_trained_evaluated_and_resumed_exactly(self):
        library = self.compiled(EXAMPLE / "cartpole.c")
        options = ("--set", "env.plugin.options=max_steps=50", "--epochs", "8")
        self.assertIn("my_cartpole", self.train_library("whole", library, *options))
        self.train_library("stopped", library, *options, "--duration", "0.001s")
        self.assertLess(self.metrics("stopped")[-1]["epoch"], 8)
        self.resume("stopped", "--duration", "0s")
        self.assert_same_metrics("whole", "stopped")
        report = self.evaluate("--run-dir", "whole", "--episodes", "5")
        self.assertEqual(report["env"], "my_cartpole")
        self.assertLessEqual(report["return_mean"], 50)

    def test_without_save_a_run_resumes_exactly_as_well(self):
        library = self.compiled(WALK, "-DSAVE=NULL", "-DLOAD=NULL")
        self.train_library("whole", library, "--epochs", "8")
        self.train_library("stopped", library, "--epochs", "8", "--duration", "0.001s")
        self.resume("stopped", "--duration", "0s")
        self.assert_same_metrics("whole", "stopped")

    def test_a_library_that_cannot_be_used_is_refused_in_one_line(self):
        for flag, said in (
            ("-DVERSION=2", "is made for version 2 of dray_env.h"),
            ("-DSTEP=NULL", "its table has no function step"),
            ("-DENTRY=another", "exports no function dray_env"),
        ):
            with self.subTest(flag):
                library = self.compiled(WALK, flag)
                self.assertIn(said, self.fails(2, commands.TRAIN, "--env", library))
        self.assertIn("no such library on ", self.fails(2, commands.TRAIN, "--env", "./libnone.so"))
        self.write("libtext.so", "text")
        self.assertIn("cannot be loaded", self.fails(2, commands.TRAIN, "--env", "./libtext.so"))
        self.assertIn("your own: FILE.so", self.fails(2, commands.TRAIN, "--env", "libmine.dll"))

    def test_a_failure_in_a_step_ends_the_run_with_its_place(self):
        library = self.compiled(WALK)
        flags = ("--run-dir", "run", *SHORT, "--set", "env.plugin.options=fail_step", "--epochs", "2")
        result = self.run_command(commands.TRAIN, "--env", library, *flags)
        self.assertEqual(result.returncode, 1)
        self.assertIn("libmine.so: environment 1 of walk, step 3: lost the way", result.stderr)

    def test_check_env_passes_the_example_and_names_what_others_break(self):
        passed = self.succeeds(CHECK_ENV, "--env", self.compiled(EXAMPLE / "cartpole.c"))
        self.assertTrue(
            passed.startswith("my_cartpole: 4 numbers per observation, 2 actions, at most 500 steps"), passed
        )
        self.assertNotIn("FAILED", passed)
        self.assertRegex(passed, r"\nspeed   [\d,]+ steps/s")
        library = self.compiled(WALK)
        for options, property in (
            ("clock", "the same seed and actions give the same bytes"),
            ("shared", "an environment is the same in any layout"),
            ("forgets", "a loaded batch goes on as the saved one would"),
        ):
            with self.subTest(options):
                result = self.run_command(CHECK_ENV, "--env", library, "--set", f"env.plugin.options={options}")
                self.assertEqual(result.returncode, 1)
                self.assertIn(f"FAILED  {property}: environment ", result.stdout)

    def test_check_env_prints_the_header_that_the_example_is_compiled_with(self):
        self.assertEqual(self.succeeds(CHECK_ENV, "--header"), (EXAMPLE / "dray_env.h").read_text())
        self.assertIn("--env ./libmy_env.so", self.fails(2, CHECK_ENV))

    def test_check_env_checks_tasks_of_dray_too(self):
        self.assertIn("passed  damaged states do no harm", self.succeeds(CHECK_ENV, "--env", "cartpole"))

    @unittest.skipIf(shutil.which("cmake") is None, "cmake is not installed")
    def test_the_example_is_a_project_of_its_own(self):
        shutil.copytree(EXAMPLE, self.folder / "project")
        for command in (("cmake", "-S", "project", "-B", "build"), ("cmake", "--build", "build")):
            done = self.run_command(*command)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.succeeds(CHECK_ENV, "--env", "build/libmy_cartpole.so")


if __name__ == "__main__":
    commands.main()
