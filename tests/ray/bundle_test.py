"""//:bundle runs from wherever it is put: copied to a node, and handed to `ray job submit`."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).absolute().parents[2] / "scripts"))
import own_ray  # noqa: E402

BUNDLE, ARCHIVE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
PATIENCE_S = 400
PROGRAMS = (
    "train",
    "evaluate",
    "check_env",
    "search",
    "serve",
    "solve",
    "train_oracle",
    "cage2_replay",
    "waves_play",
    "waves_replay",
    "waves_serve",
)


class BundleTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.bundle = cls.folder / "elsewhere"
        shutil.copytree(BUNDLE, cls.bundle)
        for path in [cls.bundle, *cls.bundle.rglob("*")]:
            path.chmod(0o755)
        cls.ray = own_ray.OwnRay(cpus=4, object_store_mb=150, dashboard=True)
        cls.addClassCleanup(cls.ray.end)

    def environment(self, **extra):
        """As bare as a node's: no build, no virtual environment, no Python with Ray on the PATH."""
        given = {name: value for name, value in self.ray.environment.items() if name.startswith("RAY_")}
        return {"PATH": "/usr/bin:/bin", "HOME": str(self.folder), **given, **extra}

    def run_program(self, *command, **environment):
        return subprocess.run(
            [str(word) for word in command],
            cwd=self.bundle,
            env=self.environment(**environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=PATIENCE_S,
        )

    def assert_trained(self, run):
        reports = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual(reports[-1]["epoch"], 6)

    def test_no_file_of_ours_names_the_machine_that_built_it(self):
        ours = [*(self.bundle / "bin").iterdir(), *(self.bundle / "lib").glob("libdray*")]
        self.assertEqual(len(ours), len(PROGRAMS) + 2)
        for path in ours:
            for trace in (sys.prefix, os.path.realpath(sys.prefix), "_solib", "/execroot/"):
                self.assertNotIn(trace.encode(), path.read_bytes(), f"{path.name}: {trace}")

    def test_every_library_is_in_it_or_on_every_machine(self):
        for path in [*(self.bundle / "bin").iterdir(), *(self.bundle / "lib").iterdir()]:
            listing = self.run_program("ldd", path).stdout
            self.assertNotIn("not found", listing, path.name)
            for line in listing.splitlines():
                found = line.partition(" => ")[2].partition(" (")[0]
                if found:
                    self.assertTrue(found.startswith((str(self.bundle), "/lib", "/usr/lib")), line)

    def test_the_archive_fits_into_a_job(self):
        from ray._private import ray_constants

        self.assertLess(ARCHIVE.stat().st_size, ray_constants.DASHBOARD_CLIENT_MAX_SIZE)

    def test_every_program_starts(self):
        for name in PROGRAMS:
            done = self.run_program(self.bundle / "bin" / name, "--help")
            self.assertEqual(done.returncode, 0, done.stdout)

    def test_the_commands_of_its_readme_work_as_they_are_printed(self):
        lines = [
            line.strip()
            for line in (self.bundle / "README.md").read_text().splitlines()
            if line.startswith("    bin/t")
        ]
        self.assertEqual(len(lines), 3)
        for line in lines:
            done = self.run_program("sh", "-c", line, DRAY_PYTHON=sys.executable)
            self.assertEqual(done.returncode, 0, f"{line}: {done.stdout}")
        self.assertEqual(len(list((self.bundle / "runs").iterdir())), 2)

    def test_the_commands_that_a_run_prints_work_as_they_are_printed(self):
        done = self.run_program(
            "bin/train",
            "--config",
            "smoke",
            "--runner",
            "local",
            "--run-dir",
            self.folder / "a run",
            DRAY_PYTHON=sys.executable,
        )
        printed = dict(re.findall(r"^  (evaluate|see curves) +(\S.*)$", done.stdout, re.M))
        played = self.run_program("sh", "-c", f"{printed['evaluate']} --episodes 1 --json")
        self.assertEqual(json.loads(played.stdout)["episodes"], 1)
        tensorboard = shlex.split(printed["see curves"])
        self.assertTrue(os.access(tensorboard[0], os.X_OK), tensorboard)
        self.assertEqual(tensorboard[1:], ["--logdir", str(self.folder / "a run")])
        bare = self.run_program("bin/train", "--resume", self.folder / "a run", "--epochs", "7")
        self.assertNotIn("see curves", bare.stdout)  # no Python with TensorBoard is known

    def test_a_copy_trains_on_a_cluster(self):
        run = self.folder / "copied"
        done = self.run_program(
            "bin/train", "--config", "smoke", "--runner", "ray", "--run-dir", run, DRAY_PYTHON=sys.executable
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assert_trained(run)

    def test_a_python_without_ray_is_told_in_one_line(self):
        done = self.run_program("bin/train", "--config", "smoke", "--runner", "ray", "--run-dir", self.folder / "none")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout.splitlines()[-1], "^dray: .*python3 has no Ray .*DRAY_PYTHON")

    def test_a_submitted_job_trains_on_the_cluster_that_runs_it(self):
        run = self.folder / "submitted"
        done = self.run_program(
            *(sys.executable, "-m", "ray.scripts.scripts", "job", "submit"),
            *("--address", self.ray.dashboard_url, "--working-dir", ARCHIVE, "--"),
            *("bin/train", "--config", "configs/smoke.yaml", "--runner", "ray", "--run-dir", run),
        )
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("succeeded", done.stdout)
        self.assert_trained(run)


if __name__ == "__main__":
    unittest.main()
