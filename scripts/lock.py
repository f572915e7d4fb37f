#!/usr/bin/env python3
"""Writes the lists of scripts/packages: exact version and SHA-256 of every Python package that set-up installs.

  scripts/lock.py             after a change of the .in files: other packages keep their versions if possible
  scripts/lock.py --upgrade   newest versions of everything that the .in files do not pin

Queries pip's configured indexes for x86_64 and aarch64, and downloads only metadata if the index offers it. Installs nothing outside a
temporary folder. Needs Debian 12's Python, whose version the lists are for.

  torch.txt   dependencies of every build of LibTorch   cuda.txt    LibTorch's default build with its CUDA libraries
  ray.txt     further packages for ray.in               tests.txt   further packages for tests.in

Each line is one wheel in pip's format: `pip install --no-deps --require-hashes -r ray.txt` installs the list.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse
import venv

from install_packages import FOLDER, PYTHON, locked

MACHINES = ("x86_64", "aarch64")
CUDA = re.compile(r"torch$|triton$|nvidia-|cuda-")
# Runs pip as if on a machine of that architecture: its tags and environment markers come from these two places.
PIP_ON = """
import os, platform, sys
os.environ["_PYTHON_HOST_PLATFORM"] = "linux-" + sys.argv[1]
platform.machine = lambda: sys.argv[1]
from pip._internal.cli.main import main
sys.exit(main(sys.argv[2:]))
"""


def canonical(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def resolve(python, machine, inputs, constraints):
    """Returns {package: (version, file, SHA-256)} that pip would install for these .in files."""
    with (
        tempfile.NamedTemporaryFile("w+", suffix=".json") as report,
        tempfile.NamedTemporaryFile("w", suffix=".txt") as pins,
    ):
        pins.write("".join(f"{name}=={version}\n" for name, version in constraints.items()))
        pins.flush()
        files = [word for name in inputs for word in ("-r", FOLDER / f"{name}.in")]
        command = [
            python,
            "-c",
            PIP_ON,
            machine,
            "install",
            "--dry-run",
            "--ignore-installed",
            "--only-binary=:all:",
            "--quiet",
            "--disable-pip-version-check",
            "--report",
            report.name,
            "-c",
            pins.name,
            *files,
        ]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            sys.exit(f"{done.stdout}lock: pip could not resolve {', '.join(inputs)} for {machine} (above)")
        found = {}
        for each in json.load(report)["install"]:
            file = urllib.parse.unquote(urllib.parse.urlsplit(each["download_info"]["url"]).path.rsplit("/", 1)[-1])
            digest = each["download_info"]["archive_info"].get("hashes", {}).get("sha256")
            if digest is None:
                sys.exit(f"lock: the index gives no SHA-256 for {file}: lock with one that does")
            found[canonical(each["metadata"]["name"])] = (each["metadata"]["version"], file, digest)
        return found


def lines(names, resolved):
    """Returns the lines of a list, one per wheel; a wheel for a single architecture has a marker."""
    for name in sorted(names):
        wheels = {machine: found[name] for machine, found in resolved.items() if name in found}
        everywhere = len(wheels) == len(MACHINES) and len(set(wheels.values())) == 1
        for machine, (version, file, digest) in list(wheels.items())[:1] if everywhere else wheels.items():
            marker = "" if everywhere else f'; platform_machine == "{machine}"'
            equal = "===" if name == "torch" else "=="
            yield f"{name}{equal}{version}{marker} --hash=sha256:{digest}  # {file}\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="use the newest versions that the .in files allow")
    arguments = parser.parse_args()
    if sys.version_info[:2] != PYTHON:
        sys.exit(
            f"lock: the lists are for Python {PYTHON[0]}.{PYTHON[1]}; start this with /usr/bin/python3 of Debian 12"
        )
    named = {
        canonical(re.match(r"[\w.-]+", line)[0])
        for path in FOLDER.glob("*.in")
        for line in path.read_text().splitlines()
        if line and not line.startswith("#")
    }
    kept = (
        {}
        if arguments.upgrade
        else {
            package.name: package.version
            for path in FOLDER.glob("*.txt")
            for package in locked(path)
            if package.name not in named
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = pathlib.Path(folder) / "bin/python"
        # An older pip downloads whole wheels in a dry run.
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--upgrade", "pip"], check=True
        )
        everything = {machine: resolve(python, machine, ("torch", "ray", "tests"), kept) for machine in MACHINES}
        for name in set().union(*everything.values()):
            versions = {found[name][0] for found in everything.values() if name in found}
            if len(versions) > 1:
                sys.exit(f"lock: {name} has no version for both architectures: {', '.join(sorted(versions))}")
        pins = {name: found[name][0] for found in everything.values() for name in found if name != "torch"}
        needs = {
            inputs: set().union(*(resolve(python, machine, inputs, pins) for machine in MACHINES))
            for inputs in (("torch",), ("torch", "ray"))
        }
    torch, ray = needs[("torch",)], needs[("torch", "ray")]
    cuda = {name for name in torch if CUDA.match(name)}
    groups = {"torch": torch - cuda, "cuda": cuda, "ray": ray - torch, "tests": set().union(*everything.values()) - ray}
    for group, names in groups.items():
        text = "".join(lines(names, everything))
        (FOLDER / f"{group}.txt").write_text(
            f"# Made by scripts/lock.py; do not edit. For Python {PYTHON[0]}.{PYTHON[1]}.\n{text}"
        )
        print(f"lock: {group}.txt: {len(names)} packages")


if __name__ == "__main__":
    main()
