#!/usr/bin/env python3
"""Installs the lists of scripts/packages into a virtual environment: exact versions, checked by SHA-256.

pip rejects any other file before it installs anything (--require-hashes). With --allow-newer, it installs the packages of the .in files with
their dependencies from its index: Ray and LibTorch in their exact versions, others in newer ones. A file that a list names is still compared
with its SHA-256. In both cases only wheels are used, so no downloaded code runs before it was checked.
"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing
import urllib.parse

FOLDER = pathlib.Path(__file__).resolve().parent / "packages"
LISTS = ("torch", "cuda", "ray", "tests")
PYTHON = (3, 11)  # of Debian 12
EXACT = ("ray", "ray-cpp", "torch")  # what Dray is compiled against
LINE = re.compile(
    r'(?P<name>[\w.-]+)===?(?P<version>[^\s;]+)(; platform_machine == "(?P<machine>\w+)")? --hash=sha256:(?P<digest>[0-9a-f]{64})  # (?P<file>\S+)'
)


class Locked(typing.NamedTuple):
    """A wheel in a list."""

    name: str
    version: str
    machine: str | None  # None: for every architecture
    digest: str
    file: str


class Installed(typing.NamedTuple):
    """A wheel reported by pip."""

    name: str
    version: str
    url: str
    digest: str | None

    @property
    def file(self):
        return urllib.parse.unquote(urllib.parse.urlsplit(self.url).path.rsplit("/", 1)[-1])


class Refused(Exception):
    """The reason why pip did not install the packages."""


def locked(path):
    """Reads the wheels of a list."""
    wheels = []
    for line in path.read_text().splitlines():
        if not line.startswith("#"):
            found = LINE.fullmatch(line)
            if not found:
                raise Refused(f"{path}: not a line of scripts/lock.py: {line}")
            wheels.append(Locked(*found.group("name", "version", "machine", "digest", "file")))
    return wheels


def say(text):
    print(f"setup: {text}", flush=True)


def read_report(path):
    """Returns the wheels that pip reports as installed."""
    if os.path.getsize(path) == 0:
        return []  # nothing to install, or a pip without reports
    wheels = []
    for each in json.loads(path.read_text())["install"]:
        archive = each["download_info"].get("archive_info", {})
        digest = archive.get("hashes", {}).get("sha256") or archive.get("hash", "").removeprefix("sha256=") or None
        wheels.append(
            Installed(each["metadata"]["name"], each["metadata"]["version"], each["download_info"]["url"], digest)
        )
    return wheels


def reason(output, what, allow_newer):
    """Returns one line that says why pip failed, taken from its output."""
    if other := re.search(
        r"^ +(\S+==\S+?)(?:;.*?)? from (\S+).*\n +Expected sha256 (\w+)\n(?: +Expected.*\n)* +Got +(\w+)", output, re.M
    ):
        package, url, expected, got = other.groups()
        return (
            f"{package} from {url} is not the file of scripts/packages: its SHA-256 is {got}, not {expected}; "
            "ask who runs that index, or use another (PIP_INDEX_URL)"
        )
    if missing := re.search(r"^ERROR: No matching distribution found for (\S+)", output, re.M):
        package = missing[1].rstrip(";")
        if allow_newer:
            return f"the package index does not have {package} for this machine: use another index (PIP_INDEX_URL)"
        return f"the package index does not have {package} for this machine: use another index (PIP_INDEX_URL), or --allow-newer to take newer releases"
    return f"pip could not install {what} (above)"


def pip(venv, words, allow_newer=False):
    """Runs `pip install`; returns the wheels that it installed."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        # Set as an environment variable, which versions of pip without reports ignore.
        environment = {**os.environ, "PIP_REPORT": report.name, "PIP_ONLY_BINARY": ":all:"}
        command = [venv / "bin/pip", "install", "--disable-pip-version-check", "--quiet", *words]
        done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            output = "".join(line for line in done.stdout.splitlines(True) if not line.startswith("WARNING: Location"))
            sys.stderr.write("".join(output.splitlines(True)[-20:]))
            raise Refused(reason(output, " ".join(map(str, words)), allow_newer))
        return read_report(pathlib.Path(report.name))


def newer(names):
    """Returns the requirements for --allow-newer: those of the .in files, of which only EXACT keep their version."""
    wanted = []
    for name in names:
        path = FOLDER / ("torch.in" if name == "cuda" else f"{name}.in")
        for line in (line for line in path.read_text().splitlines() if line and not line.startswith("#")):
            package, equal, version = re.fullmatch(r"(\S+?)(===?)(\S+)", line).groups()
            if package.partition("[")[0] not in EXACT:
                equal = ">="
            elif name == "torch":
                equal = "=="  # any build that is there; cuda.txt has the default one
            wanted.append(f"{package}{equal}{version}")
    return wanted


def compare(venv, installed):
    """Reports how many wheels are in the lists, and which are not. Removes a package whose file has another SHA-256 than its list says."""
    known = {wheel.file: wheel.digest for name in LISTS for wheel in locked(FOLDER / f"{name}.txt")}
    wrong = [wheel for wheel in installed if wheel.digest and known.get(wheel.file, wheel.digest) != wheel.digest]
    if wrong:
        names = [wheel.name for wheel in wrong]
        subprocess.run([venv / "bin/pip", "uninstall", "--quiet", "--yes", *names], check=True)
        raise Refused(
            "; ".join(f"{wheel.file} has the SHA-256 {wheel.digest}, not {known[wheel.file]}" for wheel in wrong)
            + f": removed {' '.join(names)} again; ask who runs the package index"
        )
    other = [wheel for wheel in installed if wheel.digest is None or known.get(wheel.file) != wheel.digest]
    if installed:
        say(f"{len(installed) - len(other)} of {len(installed)} files are those of scripts/packages")
    for wheel in other:
        say(
            f"not in scripts/packages: {wheel.name} {wheel.version} from {wheel.url}, "
            f"{'SHA-256 ' + wheel.digest if wheel.digest else 'without a hash'}"
        )


def install(arguments):
    venv, names = arguments.venv, arguments.lists
    version = subprocess.run(
        [venv / "bin/python", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()
    if not arguments.allow_newer and version != f"{PYTHON[0]}.{PYTHON[1]}":
        raise Refused(
            f"scripts/packages is for Python {PYTHON[0]}.{PYTHON[1]}, and {venv} has {version}: "
            "--allow-newer takes what the package index has for it"
        )
    installed = []
    if arguments.build:
        source = ["--index-url", arguments.build_index] if arguments.build_index else []
        installed += pip(venv, [*source, "--no-deps", arguments.build])
    if arguments.allow_newer:
        installed += pip(venv, newer(names), allow_newer=True)
    else:
        files = [word for name in names for word in ("-r", FOLDER / f"{name}.txt")]
        installed += pip(venv, ["--no-deps", "--require-hashes", *files])
    compare(venv, installed)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "lists",
        nargs="+",
        choices=LISTS,
        metavar="LIST",
        help="torch, cuda, ray or tests: a .txt file of scripts/packages",
    )
    parser.add_argument("--venv", required=True, type=pathlib.Path, help="virtual environment")
    parser.add_argument("--allow-newer", action="store_true", help="allow newer releases than the lists have")
    parser.add_argument("--build", help="build that is in no list, torch==VERSION+cpu; installed first")
    parser.add_argument("--build-index", help="index that has the build, if pip's own does not")
    try:
        install(parser.parse_args())
    except Refused as error:
        print(f"setup: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
