#!/usr/bin/env python3
"""Fuzzes the targets of tests/fuzz with libFuzzer and the address and undefined-behaviour sanitizers.

Compiles only what a target includes, with clang, and reuses earlier results. Inputs that crash a target are saved next to its log as
NAME-crash-*: fix the reader, and add a copy to tests/fuzz/corpus/NAME.
"""

import argparse
import ast
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(os.path.realpath(__file__)).parents[1]
CHECKS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
FLAGS = ["-std=c++20", "-O1", "-g1", "-fno-omit-frame-pointer", "-fPIC", "-ffp-contract=off", "-DNDEBUG", "-w"]
# Files that are found by name in a list, not by an include: whole folders or single files.
LISTED = {
    "src/envs/all_tasks.cc": "src/envs",
    "src/oracle/registry.cc": "src/oracle",
    "src/commands/commands.cc": "src/commands",
    "src/nets/kernels.cc": "src/nets/vector_kernels.cc",
    "src/api/dray.cc": "src/api",
    "src/routing/pictures/picture.h": "src/routing/pictures",
}
# No input of this length justifies a single allocation of 1 GiB; targets themselves limit the total.
LIMITS = ["-max_len=4096", "-timeout=30", "-rss_limit_mb=4096", "-malloc_limit_mb=1024", "-print_final_stats=1"]


def fail(text):
    sys.exit(f"fuzz: {text}")


def names_in(path, wanted, text):
    """Returns the names in a list of a .bzl file, each in the format `text`."""
    for node in ast.parse((ROOT / path).read_text()).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == wanted:
            return "".join(text.format(name, name.upper()) for name in ast.literal_eval(node.value))
    raise LookupError(wanted)


class Build:
    def __init__(self, out, jobs):
        self.out, self.jobs = out, jobs
        self.compiler = next(
            (c for c in ("clang++-16", "clang++-17", "clang++-18", "clang++-19", "clang++") if shutil.which(c)), None
        )
        if not self.compiler:
            fail("needs clang 16 or newer with its libFuzzer: apt-get install clang-16 libclang-rt-16-dev")
        (out / "gen").mkdir(parents=True, exist_ok=True)
        self.flags = (
            FLAGS
            + CHECKS
            + [
                "-fsanitize=fuzzer-no-link",
                f"-I{ROOT}",
                f"-I{out}/gen",
                "-DDRAY_TASKS=" + names_in("src/envs/envs.bzl", "ENVS", "TASK({0})"),
                "-DDRAY_COMMANDS=" + names_in("src/commands/commands.bzl", "COMMANDS", "COMMAND({0})"),
                "-DDRAY_CLUSTER_COMMANDS=" + names_in("src/commands/commands.bzl", "CLUSTER_COMMANDS", "COMMAND({0})"),
                "-DDRAY_ORACLES=" + names_in("src/oracle/BUILD", "ORACLES", "ORACLE({0},{1})"),
            ]
        )
        self.torch, self.knows_torch = None, {}

    def with_torch(self):
        """Returns LibTorch's folder; looked up when the first target needs it."""
        if self.torch is None:
            import importlib.util

            found = importlib.util.find_spec("torch")
            if found is None:
                fail(
                    "this target needs LibTorch: run it with the interpreter of the virtual environment, .venv/bin/python"
                )
            self.torch = pathlib.Path(found.origin).parent
        include = self.torch / "include"
        return [
            "-DAT_PER_OPERATOR_HEADERS",
            "-isystem",
            f"{include}/torch/csrc/api/include",
            "-idirafter",
            str(include),
        ]

    def read(self, file):
        path = self.out / "gen" / file if file.endswith((".pb.h", ".pb.cc")) else ROOT / file
        return path if path.is_file() else None

    def includes(self, file):
        return re.findall(r'^#include "([^"]+)"', self.read(file).read_text(), re.M)

    def needs_torch(self, file):
        """Returns True if the file includes LibTorch, directly or indirectly."""
        if file not in self.knows_torch:
            self.knows_torch[file] = self.read(file) is not None and (
                re.search(r"^#include <(ATen|c10|torch|caffe2)/", self.read(file).read_text(), re.M) is not None
                or any(self.needs_torch(included) for included in self.includes(file))
            )
        return self.knows_torch[file]

    def generate(self):
        protos = [str(p.relative_to(ROOT)) for p in (ROOT / "src").rglob("*.proto")]
        stale = [p for p in protos if not self.newer(self.out / "gen" / p.replace(".proto", ".pb.cc"), [ROOT / p])]
        if stale:
            subprocess.run(["protoc", "-I.", f"--cpp_out={self.out}/gen", *stale], cwd=ROOT, check=True)

    def closure(self, target):
        """Returns the sources of a target, and True if they include LibTorch."""
        waiting, seen = [target, "tests/fuzz/entry.cc", "tests/fuzz/heap.cc", "tests/fuzz/edits.cc"], set()
        while waiting:
            file = waiting.pop()
            if file in seen or self.read(file) is None:
                continue
            seen.add(file)
            waiting += self.includes(file)
            if file.endswith(".h"):
                waiting.append(file[:-2] + ".cc")
            if file in LISTED:
                below = ROOT / LISTED[file]
                more = below.rglob("*.cc") if below.is_dir() else [below]
                waiting += [str(p.relative_to(ROOT)) for p in more if not p.name.endswith("_generator.cc")]
        return sorted(file for file in seen if file.endswith(".cc"))

    @staticmethod
    def newer(made, sources):
        return made.exists() and all(
            source.exists() and source.stat().st_mtime <= made.stat().st_mtime for source in sources
        )

    def compile(self, file):
        object_ = self.out / "obj" / (file.replace("/", "_") + ".o")
        dependencies = object_.with_suffix(".d")
        if dependencies.exists():
            parts = dependencies.read_text().replace("\\\n", " ").split(":", 1)[1].split()
            if self.newer(object_, [pathlib.Path(part) for part in parts]):
                return object_
        object_.parent.mkdir(parents=True, exist_ok=True)
        torch = self.with_torch() if self.needs_torch(file) else []
        command = [self.compiler, *self.flags, *torch, "-MMD", "-c", str(self.read(file)), "-o", str(object_)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{file} does not compile:\n{done.stderr[:4000]}")
        return object_

    def build(self, name):
        self.generate()
        sources = self.closure(f"tests/fuzz/{name}_fuzz.cc")
        binary = self.out / f"{name}_fuzz"
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            try:
                objects = list(pool.map(self.compile, sources))
            except RuntimeError as error:
                pool.shutdown(cancel_futures=True)
                fail(error)
        if self.newer(binary, objects):
            return binary
        libraries = ["-lprotobuf", "-lyaml-cpp", "-lpthread", "-ldl"]
        if any(self.needs_torch(source) for source in sources):
            self.with_torch()
            libraries = [
                f"-L{self.torch}/lib",
                f"-Wl,-rpath,{self.torch}/lib",
                "-ltorch",
                "-ltorch_cpu",
                "-lc10",
            ] + libraries
        done = subprocess.run(
            [self.compiler, *CHECKS, "-fsanitize=fuzzer", "-o", binary, *objects, *libraries],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            fail(f"{name} does not link:\n{done.stderr[-4000:]}")
        return binary


def run(name, binary, out, seconds):
    """Runs a target. Returns True if nothing was found."""
    corpus = out / "found" / name
    corpus.mkdir(parents=True, exist_ok=True)
    command = [
        binary,
        corpus,
        ROOT / "tests/fuzz/corpus" / name,
        f"-max_total_time={seconds}",
        f"-artifact_prefix={out}/{name}-",
        *LIMITS,
    ]
    with open(out / f"{name}.log", "w+") as log:
        ended = subprocess.run(
            [str(word) for word in command], cwd=ROOT, stdout=log, stderr=subprocess.STDOUT
        ).returncode
        log.seek(0)
        text = log.read()
    count = re.search(r"number_of_executed_units: *(\d+)", text)
    print(
        f"fuzz: {name}: {count[1] if count else '?'} inputs, {'nothing found' if ended == 0 else 'FOUND'}", flush=True
    )
    if ended != 0:
        line = re.search(r"^.*(a finding|a raw error|runtime error|check failed|ERROR: ).*$", text, re.M)
        print(f"fuzz:   {line[0] if line else 'see its log'}\nfuzz:   {out}/{name}.log", flush=True)
    return ended == 0


def main():
    known = sorted(p.name.removesuffix("_fuzz.cc") for p in (ROOT / "tests/fuzz").glob("*_fuzz.cc"))
    parser = argparse.ArgumentParser(
        prog="fuzz.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"targets to run [all]: {', '.join(known)}")
    parser.add_argument("--seconds", type=int, default=30, help="seconds per target [30]")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count(), help="number of parallel compilers, then of targets [one per core]"
    )
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/fuzz", help="output folder [build/fuzz]")
    options = parser.parse_args()
    for name in options.names:
        if name not in known:
            fail(f"there is no target {name}; there are {', '.join(known)}")
    names = options.names or known
    out = options.out.absolute()
    build = Build(out, options.jobs)
    binaries = {name: build.build(name) for name in names}
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        good = list(pool.map(lambda name: run(name, binaries[name], out, options.seconds), names))
    print(f"fuzz: {len(names)} targets, {options.seconds} s each, {good.count(False)} with findings")
    sys.exit(0 if all(good) else 1)


if __name__ == "__main__":
    main()
