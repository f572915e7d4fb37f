#!/usr/bin/env python3
"""Measures a full build of //:train: processor time, wall-clock time, and the slowest files.

Bazel builds into a temporary folder, which is removed afterwards. Processor time is the sum over all compilers and depends little on other
load.

  scripts/bench/build_time.py                   takes some minutes; existing builds are not touched
  scripts/bench/build_time.py --target //... --slowest 40
"""

import argparse
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

from measuring import ROOT, say


def bazel(base, *arguments):
    done = subprocess.run(["bazel", f"--output_base={base}", *arguments], cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"build_time: bazel {' '.join(arguments)} failed:\n{done.stderr[-2000:]}")


def children_s(pid):
    """Returns the processor time of all child processes that have ended, and of their children."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")


def compiled_files(profile):
    """Returns {file: seconds}, measured while other compilers were running."""
    with gzip.open(profile) as text:
        events = json.load(text)["traceEvents"]
    kind = "Compiling "
    return {
        event["name"].removeprefix(kind): event["dur"] / 1e6
        for event in events
        if event.get("cat") == "action processing" and event["name"].startswith(kind)
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", default="//:train", help="target to build [//:train]")
    parser.add_argument("--slowest", type=int, default=10, metavar="N", help="number of files to list [10]")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-build-"))
    base, profile = folder / "base", folder / "profile.gz"
    try:
        bazel(base, "build", "--nobuild", "--symlink_prefix=/", options.target)
        pid = int((base / "server/server.pid.txt").read_text())
        before_s, begun = children_s(pid), time.monotonic()
        bazel(base, "build", "--symlink_prefix=/", "--noslim_profile", f"--profile={profile}", options.target)
        took_s, processor_s = time.monotonic() - begun, children_s(pid) - before_s
        files = compiled_files(profile)
    finally:
        subprocess.run(["bazel", f"--output_base={base}", "shutdown"], cwd=ROOT, capture_output=True)
        subprocess.run(["chmod", "-R", "u+w", folder])
        shutil.rmtree(folder)
    say(
        f"{options.target}: {len(files)} files, {processor_s:.0f} s of processor time, {took_s:.0f} s on {os.cpu_count()} cores"
    )
    for name, seconds in sorted(files.items(), key=lambda item: -item[1])[: options.slowest]:
        print(f"{seconds:7.1f} s  {name}")


if __name__ == "__main__":
    main()
