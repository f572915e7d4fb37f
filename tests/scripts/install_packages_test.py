"""Set-up installs the files that scripts/packages lists and no others, with a real pip and an index of small wheels.

Argument: scripts/install_packages.py.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import venv
import zipfile

SCRIPT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(SCRIPT.parent))
import install_packages  # noqa: E402


def wheel(folder, name, version, text="", needs=()):
    """A wheel with one module; returns its SHA-256."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    files = {
        f"{name}.py": f"# {text}\n",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
        + "".join(f"Requires-Dist: {each}\n" for each in needs),
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    with zipfile.ZipFile(path, "w") as archive:
        for file, content in files.items():
            archive.writestr(file, content)
        archive.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in (*files, f"{info}/RECORD")))
    return hashlib.sha256(path.read_bytes()).hexdigest()


class InstallTest(unittest.TestCase):
    """The index has apple, which needs pear; the lists have version 1 of both."""

    @classmethod
    def setUpClass(cls):
        cls.fresh = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "venv"
        venv.create(cls.fresh, with_pip=True)

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.index, self.lists = self.folder / "index", self.folder / "scripts/packages"
        self.index.mkdir()
        self.lists.mkdir(parents=True)
        shutil.copy(SCRIPT, self.folder / "scripts")
        for name in install_packages.LISTS:
            self.write_list(name, [])
        self.write_list("ray", [("apple", "1", self.apple()), ("pear", "1", wheel(self.index, "pear", "1"))])
        (self.lists / "ray.in").write_text("apple==1\n")

    def tearDown(self):
        for path in self.modules("*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def modules(self, pattern):
        """Files of apple, pear and torch in the virtual environment."""
        return [
            path
            for path in self.fresh.glob(f"lib/python*/site-packages/{pattern}")
            if re.match("apple|pear|torch", path.name)
        ]

    def apple(self, version="1", text=""):
        return wheel(self.index, "apple", version, text, ["pear"])

    def write_list(self, name, wheels):
        lines = (
            f"{package}=={version} --hash=sha256:{digest}  # {package}-{version}-py3-none-any.whl\n"
            for package, version, digest in wheels
        )
        (self.lists / f"{name}.txt").write_text("# A list.\n" + "".join(lines))

    def install(self, *words, code=0, **variables):
        environment = {
            **os.environ,
            "PIP_NO_INDEX": "1",
            "PIP_FIND_LINKS": str(self.index),
            "PIP_NO_CACHE_DIR": "1",
            **variables,
        }
        command = [sys.executable, self.folder / "scripts/install_packages.py", "--venv", self.fresh, *words]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(done.returncode, code, done.stdout)
        return done.stdout

    def installed(self):
        return sorted(path.stem.replace("-", "==") for path in self.modules("*.dist-info"))

    def test_the_listed_versions_are_taken_though_newer_ones_are_there(self):
        self.apple("2")
        wheel(self.index, "pear", "2")
        self.assertEqual(self.install("ray"), "setup: 2 of 2 files are those of scripts/packages\n")
        self.assertEqual(self.installed(), ["apple==1", "pear==1"])
        self.assertEqual(self.install("ray"), "", "everything was there")

    def test_a_newer_version_that_is_there_gives_way(self):
        wheel(self.index, "pear", "2")
        self.install("ray", "--allow-newer")
        self.assertEqual(self.installed(), ["apple==1", "pear==2"])
        self.install("ray")
        self.assertEqual(self.installed(), ["apple==1", "pear==1"])

    def test_another_file_of_a_listed_version_is_refused_and_nothing_installed(self):
        listed = hashlib.sha256((self.index / "pear-1-py3-none-any.whl").read_bytes()).hexdigest()
        changed = wheel(self.index, "pear", "1", "changed")
        said = self.install("ray", code=1).splitlines()[-1]
        self.assertRegex(
            said, r"^setup: pear==1 from file://\S*/pear-1-py3-none-any.whl is not the file of scripts/packages"
        )
        self.assertIn(f"its SHA-256 is {changed}, not {listed}; ask who runs that index", said)
        self.assertEqual(self.installed(), [])

    def test_a_version_that_the_index_no_longer_has_is_an_error_that_names_the_flag(self):
        (self.index / "pear-1-py3-none-any.whl").unlink()
        wheel(self.index, "pear", "2")
        said = self.install("ray", code=1).splitlines()[-1]
        self.assertRegex(
            said,
            r"^setup: the package index does not have pear==1 for this machine: .*, or --allow-newer to take newer releases$",
        )
        self.assertEqual(self.installed(), [])

    def test_newer_ones_are_taken_if_allowed_and_named(self):
        self.apple("2")
        digest = wheel(self.index, "pear", "3")
        said = self.install("ray", "--allow-newer")
        self.assertEqual(self.installed(), ["apple==2", "pear==3"])
        self.assertIn("setup: 0 of 2 files are those of scripts/packages\n", said)
        self.assertRegex(
            said, rf"not in scripts/packages: pear 3 from file://\S*/pear-3-py3-none-any.whl, SHA-256 {digest}\n"
        )

    def test_a_listed_file_with_another_content_is_removed_even_then(self):
        changed = wheel(self.index, "pear", "1", "changed")
        said = self.install("ray", "--allow-newer", code=1)
        self.assertIn(f"pear-1-py3-none-any.whl has the SHA-256 {changed}, not ", said)
        self.assertIn("removed pear again", said)
        self.assertEqual(self.installed(), ["apple==1"])

    def test_a_build_that_no_list_has_is_named_with_its_source(self):
        digest = wheel(self.index, "torch", "9.0+cpu")
        said = self.install("--build", "torch==9.0+cpu", "ray")
        self.assertIn("setup: 2 of 3 files are those of scripts/packages\n", said)
        self.assertRegex(
            said,
            rf"not in scripts/packages: torch 9\.0\+cpu from file://\S*/torch-9\.0%2Bcpu-py3-none-any\.whl, SHA-256 {digest}\n",
        )

    def test_no_source_archive_is_built(self):
        (self.index / "pear-1-py3-none-any.whl").rename(self.index / "pear-1.tar.gz")
        self.install("ray", code=1)

    def test_another_python_is_told_before_pip_runs(self):
        (self.folder / "other/bin").mkdir(parents=True)
        python = self.folder / "other/bin/python"
        python.write_text("#!/bin/sh\necho 3.99\n")
        python.chmod(0o755)
        said = self.install("--venv", self.folder / "other", "ray", code=1)
        self.assertEqual(
            said,
            f"setup: scripts/packages is for Python 3.11, and {self.folder}/other has 3.99: "
            "--allow-newer takes what the package index has for it\n",
        )


class ListsTest(unittest.TestCase):
    def setUp(self):
        self.lists = {
            name: install_packages.locked(SCRIPT.parent / f"packages/{name}.txt") for name in install_packages.LISTS
        }

    def test_every_package_of_an_in_file_is_listed_in_that_version(self):
        listed = {(wheel.name, wheel.version) for wheels in self.lists.values() for wheel in wheels}
        named = [
            line
            for path in (SCRIPT.parent / "packages").glob("*.in")
            for line in path.read_text().splitlines()
            if line and not line.startswith("#")
        ]
        self.assertGreater(len(named), 10)
        for line in named:
            name, version = re.fullmatch(r"([\w-]+)(?:\[.*\])?===?(\S+)", line).groups()
            self.assertIn((name, version), listed)

    def test_each_package_has_one_version_and_a_file_for_each_architecture(self):
        packages = {}
        for wheels in self.lists.values():
            for wheel in wheels:
                packages.setdefault(wheel.name, []).append(wheel)
        for name, wheels in packages.items():
            self.assertEqual(len({wheel.version for wheel in wheels}), 1, name)
            self.assertIn({wheel.machine for wheel in wheels}, ({None}, {"x86_64", "aarch64"}), name)
            self.assertEqual(len({wheel.machine for wheel in wheels}), len(wheels), name)

    def test_cuda_is_in_its_own_list(self):
        self.assertIn("torch", {wheel.name for wheel in self.lists["cuda"]})
        for name in ("torch", "ray", "tests"):
            self.assertFalse(
                [wheel.name for wheel in self.lists[name] if wheel.name == "torch" or wheel.name.startswith("nvidia")]
            )


if __name__ == "__main__":
    unittest.main()
