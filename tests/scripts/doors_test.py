"""Follows "Where to change what" of ARCHITECTURE.md in a copy of the source: adds a toy, builds what that touches, runs it.

Bazel says how (aquery), and this test carries it out: a build of the copy by Bazel itself would compile everything anew. What
the toy does not touch is linked from the archives of this build. Arguments: scripts/layout.py, the train command.
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
import unittest

LAYOUT = pathlib.Path(sys.argv.pop(1)).resolve()
TRAIN = pathlib.Path(os.path.abspath(sys.argv.pop(1)))
ROOT = LAYOUT.parent.parent
ARCHIVES = (".a", ".lo")
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
TOY_TARGET = """
engine_library(
    name = "toy",
    srcs = ["toy.cc"],
    deps = [
        ":insertion",
        ":oracle_entry",
    ],
)
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
TOY_COMMAND_TARGET = """
engine_library(
    name = "toy_command",
    srcs = ["toy_command.cc"],
    deps = [
        ":solve_proto",
        "//src/config:command",
    ],
)
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
TOY_ROLE_TARGET = """
engine_library(
    name = "toy_role",
    srcs = ["toy_role.cc"],
    hdrs = ["toy_role.h"],
    deps = [
        ":dispatch",
        ":messages_proto",
        "//src/base:error",
    ],
)
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
BUILT = pathlib.Path.cwd()  # the runfiles: archives lie here under the paths of their packages


def run(command, **options):
    words = [str(word) for word in command]
    process = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if process.returncode != 0:
        raise AssertionError(f"{command[0]} failed:\n{process.stdout}")
    return process.stdout


class Copy:
    """A copy of the source to which a toy is added."""

    def __init__(self, folder):
        self.root, self.folder = folder / "copy", folder
        for name in ("src", "scripts/bazel", "configs"):
            shutil.copytree(ROOT / name, self.root / name)
        for name in ("WORKSPACE", "BUILD", ".bazelrc"):
            shutil.copy(ROOT / name, self.root)

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

    def append(self, name, text):
        self.write(name, (self.root / name).read_text() + text)

    def layout(self, *flags):
        return subprocess.run([sys.executable, LAYOUT, "--root", self.root, *flags], stdout=subprocess.PIPE, text=True).stdout

    def build(self, *targets):
        """Runs the actions of these targets; what else they are linked with comes from this build."""
        actions = self.actions(targets)
        bin_folder = re.search(r"bazel-out/[^/]+/bin", " ".join(actions[0]))[0]
        archives = (path for path in BUILT.glob("src/**/*") if path.suffix in ARCHIVES)
        for made in (*archives, *BUILT.glob("scripts/bazel/*_prelude.h*")):
            place = self.root / bin_folder / made.relative_to(BUILT)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(made.resolve())
        # Where Bazel put what it found in the virtual environment.
        (self.root / "external").symlink_to(next(self.folder.glob("bazel/*/external")))
        protos = [path.relative_to(self.root) for path in self.root.glob("src/**/*.proto")]
        run(["protoc", "-I.", f"--cpp_out={bin_folder}", *protos], cwd=self.root)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(self.carry_out, (words for words in actions if "-c" in words)))
            list(pool.map(self.carry_out, (words for words in actions if words[0].endswith("ar"))))
            list(pool.map(self.carry_out, (words for words in actions if "-c" not in words and not words[0].endswith("ar"))))
        return self.root / bin_folder

    def actions(self, targets):
        """The commands that Bazel would compile and link these with."""
        environment = {**os.environ, "DRAY_VENV": sys.prefix, "HOME": str(self.folder)}
        process = subprocess.run(
            ["bazel", "--batch", f"--output_user_root={self.folder}/bazel", "aquery", "--output=jsonproto",
             "--features=-supports_start_end_lib", f'mnemonic("CppCompile|CppLink", {" + ".join(targets)})'],
            cwd=self.root, env=environment, capture_output=True, text=True)
        assert process.returncode == 0, process.stderr
        # Bazel repeats long commands in a file, which is not there.
        return [[word for word in action["arguments"] if not word.startswith("@bazel-out/")]
                for action in json.loads(process.stdout)["actions"]]

    def carry_out(self, words):
        for place in (self.root / word for word in words if word.startswith("bazel-out/")):
            place.parent.mkdir(parents=True, exist_ok=True)
            if words[0].endswith("ar") and place.suffix in ARCHIVES:
                place.unlink(missing_ok=True)  # the one of this build
        run(words, cwd=self.root)


class DoorsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.copy = Copy(self.folder)

    def page_says(self, thing, *files):
        """The row of ARCHITECTURE.md names these files and no others."""
        row = re.search(rf"(?m)^\| {thing} \|(.*)$", (ROOT / "ARCHITECTURE.md").read_text())
        self.assertTrue(row, f"ARCHITECTURE.md has no row for {thing}")
        self.assertEqual(set(re.findall(r"`(src/[^`]*)`", row[1])), set(files))

    def train(self, built, *settings, config="smoke", name="run"):
        """The reports of two epochs by the train command with the copy's engine."""
        flags = [word for setting in settings for word in ("--set", setting)]
        run([TRAIN, "--runner", "local", "--config", config, *flags, "--epochs", "2", "--log-interval", "1", "--run-dir",
             self.folder / name], env={**os.environ, "LD_LIBRARY_PATH": str(built / "src/api")})
        return [json.loads(line) for line in (self.folder / name / "metrics.jsonl").read_text().splitlines()]

    def test_an_environment_is_a_folder_and_a_line(self):
        self.page_says("an environment", "src/envs", "src/envs/cartpole", "src/envs/envs.bzl")
        self.copy.copy_folder("src/envs/cartpole", "src/envs/toy", {"cartpole": "toy", "CartPole": "Toy", "= 100 ": "= 1999 "})
        self.copy.layout("--fix")
        self.assertEqual(self.copy.layout(), "layout: src/envs/toy: add it to ENVS in src/envs/envs.bzl\n")
        self.copy.add_line("src/envs/envs.bzl", "]", '    "toy",')
        self.assertEqual(self.copy.layout(), "")

        built = self.copy.build(
            "//src/envs/toy:all", "//src/envs:registry", "//src/envs:reference_generator", "//src/api:libdray.so")
        reference = run([built / "src/envs/reference_generator"])
        self.assertIn("\n| `env.toy.max_steps` |", reference)
        self.assertIn("\n| `env.cartpole.max_steps` |", reference)
        reports = self.train(built, "env.name=toy", "env.toy.max_steps=7", config="cartpole")
        self.assertEqual(reports[-1]["epoch"], 2)
        self.assertLessEqual(reports[-1]["episode/length_mean"], 7)

    def test_an_oracle_is_a_target_a_line_and_a_kind(self):
        self.page_says("an oracle", "src/oracle", "src/oracle/BUILD", "src/oracle/oracle.proto")
        self.copy.write("src/oracle/toy.cc", TOY_ORACLE)
        self.copy.append("src/oracle/BUILD", TOY_TARGET)
        self.copy.add_line("src/oracle/BUILD", "}\n", '    "toy": ":toy",')
        self.copy.add_line("src/oracle/oracle.proto", "    AUTO = 0;", "    TOY = 1999;")
        self.copy.layout("--fix")
        self.assertEqual(self.copy.layout(), "")

        built = self.copy.build("//src/oracle:toy", "//src/oracle:registry", "//src/oracle:oracle_proto",
                                "//src/envs:reference_generator", "//src/api:libdray.so")
        reference = run([built / "src/envs/reference_generator"])
        self.assertRegex(reference, r"\n\| `env\.dvrptw\.oracle\.kind` \|[^|]*`toy`")
        with_toy = self.train(built, "env.dvrptw.oracle.kind=toy", name="toy")
        with_insertion = self.train(built, "env.dvrptw.oracle.kind=insertion", name="insertion")
        self.assertEqual(with_toy[-1]["epoch"], 2)
        # Without local search its plans are longer: it is this one that was asked.
        self.assertLess(with_toy[-1]["eval/return_mean"], with_insertion[-1]["eval/return_mean"])

    def test_a_command_and_a_role_are_a_target_and_a_line_each(self):
        self.page_says("a command", "src/commands", "src/commands/solve_command.cc", "src/commands/BUILD",
                       "src/envs/cage2/cage2_replay_command.cc", "src/commands/commands.bzl")
        self.page_says("a role", "src/cluster/roles", "src/cluster/roles/BUILD", "src/api/make_role.cc")
        self.copy.write("src/commands/toy_command.cc", TOY_COMMAND)
        self.copy.append("src/commands/BUILD", TOY_COMMAND_TARGET)
        self.copy.add_line("src/commands/commands.bzl", '    "evaluate": "//src/commands",', '    "toy": "//src/commands",')
        self.copy.write("src/cluster/roles/toy_role.h", TOY_ROLE)
        self.copy.write("src/cluster/roles/toy_role.cc", TOY_ROLE_BODY)
        self.copy.append("src/cluster/roles/BUILD", TOY_ROLE_TARGET)
        self.copy.add_line("src/cluster/roles/BUILD", '        ":oracle_role",\n', '        ":toy_role",')
        self.copy.add_line("src/api/make_role.cc", "#include \"src/cluster/roles/oracle_role.h\"",
                           '#include "src/cluster/roles/toy_role.h"')
        self.copy.add_line("src/api/make_role.cc", '    {"env_shard", ', '    {"toy", Make<ToyRole>},')
        self.copy.layout("--fix")
        self.assertEqual(self.copy.layout(), "")

        built = self.copy.build("//src/commands:toy_command", "//src/commands:commands", "//src/cluster/roles:toy_role",
                                "//src/api:make_role", "//src/api:libdray.so")
        said = run([sys.executable, "-c", CALLER, built / "src/api/libdray.so"])
        self.assertEqual(said.splitlines(), ["played", "0", "1 a toy breaks when it is made"])


if __name__ == "__main__":
    unittest.main()
