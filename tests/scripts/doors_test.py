"""Follows "Where to change what" of ARCHITECTURE.md in a copy of the source: adds toys, builds what they touch, runs them. Of an
environment it also follows docs/add_environment.md to the end: scripts/generate.sh, and the tests of the new environment.

Bazel says how (aquery), and this test carries it out: a build of the copy by Bazel itself would compile everything anew. Only files that
the toy adds or changes are compiled; all else is linked from the archives and objects of this build. Arguments: scripts/layout.py, the train command.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

LAYOUT = pathlib.Path(sys.argv.pop(1)).resolve()
TRAIN = pathlib.Path(os.path.abspath(sys.argv.pop(1)))
ROOT = LAYOUT.parent.parent
ARCHIVES = (".a", ".lo")
TESTS_OF_ENVIRONMENTS = ("conformance_test", "playthrough_test", "reference_test", "json_schema_test", "configs_test")
TOY_ORACLE = """#include "src/oracle/insertion.h"
#include "src/oracle/oracle_entry.h"

namespace dray {

namespace oracles {
OracleEntry toy();
}

OracleEntry oracles::toy() {
  return {.make = [](const OracleConfig&, const OracleContext&) -> std::unique_ptr<Oracle> {
    return std::make_unique<InsertionOracle>(/*local_search=*/false);
  }};
}

}  // namespace dray
"""
TOY_COMMAND = """#include <iostream>

#include "src/commands/solve.pb.h"
#include "src/config/command.h"

namespace dray::commands {

Command toy() {
  return {.name = "toy",
          .intro = "Plays.\\n",
          .examples = "  toy\\n",
          .settings = SolveSettings::descriptor(),
          .flags = {kHelpFlag},
          .body = [](const GivenFlags&) { std::cout << "played" << std::endl; }};
}

}  // namespace dray::commands
"""
TOY_ROLE = """#pragma once

#include "src/cluster/roles/dispatch.h"
#include "src/cluster/roles/messages.pb.h"

namespace dray {

class ToyRole : public DispatchedRole {
 public:
  explicit ToyRole(const RoleSettings& settings);
};

}  // namespace dray
"""
TOY_ROLE_BODY = """#include "src/cluster/roles/toy_role.h"

#include "src/base/error.h"

namespace dray {

ToyRole::ToyRole(const RoleSettings&) : DispatchedRole("toy") {
  throw Failure("a toy breaks when it is made");
}

}  // namespace dray
"""
# Calls the facade: a command by its name, then a role by its kind.
CALLER = """
import ctypes, sys
engine = ctypes.CDLL(sys.argv[1])
engine.dray_last_error.restype = ctypes.c_char_p
class Bytes(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]
print(engine.dray_command(b"toy", 0, None, None), flush=True)
role = ctypes.c_void_p()
print(engine.dray_role_create(b"toy", Bytes(b"", 0), None, ctypes.byref(role)), engine.dray_last_error().decode())
"""
BUILT = pathlib.Path.cwd()  # the runfiles: archives and objects lie here under the paths of their packages


def run(command, **options):
    words = [str(word) for word in command]
    process = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if process.returncode != 0:
        raise AssertionError(f"{command[0]} failed:\n{process.stdout}")
    return process.stdout


class Copy:
    """A copy of the source to which toys are added."""

    def __init__(self, folder):
        self.root, self.folder = folder / "copy", folder
        for name in ("configs", "docs", "ray_actors", "scripts", "src", "tests"):
            shutil.copytree(ROOT / name, self.root / name, ignore=shutil.ignore_patterns("__pycache__"))
        for path in ROOT.iterdir():
            if path.is_file() and path.name != ".git":  # which is a file in a worktree
                shutil.copy(path, self.root)

    def copy_folder(self, old, new, changes):
        """A folder under another name, with its files' names and texts changed."""
        for path in (self.root / old).iterdir():
            name, text = path.name, path.read_text()
            for before, after in changes.items():
                name, text = name.replace(before, after), text.replace(before, after)
            (self.root / new).mkdir(exist_ok=True)
            (self.root / new / name).write_text(text)

    def add_line(self, name, before, line):
        text = (self.root / name).read_text()
        assert text.count(before) == 1, f"{name} has no place for the line"
        (self.root / name).write_text(text.replace(before, line + "\n" + before))

    def write(self, name, text):
        (self.root / name).write_text(text)

    def layout(self, *flags):
        return subprocess.run(
            [sys.executable, LAYOUT, "--root", self.root, *flags], stdout=subprocess.PIPE, text=True
        ).stdout

    def build(self, *targets):
        """Compiles what the toys changed, and links these targets; all else comes from this build."""
        actions = self.actions(targets)
        bin_folder = re.search(r"bazel-out/[^/]+/bin", " ".join(actions["CppCompile"][0]))[0]
        for made in (path for folder in ("src", "tests", "scripts/bazel") for path in BUILT.glob(f"{folder}/**/*")):
            if made.suffix in (*ARCHIVES, ".o") or "_prelude.h" in made.name:
                place = self.root / bin_folder / made.relative_to(BUILT)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.symlink_to(made.resolve())
        # Where Bazel put what it found in the virtual environment.
        (self.root / "external").symlink_to(self.folder / "bazel/external")
        protos = [path.relative_to(self.root) for path in self.root.glob("src/**/*.proto")]
        run(["protoc", "-I.", f"--cpp_out={bin_folder}", *protos], cwd=self.root)
        for words in actions["JoinSources"]:
            self.carry_out(words)
        changed = {words[words.index("-o") + 1]: words for words in actions["CppCompile"] if self.is_changed(words)}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.carry_out, changed.values()))
        for words in actions["CppLink"]:
            if words[0].endswith("ar"):
                self.renew_archive(words, set(changed))
        for words in actions["CppLink"]:
            if not words[0].endswith("ar"):
                self.carry_out(words)
        return self.root / bin_folder

    def actions(self, targets):
        """The commands that Bazel would compile and link these with, by kind."""
        kinds = {"JoinSources": [], "CppCompile": [], "CppLink": []}
        process = subprocess.run(
            [
                "bazel",
                "--batch",
                f"--output_base={self.folder}/bazel",
                "aquery",
                "--output=jsonproto",
                "--include_artifacts=false",
                "--features=-supports_start_end_lib",
                f'mnemonic("{"|".join(kinds)}", deps({" + ".join(targets)}))',
            ],
            cwd=self.root,
            env={**os.environ, "DRAY_VENV": sys.prefix, "HOME": str(self.folder)},
            capture_output=True,
            text=True,
        )
        assert process.returncode == 0, process.stderr
        for action in json.loads(process.stdout)["actions"]:
            # Bazel repeats long commands in a file, which is not there.
            words = [word for word in action["arguments"] if not word.startswith("@bazel-out/")]
            kinds[action["mnemonic"]].append(words)
        return kinds

    def is_changed(self, words):
        """Whether this compiles a file that is new or other than the source's, or that reads a list which has the toy."""
        source = words[words.index("-c") + 1]
        origins = [re.sub(r"^bazel-out/[^/]+/bin/(.*)\.pb\.cc$", r"\1.proto", source)]
        library = re.match(r"(bazel-out/.*_part)\d+\.cc$", source)
        if library:
            # A new source moves others of its library from part to part.
            parts = {part: self.included(part) for part in self.root.glob(f"{library[1]}*.cc")}
            if any(not (ROOT / name).exists() for names in parts.values() for name in names):
                return True
            origins = parts[self.root / source]
        lists = [word[2:].split("=")[0] for word in words if word.startswith("-DDRAY_") and "toy" in word]
        texts = {origin: (self.root / origin).read_text() for origin in origins}
        return any(
            not (ROOT / origin).exists() or (ROOT / origin).read_text() != text or any(name in text for name in lists)
            for origin, text in texts.items()
        )

    def included(self, joined):
        return re.findall(r'#include "(.*)"', joined.read_text())

    def carry_out(self, words):
        for place in (self.root / word for word in words if word.startswith("bazel-out/")):
            place.parent.mkdir(parents=True, exist_ok=True)
        output = self.root / words[words.index("-o") + 1]
        output.unlink(missing_ok=True)  # the one of this build
        run(words, cwd=self.root)

    def renew_archive(self, words, changed):
        """The archive of this build with the objects that were compiled anew."""
        objects = [word for word in words if word in changed]
        if not objects:
            return
        archive = next(self.root / word for word in words if pathlib.Path(word).suffix in ARCHIVES)
        made = archive.resolve()
        if archive.is_symlink():
            archive.unlink()
            shutil.copy(made, archive)
            archive.chmod(0o644)
        archive.parent.mkdir(parents=True, exist_ok=True)
        run([words[0], "rcs", archive, *objects], cwd=self.root)


def add_environment(copy):
    copy.copy_folder("src/envs/cartpole", "src/envs/toy", {"cartpole": "toy", "CartPole": "Toy", "= 100 ": "= 1999 "})
    copy.layout("--fix")
    missing = copy.layout()
    assert missing == "layout: src/envs/toy: add it to ENVS in src/envs/envs.bzl\n", missing
    copy.add_line("src/envs/envs.bzl", "]\n\n", '    "toy",')
    # The preset that docs/add_environment.md shows, for the toy.
    page = (ROOT / "docs/add_environment.md").read_text()
    block = re.search(r"Write a preset, .*\n\n((?:        .*\n)+)", page)
    assert block, "docs/add_environment.md shows no preset"
    copy.write("configs/toy.yaml", textwrap.dedent(block[1]).replace("<name>", "toy"))


def add_oracle(copy):
    copy.write("src/oracle/toy.cc", TOY_ORACLE)
    copy.add_line("src/oracle/BUILD", "]\n\nKERNELS", '    "toy",')
    copy.add_line("src/oracle/oracle.proto", "    AUTO = 0;", "    TOY = 1999;")


def add_command(copy):
    copy.write("src/commands/toy_command.cc", TOY_COMMAND)
    copy.add_line("src/commands/commands.bzl", '    "evaluate": "//src/commands",', '    "toy": "//src/commands",')


def add_role(copy):
    copy.write("src/cluster/roles/toy_role.h", TOY_ROLE)
    copy.write("src/cluster/roles/toy_role.cc", TOY_ROLE_BODY)
    copy.add_line(
        "src/api/make_role.cc",
        '#include "src/cluster/roles/service_role.h"',
        '#include "src/cluster/roles/toy_role.h"',
    )
    copy.add_line("src/api/make_role.cc", '    {"env_shard", ', '    {"toy", Make<ToyRole>},')


class DoorsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.copy = Copy(cls.folder)
        for add in (add_environment, add_oracle, add_command, add_role):
            add(cls.copy)
        cls.copy.layout("--fix")
        left = cls.copy.layout()
        assert left == "", left
        cls.built = cls.copy.build(
            "//src/envs:reference_generator",
            "//src/envs:schema_generator",
            "//src/metrics:reference_generator",
            *(f"//tests/envs:{test}" for test in TESTS_OF_ENVIRONMENTS),
            "//src/api:libdray.so",
        )

    def page_says(self, thing, *files):
        """The row of ARCHITECTURE.md names these files and no others."""
        row = re.search(rf"(?m)^\| {thing} \|(.*)$", (ROOT / "ARCHITECTURE.md").read_text())
        self.assertTrue(row, f"ARCHITECTURE.md has no row for {thing}")
        self.assertEqual(set(re.findall(r"`(src/[^`]*)`", row[1])), set(files))

    def train(self, *settings, config="smoke", name="run"):
        """The reports of two epochs by the train command with the copy's engine."""
        flags = [word for setting in settings for word in ("--set", setting)]
        run(
            [
                TRAIN,
                "--runner",
                "local",
                "--config",
                config,
                *flags,
                "--epochs",
                "2",
                "--log-interval",
                "1",
                "--run-dir",
                self.folder / name,
            ],
            env={**os.environ, "LD_LIBRARY_PATH": str(self.built / "src/api")},
        )
        return [json.loads(line) for line in (self.folder / name / "metrics.jsonl").read_text().splitlines()]

    def test_an_environment_is_a_folder_a_line_and_a_preset(self):
        self.page_says("an environment", "src/envs", "src/envs/cartpole", "src/envs/envs.bzl")
        said = run(
            [self.copy.root / "scripts/generate.sh", "--built", self.built], env={**os.environ, "DRAY_VENV": sys.prefix}
        )
        for line in (
            "configs/toy.yaml names the schema",
            "configs/REFERENCE.md written",
            "configs/schema.json written",
            "configs/METRICS.md is current",
            "wrote ",
        ):
            self.assertIn(line, said)
        for test in TESTS_OF_ENVIRONMENTS:
            told = run(
                [self.built / "tests/envs" / test, "--gtest_filter=*toy*:*IsCurrent*:RecordedGames*:Configs.AllLoad*"],
                cwd=self.copy.root,
            )
            self.assertRegex(told, r"PASSED  \] [1-9]")
        reference = (self.copy.root / "configs/REFERENCE.md").read_text()
        self.assertIn("\n| `env.toy.max_steps` |", reference)
        self.assertIn("\n| `env.cartpole.max_steps` |", reference)
        reports = self.train("env.toy.max_steps=7", "train.total_steps=0", config=self.copy.root / "configs/toy.yaml")
        self.assertEqual(reports[-1]["epoch"], 2)
        self.assertLessEqual(reports[-1]["episode/length_mean"], 7)

    def test_an_oracle_is_a_file_a_line_and_a_kind(self):
        self.page_says("an oracle", "src/oracle", "src/oracle/BUILD", "src/oracle/oracle.proto")
        reference = run([self.built / "src/envs/reference_generator"])
        self.assertRegex(reference, r"\n\| `env\.dvrptw\.oracle\.kind` \|[^|]*`toy`")
        with_toy = self.train("env.dvrptw.oracle.kind=toy", name="toy")
        with_insertion = self.train("env.dvrptw.oracle.kind=insertion", name="insertion")
        self.assertEqual(with_toy[-1]["epoch"], 2)
        # Without local search its plans are longer: it is this one that was asked.
        self.assertLess(with_toy[-1]["eval/return_mean"], with_insertion[-1]["eval/return_mean"])

    def test_a_command_and_a_role_are_their_files_and_a_line_each(self):
        self.page_says(
            "a command",
            "src/commands",
            "src/commands/solve_command.cc",
            "src/commands/commands.bzl",
            "src/envs/cage2/cage2_replay_command.cc",
        )
        self.page_says("a role", "src/cluster/roles", "src/api/make_role.cc")
        said = run([sys.executable, "-c", CALLER, self.built / "src/api/libdray.so"])
        self.assertEqual(said.splitlines(), ["played", "0", "1 a toy breaks when it is made"])


if __name__ == "__main__":
    unittest.main()
