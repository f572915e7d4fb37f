"""scripts/layout.py finds one planted mistake of each kind; Bazel itself refuses what goes up.

Argument: scripts/layout.py.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(sys.argv.pop(1)).resolve()
ROOT = SCRIPT.parent.parent
LIBRARY = """load("//scripts/bazel:dray.bzl", "engine_library")
load("//scripts/bazel:layers.bzl", "above")

package(default_visibility = above("%s"))

engine_library(
    name = "%s",
    deps = [
        ":a",
        "//src/base:b",
        "@c//:d",
    ],
)
"""


class LayoutTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("scripts/bazel/layers.bzl", (ROOT / "scripts/bazel/layers.bzl").read_text())
        self.write("src/base/BUILD", LIBRARY % ("base", "error"))
        self.write("src/base/error.h", "#pragma once\n\n#include <string>\n")
        self.write("src/loop/BUILD", LIBRARY % ("loop", "training"))
        self.write(
            "src/loop/training.h", '#pragma once\n\n#include "src/base/error.h"\n#include "src/rollout/batch.h"\n'
        )
        self.write("src/envs/BUILD", LIBRARY % ("envs", "all_tasks"))
        self.write("src/envs/envs.bzl", 'ENVS = [\n    "cartpole",\n]\n')
        self.write("src/envs/cartpole/BUILD", LIBRARY % ("envs", "cartpole"))
        self.write("tests/base/error_test.cc", '#include "src/base/error.h"\n')

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def check(self, *flags):
        process = subprocess.run(
            [sys.executable, SCRIPT, *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.assertEqual(process.returncode, 1 if process.stdout else 0, process.stdout)
        return process.stdout.splitlines()

    def problem(self):
        """The one line about the small tree."""
        lines = self.check("--root", str(self.root))
        self.assertEqual(len(lines), 1, lines)
        return lines[0]

    def test_a_tree_in_order_has_no_problem(self):
        self.assertEqual(self.check("--root", str(self.root)), [])

    def test_one_include_that_goes_up_is_named_with_file_and_line(self):
        self.write("src/base/error.h", '#pragma once\n\n#include "src/loop/training.h"\n')
        self.assertEqual(
            self.problem(), "layout: src/base/error.h:3: base may not use loop: see scripts/bazel/layers.bzl"
        )

    def test_a_dependency_or_import_that_goes_up_or_beside_is_named(self):
        self.write("src/config/a.proto", 'import "src/metrics/b.proto";\n')
        self.assertIn("src/config/a.proto:1: config may not use metrics", self.problem())
        self.write("src/config/a.proto", "")
        self.write("src/base/BUILD", (LIBRARY % ("base", "error")).replace("//src/base:b", "//src/loop:training"))
        self.assertIn("src/base/BUILD:10: base may not use loop", self.problem())

    def test_a_leaf_may_be_used_by_those_it_names_alone(self):
        for user in ("commands", "api"):
            self.write(f"src/{user}/a.cc", '#include "src/envs/all_tasks.h"\n')
        self.write("src/envs/cartpole/a.cc", '#include "src/oracle/oracle.h"\n')
        self.assertEqual(self.check("--root", str(self.root)), [])
        self.write("src/loop/training.h", '#pragma once\n\n#include "src/envs/all_tasks.h"\n')
        self.assertIn("src/loop/training.h:3: loop may not use envs", self.problem())
        self.write("src/loop/training.h", "#pragma once\n")
        self.write("src/envs/cartpole/a.cc", '#include "src/rollout/batch.h"\n')
        self.assertIn("src/envs/cartpole/a.cc:1: envs may not use rollout", self.problem())

    def test_a_type_that_is_declared_here_and_defined_above_is_named(self):
        declared = "#pragma once\n\n// class Comment;\nstruct Batch;\nclass Settings;\nclass Elsewhere;\nenum class Kind : int;\n"
        self.write("src/env/task.h", declared)
        self.write("src/base/batch.h", "#pragma once\n\nstruct Batch {\n  int rows;\n};\n")
        self.write("src/config/settings.proto", "message Settings {\n}\n")
        self.write("src/env/kind.h", "#pragma once\n\nenum class Kind : int { kOne };\n")
        self.write("src/loop/comment.h", "#pragma once\n\nclass Comment {};\n")
        self.assertEqual(self.check("--root", str(self.root)), [])
        self.write("src/config/settings.proto", "")
        self.write("src/oracle/settings.proto", "message Settings {\n}\n")
        self.assertEqual(
            self.problem(),
            "layout: src/env/task.h:5: Settings is defined in oracle, which env may not use: "
            "see scripts/bazel/layers.bzl",
        )

    def test_a_function_that_is_declared_in_one_module_and_defined_in_another_is_named(self):
        self.write("src/loop/role.h", "#pragma once\n\nint Here(int a);\nint MakeRole(int kind, int b = {});\n")
        self.write("src/loop/role.cc", "int Here(int a) { return a; }\n")
        self.write("src/api/role.cc", "int MakeRole(int kind, int b) { return kind + b; }\n")
        self.assertEqual(
            self.problem(),
            "layout: src/loop/role.h:4: MakeRole is declared in loop and defined in api: "
            "declare it where it is defined",
        )
        self.write(
            "src/loop/role.cc", "int Here(int a) { return a; }\n\nint MakeRole(int kind, int) { return kind; }\n"
        )
        self.assertEqual(self.check("--root", str(self.root)), [])

    def test_a_member_that_is_defined_in_another_module_is_named(self):
        self.write("src/loop/role.h", "#pragma once\n\nstruct Role {\n  int Call() const;\n};\n")
        self.write("src/api/role.cc", '#include "src/loop/role.h"\n\nint Role::Call() const { return 1; }\n')
        self.assertEqual(
            self.problem(),
            "layout: src/api/role.cc:3: Role::Call is declared in loop and defined in api: "
            "define it where it is declared",
        )

    def test_a_module_without_a_row_is_named(self):
        self.write("src/attic/old.h", "#pragma once\n")
        self.assertIn("src/attic/old.h: src/attic has no row", self.problem())

    def test_the_python_package_needs_no_row_and_the_engine_may_not_use_it(self):
        self.write("src/python/BUILD", "# the package\n")
        self.assertEqual(self.check("--root", str(self.root)), [])
        self.write("src/base/BUILD", (LIBRARY % ("base", "error")).replace("//src/base:b", "//src/python:dray"))
        self.assertIn("src/base/BUILD:10: base may not use python", self.problem())

    def test_a_wider_visibility_is_named(self):
        for visibility in ('["//visibility:public"]', 'above("base")'):
            self.write("src/envs/cartpole/BUILD", (LIBRARY % ("envs", "cartpole")).replace('above("envs")', visibility))
            self.assertIn('src/envs/cartpole/BUILD: use default_visibility = above("envs")', self.problem())
        self.write(
            "src/envs/cartpole/BUILD",
            (LIBRARY % ("envs", "cartpole")).replace(
                "    deps", '    visibility = ["//src:__subpackages__"],\n    deps'
            ),
        )
        self.assertIn("src/envs/cartpole/BUILD: use default_visibility", self.problem())

    def test_an_environment_that_is_not_registered_is_named(self):
        self.write("src/envs/toy/BUILD", LIBRARY % ("envs", "toy"))
        self.assertEqual(self.problem(), "layout: src/envs/toy: add it to ENVS in src/envs/envs.bzl")

    def test_a_role_that_is_not_in_the_table_is_named(self):
        self.write("src/cluster/roles/toy_role.h", "#pragma once\n\nclass ToyRole : public DispatchedRole {};\n")
        self.assertEqual(
            self.problem(), "layout: src/cluster/roles/toy_role.h: give the role a line in src/api/make_role.cc"
        )
        self.write("src/api/make_role.cc", '#include "src/cluster/roles/toy_role.h"\n')
        self.assertEqual(self.check("--root", str(self.root)), [])

    def test_a_test_without_a_counterpart_is_named(self):
        self.write("tests/attic/old_test.cc", "int x;\n")
        self.assertIn("tests/attic/old_test.cc: there is no src/attic", self.problem())

    def test_a_page_that_names_a_file_which_is_not_there_is_named(self):
        self.write("docs/page.md", "`src/base/error.h` and\n`src/base/old.h`, not `other/file.h`\n")
        self.assertEqual(self.problem(), "layout: docs/page.md:2: there is no src/base/old.h")

    def test_labels_out_of_order_are_named_and_sorted(self):
        self.write("src/base/BUILD", (LIBRARY % ("base", "error")).replace(":a", "@z//:z"))
        self.assertIn("src/base/BUILD: labels are not in order", self.problem())
        self.check("--root", str(self.root), "--fix")
        self.assertEqual(self.check("--root", str(self.root)), [])
        self.assertIn(
            '"//src/base:b",\n        "@c//:d",\n        "@z//:z",\n', (self.root / "src/base/BUILD").read_text()
        )

    def test_a_file_that_is_not_formatted_is_named(self):
        self.write("src/base/error.h", "#pragma once\nint  x ;\n")
        self.assertIn("src/base/error.h: not formatted by clang-format", self.problem())

    def test_python_that_ruff_or_mypy_refuses_is_named(self):
        self.write("src/python/pyproject.toml", (ROOT / "src/python/pyproject.toml").read_text())
        self.write("src/python/dray/__init__.py", "")
        self.write("src/python/dray/sum.py", '"""Adds."""\n\n\ndef add(a: int, b: int) -> int:\n    return a + b\n')
        self.assertEqual(self.check("--root", str(self.root)), [])
        self.write("src/python/dray/sum.py", "def add(a: int, b: int) -> int: return a+b\n")
        self.assertIn("src/python/dray/sum.py: not formatted by ruff", self.check("--root", str(self.root))[0])
        self.check("--root", str(self.root), "--fix")
        self.assertEqual(self.check("--root", str(self.root)), [])
        self.write("src/python/dray/sum.py", "import os\n")
        self.assertIn("src/python/dray/sum.py:1:8: F401", self.problem())
        self.write("src/python/dray/sum.py", "def add(a, b):\n    return a + b\n")
        self.assertIn("src/python/dray/sum.py:1: error: Function is missing a type annotation", self.problem())


class VisibilityTest(unittest.TestCase):
    def test_bazel_refuses_a_dependency_that_goes_up(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "copy"
            for name in ("src", "scripts/bazel"):
                shutil.copytree(ROOT / name, copy / name)
            for name in ("WORKSPACE", "BUILD"):
                shutil.copy(ROOT / name, copy)
            with open(copy / "src/base/BUILD", "a") as build:
                build.write('\nengine_library(\n    name = "planted",\n    deps = ["//src/metrics"],\n)\n')
            environment = {**os.environ, "DRAY_VENV": sys.prefix, "HOME": folder}
            process = subprocess.run(
                ["bazel", "--batch", f"--output_user_root={folder}/bazel", "build", "--nobuild", "//src/base:planted"],
                cwd=copy,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        self.assertEqual(process.returncode, 1, process.stdout)
        self.assertIn("target '//src/metrics:metrics' is not visible from target '//src/base:planted'", process.stdout)


if __name__ == "__main__":
    unittest.main()
