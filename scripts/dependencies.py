#!/usr/bin/env python3
"""Lists Dray's dependencies with versions and licences.

scripts/dependencies.py           everything that set-up installed here, including transitive dependencies
scripts/dependencies.py --table   prints docs/dependencies.md: direct dependencies, the same on every machine with Debian 12
"""

import argparse
import importlib.metadata
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Direct dependencies with purpose and licence; the licence of a Debian package is in /usr/share/doc/PACKAGE/copyright.
DEBIAN = {
    "bazel-bootstrap": ("builds everything", "Apache-2.0"),
    "bazel-platforms": ("rules for it", "Apache-2.0"),
    "bazel-rules-java": ("rules for it", "Apache-2.0"),
    "bazel-rules-proto": ("rules for it", "Apache-2.0"),
    "bazel-skylib": ("rules for it", "Apache-2.0"),
    "clang-format": ("layout of the source", "Apache-2.0 with LLVM exception"),
    "g++": ("compiler", "GPL-3.0 with runtime library exception"),
    "libgmock-dev": ("tests", "BSD-3-Clause"),
    "libgtest-dev": ("tests", "BSD-3-Clause"),
    "libprotobuf-dev": ("settings and messages; linked", "BSD-3-Clause"),
    "libyaml-cpp-dev": ("reads YAML; linked", "MIT"),
    "nlohmann-json3-dev": ("reads and writes JSON; compiled in", "MIT"),
    "protobuf-compiler": ("settings and messages", "BSD-3-Clause"),
    "python3": ("scripts, Ray", "PSF-2.0"),
    "python3-venv": ("the virtual environment", "PSF-2.0"),
    "strace": ("tests", "LGPL-2.1-or-later"),
    "valgrind": ("tests", "GPL-2.0-or-later"),
}
PYTHON = {
    "gymnasium": ("tests", "MIT"),
    "matplotlib": ("plots of benchmarks", "PSF-2.0"),
    "mkdocs-material": ("the site of docs/", "MIT"),
    "mypy": ("types of the Python package", "MIT"),
    "numpy": ("the Python package dray", "BSD-3-Clause"),
    "onnx": ("tests", "Apache-2.0"),
    "onnxruntime": ("tests", "MIT"),
    "pyvrp": ("tests", "MIT"),
    "ray": ("clusters; linked", "Apache-2.0"),
    "ray-cpp": ("clusters; linked", "Apache-2.0"),
    "rltools": ("tests: headers that a benchmark includes", "MIT"),
    "ruff": ("layout of the Python sources", "MIT"),
    "scipy-openblas32": ("tests: as above", "BSD-2-Clause; parts BSD-3-Clause, GPL-3.0 with runtime library exception"),
    "tensorboard": ("tests", "Apache-2.0"),
    "torch": ("LibTorch; linked", "BSD-3-Clause; parts Apache-2.0, BSD-2-Clause, BSL-1.0, MIT"),
    "wandb": ("tests", "MIT"),
}


def named_in_setup():
    """Returns (Debian packages, {Python package: version}) named in scripts/setup.sh and the .in files of scripts/packages."""
    apt = re.search(r'^APT_PACKAGES="([^"]*)"', (ROOT / "scripts/setup.sh").read_text(), re.M)[1].split()
    lines = "".join(path.read_text() for path in sorted((ROOT / "scripts/packages").glob("*.in"))).splitlines()
    return apt, dict(
        re.fullmatch(r"([\w-]+)(?:\[.*\])?===?(\S+)", line).groups()
        for line in lines
        if line and not line.startswith("#")
    )


def debian_version(package):
    """Returns the version of a Debian package, or "" if it is not installed or this is not Debian."""
    try:
        result = subprocess.run(["dpkg-query", "-W", "-f=${Version}", package], capture_output=True, text=True)
    except FileNotFoundError:
        return ""
    return result.stdout.strip() if result.returncode == 0 else ""


def upstream(version):
    """Returns the version without Debian's epoch, revision and repacking suffixes."""
    return re.sub(r"[+~](ds|dfsg).*$", "", version.split(":")[-1].rpartition("-")[0])


def licence(metadata):
    """Returns the licence that a Python package declares, in one line."""
    if expression := metadata["License-Expression"]:
        return expression
    classified = [line.split(" :: ")[-1] for line in metadata.get_all("Classifier") or [] if line.startswith("License")]
    stated = (metadata["License"] or "").strip().splitlines()
    return ", ".join(classified) or (stated[0] if stated else "") or "not stated: see its files"


def vendored():
    """Returns the rows for third-party files in this repository: (file, what, version, licence)."""
    text = (ROOT / "src/python/dray/vendor/README.md").read_text()
    rows = [
        [cell.strip() for cell in line.strip("| \n").split(" | ")]
        for line in text.splitlines()
        if line.startswith("| `")
    ]
    return [(f"src/python/dray/vendor/{row[0].strip('`')}", row[1], row[2], row[3].split(",")[0]) for row in rows]


def markdown(titles, rows):
    lines = [titles, ["---"] * len(titles), *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def table():
    apt, pip = named_in_setup()
    page = "# Dependencies\n\nMade by `scripts/generate.sh`; do not edit. `scripts/setup.sh` installs these packages;\n"
    page += "[SECURITY.md](../SECURITY.md) says what it checks. The lists in `scripts/packages` have the exact version and SHA-256 of every Python\n"
    page += "package, including those that these need in turn. `scripts/dependencies.py` prints what is installed here, with licences.\n"
    page += "\n## From Debian 12\n\nNot pinned: versions are those of Debian 12 when this page was made. Its stable release gets security fixes and no new features.\n\n"
    rows = [[f"`{name}`", upstream(debian_version(name)), *reversed(DEBIAN[name])] for name in sorted(apt)]
    page += markdown(["package", "version", "licence", "for"], rows)
    page += "\n## From Python's package index\n\n"
    rows = [[f"`{name}`", pip[name], *reversed(PYTHON[name])] for name in sorted(pip)]
    page += markdown(["package", "version", "licence", "for"], rows)
    page += "\n## In this repository\n\n"
    rows = [[f"`{file}`", what, version, terms] for file, what, version, terms in vendored()]
    page += markdown(["file", "what", "version", "licence"], rows)
    return page + "\nData for tests, with sources and licences: `tests/data/SOURCES.md`.\n"


def everything():
    lines = []
    for name in sorted(named_in_setup()[0]):
        lines.append(("debian", name, debian_version(name) or "not installed", DEBIAN[name][1]))
    found = {each.metadata["Name"].lower().replace("_", "-"): each for each in importlib.metadata.distributions()}
    for name, each in sorted(found.items()):
        lines.append(("python", name, each.version, PYTHON[name][1] if name in PYTHON else licence(each.metadata)))
    for file, _what, version, terms in vendored():
        lines.append(("here", file, version, terms))
    return "".join("\t".join(line) + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="print docs/dependencies.md")
    sys.stdout.write(table() if parser.parse_args().table else everything())


if __name__ == "__main__":
    main()
