"""Set-up notices a download that is not the file it was. Arguments: scripts/check_hashes.py, scripts/install_torch.sh."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

CHECK, INSTALL = (os.path.realpath(sys.argv.pop(1)) for _ in range(2))
KNOWN = {name: digest for digest, name in
         (line.split() for line in (pathlib.Path(CHECK).parent / "hashes.txt").read_text().splitlines())}
TORCH = next(name for name in KNOWN if name.startswith("torch-"))
# Installs nothing, and reports this.
PIP = """#!/bin/sh
echo "$*" >>"$ASKED"
if [ "$1" = install ] && [ "$PIP_ONLY_BINARY" = :all: ]; then cp "$SAID" "$PIP_REPORT"; fi
"""


class CheckHashesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def report(self, *files):
        """What pip says it installed: (file, sha256, or None where the index gave none)."""
        installed = []
        for name, digest in files:
            archive = {"hashes": {"sha256": digest}} if digest else {}
            installed.append({"metadata": {"name": name.split("-")[0]},
                              "download_info": {"url": f"https://host/x/{name.replace('+', '%2B')}", "archive_info": archive}})
        path = self.folder / "report.json"
        path.write_text(json.dumps({"version": "1", "install": installed}))
        return path

    def check(self, path):
        return subprocess.run([sys.executable, CHECK, path], capture_output=True, text=True)

    def test_what_it_was_passes(self):
        result = self.check(self.report(*list(KNOWN.items())[:5]))
        self.assertEqual((result.returncode, result.stdout.strip()), (0, ""))
        self.assertIn("5 of 5 files are those of scripts/hashes.txt", result.stderr)

    def test_another_file_of_the_same_name_does_not(self):
        name = "ray_cpp-2.59.0-py3-none-manylinux2014_x86_64.whl"
        result = self.check(self.report((TORCH, KNOWN[TORCH]), (name, "0" * 64)))
        self.assertEqual((result.returncode, result.stdout.strip()), (1, "ray_cpp"))
        self.assertIn(f"{name} is not the file it was: its SHA-256 is {'0' * 64}, not {KNOWN[name]}", result.stderr)

    def test_newer_files_and_those_without_a_hash_are_counted(self):
        result = self.check(self.report((TORCH, KNOWN[TORCH]), ("new-9.0-py3-none-any.whl", "1" * 64), ("torch-2.13.0+cpu.whl", None)))
        self.assertEqual(result.returncode, 0)
        self.assertIn("1 of 3 files are those of scripts/hashes.txt; 2 are newer or of another build, 1 of them without a hash",
                      result.stderr)

    def test_a_pip_without_reports_is_told_of(self):
        result = self.check(self.folder / "none")
        self.assertEqual(result.returncode, 0)
        self.assertIn("this pip writes no report", result.stderr)

    def test_set_up_takes_it_off_again_and_fails(self):
        for name, text in (("venv/bin/pip", PIP), ("venv/bin/python", "#!/bin/sh\nexit 1\n")):
            file = self.folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)
        asked = self.folder / "asked"
        environment = {"PATH": "/usr/bin:/bin", "ASKED": str(asked), "SAID": str(self.report((TORCH, "0" * 64)))}
        result = subprocess.run([INSTALL, "--venv", self.folder / "venv", "--torch", "cuda"], env=environment,
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertIn("removed torch again: another file than before at the package index", result.stderr)
        self.assertIn("uninstall --quiet --yes torch", asked.read_text())

    def test_the_list_has_what_set_up_names_for_both_architectures(self):
        for package in ("torch-2.13.0", "ray-2.59.0", "ray_cpp-2.59.0"):
            for machine in ("x86_64", "aarch64"):
                self.assertTrue([name for name in KNOWN if name.startswith(package + "-") and machine in name], (package, machine))


if __name__ == "__main__":
    unittest.main()
