"""scripts/install_torch.sh with a pip that only notes what it was asked for. Argument: the script."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.realpath(sys.argv.pop(1))
VERSION = subprocess.run([SCRIPT, "--version"], capture_output=True, text=True, check=True).stdout.strip()
# Says at which indices the build without CUDA is: "own", or a URL.
PIP = """#!/bin/sh
echo "$*" >>"$ASKED"
[ "$1" = index ] || exit 0
place=own; for word in "$@"; do [ "$before" = --index-url ] && place=$word; before=$word; done
case " $OFFERED " in *" $place "*) echo "Available versions: 9.9.9, VERSION+cpu, VERSION" ;; *) echo "Available versions: 9.9.9, VERSION" ;; esac
"""
# Says its own version, and that of the torch that is there.
PYTHON = """#!/bin/sh
case "$2" in *version_info*) echo 3.11 ;; *) [ -n "$THERE" ] && echo "$THERE" ;; esac
"""
LOCKED = "--no-deps --require-hashes"


class InstallTorchTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.write("venv/bin/pip", PIP.replace("VERSION", VERSION))
        self.write("venv/bin/python", PYTHON)
        self.write("path/df", "#!/bin/sh\necho head\necho disk 0 0 $FREE_KB\n")

    def write(self, name, text):
        file = self.folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        file.chmod(0o755)

    def install(self, *words, offered="", there="", free_gb=100, code=0):
        """What pip was told to install, one line a call, and what was said."""
        asked = self.folder / "asked"
        asked.write_text("")
        environment = {
            "PATH": f"{self.folder / 'path'}:/usr/bin:/bin",
            "ASKED": str(asked),
            "OFFERED": offered,
            "THERE": there,
            "FREE_KB": str(int(free_gb * 1024 * 1024)),
        }
        done = subprocess.run(
            [SCRIPT, "--venv", self.folder / "venv", *words], env=environment, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        installs = [line for line in asked.read_text().splitlines() if line.startswith("install ")]
        told = "\n".join(line.removeprefix("install --disable-pip-version-check --quiet ") for line in installs)
        return re.sub(r"/\S*/packages/", "", told), done.stdout + done.stderr

    def test_without_cuda_from_the_own_index_if_that_has_it(self):
        installed, _ = self.install("--torch", "cpu", offered="own")
        self.assertEqual(installed, f"--no-deps torch=={VERSION}+cpu\n{LOCKED} -r torch.txt")

    def test_else_from_the_other_index_and_torch_alone(self):
        installed, said = self.install("--torch", "cpu", "--torch-index", "https://other", offered="https://other")
        self.assertEqual(installed, f"--index-url https://other --no-deps torch=={VERSION}+cpu\n{LOCKED} -r torch.txt")
        self.assertIn("without CUDA, from https://other", said)

    def test_else_the_default_build_with_a_word_about_it(self):
        installed, said = self.install("--torch", "cpu", "--torch-index", "https://other")
        self.assertEqual(installed, f"{LOCKED} -r torch.txt -r cuda.txt")
        self.assertIn(f"no LibTorch without CUDA (torch {VERSION}+cpu) at pip's own index and at https://other", said)
        self.assertIn("downloading 2.6 GB", said)

    def test_no_other_index_is_asked_if_that_is_forbidden(self):
        _, said = self.install("--torch", "cpu", "--torch-index", "none")
        self.assertIn("at pip's own index: using the default build", said)
        self.assertNotIn("--index-url", (self.folder / "asked").read_text())

    def test_with_cuda_no_index_is_asked(self):
        installed, _ = self.install("--torch", "cuda", offered="own")
        self.assertEqual(installed, f"{LOCKED} -r torch.txt -r cuda.txt")
        self.assertNotIn("index versions", (self.folder / "asked").read_text())

    def test_the_disk_is_checked_for_the_build_that_was_chosen(self):
        self.install("--torch", "cpu", "--beside", "5", offered="own", free_gb=6)
        installed, said = self.install("--torch", "cpu", "--beside", "5", free_gb=6, code=1)
        self.assertEqual(installed, "")
        self.assertIn("6.0 GB of disk are free", said)
        self.assertIn("LibTorch needs 7.6 GB", said)

    def test_what_is_there_stays_unless_it_lacks_cuda(self):
        self.assertEqual(self.install("--torch", "cpu", there=VERSION)[0], "")
        self.assertEqual(self.install("--torch", "cpu", there=f"{VERSION}+cpu")[0], "")
        self.assertEqual(self.install("--torch", "cuda", there=f"{VERSION}+cu130")[0], "")
        self.assertEqual(
            self.install("--torch", "cuda", there=f"{VERSION}+cpu")[0], f"{LOCKED} -r torch.txt -r cuda.txt"
        )
        self.assertIn(f"torch=={VERSION}+cpu", self.install("--torch", "cpu", there="1.0", offered="own")[0])

    def test_newer_releases_are_taken_of_what_it_needs_and_never_of_itself(self):
        self.assertEqual(
            self.install("--torch", "cpu", "--allow-newer", offered="own")[0],
            f"--no-deps torch=={VERSION}+cpu\ntorch=={VERSION}",
        )
        self.assertEqual(self.install("--torch", "cuda", "--allow-newer")[0], f"torch=={VERSION} torch==={VERSION}")

    def test_mistakes_are_one_line(self):
        for words, message in (
            (("--torch", "gpu"), "use cpu or cuda"),
            (("--torch",), "--torch needs a value"),
            (("--tarch", "cpu"), "unknown argument --tarch"),
        ):
            self.assertIn(message, self.install(*words, code=2)[1])


if __name__ == "__main__":
    unittest.main()
