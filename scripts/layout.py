#!/usr/bin/env python3
"""Checks the layout of the source: modules use only allowed modules, the list of tasks is complete, files named in pages exist, BUILD
files are sorted, C++ and Python are formatted, Python passes ruff and mypy.

usage: scripts/layout.py [--fix] [--root FOLDER] [--help]

  --fix    sort and format instead of reporting
  --root   tree to check (default: this one)

Prints one line per problem, with what to do about it. The exit code is 1 if there are any.
"""

import argparse
import ast
import os
import pathlib
import re
import shutil
import subprocess
import sys

BUILD_LISTS = ("deps", "srcs", "hdrs", "data", "imports")


def starlark(path: pathlib.Path) -> dict:
    """Returns the constants that a .bzl file assigns."""
    values = {}
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign):
            values[node.targets[0].id] = ast.literal_eval(node.value)
    return values


def usable_modules(root: pathlib.Path) -> dict[str, set[str]]:
    """Returns the modules that each module of src/ may use, including itself."""
    said = starlark(root / "scripts/bazel/layers.bzl")
    usable, lower = {}, set()
    for row in said["LAYERS"]:
        for module in row:
            closed = {leaf for leaf, users in said.get("LEAVES", {}).items() if module not in users}
            usable[module] = (lower - closed) | {module}
        lower |= set(row)
    return usable


def layer_problems(root: pathlib.Path) -> list[str]:
    """Finds includes of and dependencies on modules that may not be used."""
    usable = usable_modules(root)
    problems = []
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".cc", ".h", ".proto") and path.name != "BUILD":
            continue
        place = path.relative_to(root)
        if len(place.parts) < 3:
            continue
        module = place.parts[1]
        if module == "python":  # the Python package: no module of the engine
            continue
        if module not in usable:
            problems.append(f"{place}: src/{module} has no row in scripts/bazel/layers.bzl")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for used in re.findall(r'"(?://)?src/(\w+)[/:"]', line):
                if used not in usable[module]:
                    problems.append(f"{place}:{number}: {module} may not use {used}: see scripts/bazel/layers.bzl")
    return problems


# Patterns for C++ without comments, formatted by clang-format: declarations at namespace scope start in the first column.
TYPE = r"(?:struct|class|enum(?: class)?|union|message)"
FORWARD = re.compile(rf"^[ ]*{TYPE} (\w+)(?: : \w+)?;", re.M)
TYPE_DEFINITION = re.compile(rf"^[ ]*(?:template ?<[^\n]*> ?)?{TYPE} (?:[\w:]+::)?(\w+)\b[^;(){{}}]*\{{", re.M)
DECLARATION = re.compile(
    r"^(?!using|typedef|return)[A-Za-z_\[][\w:<>,&*\[\]\s]*?[\s&*](\w+)\([^;]*?\)\s*(?:noexcept\s*)?;", re.M
)
DEFINITION = re.compile(r"^(?:[A-Za-z_\[][\w:<>,&*\[\]\s]*?[\s&*])?((?:\w+::)*)(~?\w+)\([^;{}]*?\)[^;(){}]*?[{:]", re.M)


def without_comments(text: str) -> str:
    """Returns the text with comments removed and the same number of lines."""
    text = re.sub(r"/\*.*?\*/", lambda match: "\n" * match[0].count("\n"), text, flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def hidden_layer_problems(root: pathlib.Path) -> list[str]:
    """Finds uses without an include: types declared here and defined in a module that may not be used, and functions declared
    in one module and defined in another."""
    usable = usable_modules(root)
    files = {
        path.relative_to(root): without_comments(path.read_text())
        for path in sorted((root / "src").rglob("*"))
        if path.suffix in (".cc", ".h", ".proto") and path.relative_to(root).parts[1] in usable
    }
    types, functions = {}, {}  # name -> modules that define it
    for place, text in files.items():
        for name in TYPE_DEFINITION.findall(text):
            types.setdefault(name, set()).add(place.parts[1])
        for scope, name in DEFINITION.findall(text):
            if not scope:
                functions.setdefault(name, set()).add(place.parts[1])
    problems = []
    for place, text in files.items():
        module = place.parts[1]

        def report(match, sentence):
            problems.append(f"{place}:{text.count(chr(10), 0, match.start(1)) + 1}: {sentence}")

        for match in FORWARD.finditer(text):
            homes = types.get(match[1], set())
            if homes and not homes & usable[module]:
                report(
                    match,
                    f"{match[1]} is defined in {', '.join(sorted(homes))}, which {module} may not use: "
                    "see scripts/bazel/layers.bzl",
                )
        for match in DECLARATION.finditer(text) if place.suffix == ".h" else ():
            homes = functions.get(match[1], set())
            if homes and module not in homes:
                report(
                    match,
                    f"{match[1]} is declared in {module} and defined in {', '.join(sorted(homes))}: "
                    "declare it where it is defined",
                )
        for match in DEFINITION.finditer(text) if place.suffix == ".cc" else ():
            homes = types.get(match[1].split("::")[0], set())
            if homes and module not in homes:
                report(
                    match,
                    f"{match[1]}{match[2]} is declared in {', '.join(sorted(homes))} and defined in {module}: "
                    "define it where it is declared",
                )
    return problems


def visibility_problems(root: pathlib.Path) -> list[str]:
    """Finds BUILD files whose visibility is wider than the modules above. Bazel itself enforces the visibility."""
    layers = starlark(root / "scripts/bazel/layers.bzl")["LAYERS"]
    problems = []
    for module in (module for row in layers[:-1] for module in row):
        for path in sorted((root / "src" / module).rglob("BUILD")):
            said = re.findall(r"visibility = (.*?)[,)]?$", path.read_text(), re.M)
            if not said or not all(text in (f'above("{module}")', '["//visibility:private"]') for text in said):
                problems.append(
                    f'{path.relative_to(root)}: use default_visibility = above("{module}"), and no other visibility except private'
                )
    return problems


def registry_problems(root: pathlib.Path) -> list[str]:
    """Finds environments that are not registered."""
    lists = starlark(root / "src/envs/envs.bzl")
    known = [*lists["ENVS"], *lists.get("SHARED", [])]
    folders = {path.parent.name for path in (root / "src/envs").glob("*/BUILD")}
    return [f"src/envs/{name}: add it to ENVS in src/envs/envs.bzl" for name in sorted(folders - set(known))]


def role_problems(root: pathlib.Path) -> list[str]:
    """Finds roles that are missing from the table of roles."""
    table = root / "src/api/make_role.cc"
    known = table.read_text() if table.exists() else ""
    return [
        f"{path.relative_to(root)}: give the role a line in src/api/make_role.cc"
        for path in sorted((root / "src").rglob("*_role.h"))
        if "public DispatchedRole" in path.read_text() and f'#include "{path.relative_to(root)}"' not in known
    ]


def mirror_problems(root: pathlib.Path) -> list[str]:
    """Finds unit tests whose folder has no counterpart in src/."""
    problems = []
    for path in sorted((root / "tests").rglob("*_test.cc")):
        folder = path.relative_to(root / "tests").parent
        if not (root / "src" / folder).is_dir() and folder.parts[0] != "ray":
            problems.append(
                f"{path.relative_to(root)}: there is no src/{folder}: a test belongs in the folder of its subject"
            )
    return problems


def page_problems(root: pathlib.Path) -> list[str]:
    """Finds files that the documentation names but that do not exist."""
    problems = []
    for page in sorted([*root.glob("*.md"), *root.glob("docs/*.md")]):
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for name in re.findall(r"`((?:src|ray_actors|scripts|tests|configs|docs)/[\w./-]+)`", line):
                if not (root / name).exists() and page.name != "CHANGELOG.md":
                    problems.append(f"{page.relative_to(root)}:{number}: there is no {name}")
    return problems


def label_key(text: str) -> tuple:
    return (not text.startswith(":"), text.startswith("@"), text.replace(":", "!").lower())


def sorted_build(text: str) -> str:
    """Returns the text with the labels of every plain list sorted: labels of this package first, then by path."""

    def ordered(match: re.Match) -> str:
        lines = [line for line in match[2].splitlines() if line.strip()]
        if not all(re.fullmatch(r'\s*"[^"]*",', line) for line in lines):
            return match[0]
        lines.sort(key=lambda line: label_key(line.strip().strip(",").strip('"')))
        return match[1] + "\n".join(dict.fromkeys(lines)) + "\n    ]"

    names = "|".join(BUILD_LISTS)
    return re.sub(rf"(\n    (?:{names}) = \[\n)(.*?)\n?    \]", ordered, text, flags=re.S)


def build_problems(root: pathlib.Path, fix: bool) -> list[str]:
    problems = []
    for path in tracked(root, "BUILD", "*/BUILD"):
        text = path.read_text()
        wanted = sorted_build(text)
        if wanted != text and fix:
            path.write_text(wanted)
        elif wanted != text:
            problems.append(f"{path.relative_to(root)}: labels are not in order: run scripts/layout.py --fix")
    return problems


def format_problems(root: pathlib.Path, fix: bool) -> list[str]:
    formatter = shutil.which("clang-format")
    if formatter is None:
        return ["clang-format is missing: run scripts/setup.sh"]
    files = [str(path) for path in tracked(root, "*.cc", "*.h", "*.hpp")]
    chunks = [files[i : i + 40] for i in range(0, len(files), 40)]
    flags = ["-i"] if fix else ["--dry-run", "-Werror"]
    running = []
    wrong = set()
    for chunk in chunks:
        running.append(subprocess.Popen([formatter, *flags, *chunk], stderr=subprocess.PIPE, text=True))
        if len(running) >= (os.cpu_count() or 1):
            wrong |= badly_formatted(running.pop(0))
    for process in running:
        wrong |= badly_formatted(process)
    return [
        f"{os.path.relpath(name, root)}: not formatted by clang-format: run scripts/layout.py --fix"
        for name in sorted(wrong)
    ]


def python_problems(root: pathlib.Path, fix: bool) -> list[str]:
    """Finds Python that ruff would reformat or rejects, and types that mypy rejects."""
    config = root / "src/python/pyproject.toml"
    if not config.is_file():
        return []
    files = [str(path.relative_to(root)) for path in tracked(root, "*.py")]
    tools = pathlib.Path(sys.executable).parent
    ruff, mypy = (tools / name for name in ("ruff", "mypy"))
    missing = [tool.name for tool in (ruff, mypy) if not tool.is_file()]
    if missing:
        return [
            f"{' and '.join(missing)} not found in {tools}: run scripts/setup.sh, then .venv/bin/python scripts/layout.py"
        ]
    problems = []
    flags = ["--config", config, "--no-cache", "--quiet"]
    if fix:
        subprocess.run([ruff, "check", "--fix", *flags, *files], cwd=root, stdout=subprocess.DEVNULL)
        subprocess.run([ruff, "format", *flags, *files], cwd=root)
    else:
        command = [ruff, "format", "--check", "--output-format=concise", *flags, *files]
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        names = dict.fromkeys(line.partition(":")[0] for line in done.stdout.splitlines())
        problems += [f"{name}: not formatted by ruff: run scripts/layout.py --fix" for name in names]
    checks = (
        [ruff, "check", "--output-format=concise", *flags, *files],
        [mypy, "--config-file", config, "--no-error-summary", "--hide-error-context", "--cache-dir", os.devnull],
    )
    for command in checks:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True)
        problems += done.stdout.splitlines()
        if done.returncode != 0 and not done.stdout:
            problems.append(f"{command[0].name} failed: {' '.join(done.stderr.split())}")
    return problems


def python_tool(root: pathlib.Path, name: str) -> pathlib.Path | None:
    """Finds a program of the virtual environment, whichever Python runs this."""
    folders = [pathlib.Path(os.environ.get("DRAY_VENV", root / ".venv")) / "bin", pathlib.Path(sys.executable).parent]
    return next((folder / name for folder in folders if (folder / name).is_file()), None)


def badly_formatted(process: subprocess.Popen) -> set[str]:
    _, errors = process.communicate()
    return {line.split(":")[0] for line in errors.splitlines() if "clang-format-violations" in line}


def tracked(root: pathlib.Path, *patterns: str) -> list[pathlib.Path]:
    """Returns files that are tracked or would be added by git; in a tree without git, all files."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        capture_output=True,
        text=True,
    )
    if listed.returncode != 0:
        names = {path for pattern in patterns for path in root.rglob(pattern.removeprefix("*/"))}
        return sorted(names)
    return [root / name for name in listed.stdout.splitlines() if (root / name).is_file()]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--fix", action="store_true", help="sort and format instead of reporting")
    parser.add_argument(
        "--root",
        type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent,
        help="tree to check (default: this one)",
    )
    options = parser.parse_args()
    root = options.root.resolve()
    problems = layer_problems(root) + hidden_layer_problems(root) + visibility_problems(root) + registry_problems(root)
    problems += role_problems(root) + mirror_problems(root) + page_problems(root)
    problems += build_problems(root, options.fix) + format_problems(root, options.fix)
    problems += python_problems(root, options.fix)
    for problem in problems:
        print(f"layout: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
