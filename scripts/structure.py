#!/usr/bin/env python3
"""Measures the structure of the source: dependencies, casts, BUILD lines, types, and how header comments begin.

usage: scripts/structure.py [--root FOLDER] [--list NAME] [--help]

  --root   the tree to measure (default: this one)
  --list   print the lines behind one number: tasks, comments or untyped

Prints one row per number with the goal it should meet, and exits with 1 if a goal is missed.
"""

import argparse
import ast
import pathlib
import re
import sys
from collections.abc import Callable, Iterator

from layout import starlark

VAGUE = set("of those that whose likewise".split())
PREPOSITIONS = VAGUE | set(
    """about above across after against along among around as at before behind below beneath beside besides between beyond by
    despite down during except for from in inside into like near off on onto out outside over past per since through
    throughout till to toward towards under underneath until up upon with within without where what whether""".split()
)
ABOVE_TASKS = {"api", "commands"}
WORDS = {"plugin", "python"}  # tasks whose names are words as well: counted only in paths and settings


def cpp_files(root: pathlib.Path, *folders: str) -> list[pathlib.Path]:
    return sorted(p for f in folders for p in (root / f).rglob("*") if p.suffix in (".h", ".cc", ".hpp"))


def line_count(paths: list[pathlib.Path]) -> int:
    return sum(len(path.read_text().splitlines()) for path in paths)


def modules(root: pathlib.Path) -> list[str]:
    return sorted(p.name for p in (root / "src").iterdir() if cpp_files(root, f"src/{p.name}"))


def includes(root: pathlib.Path) -> dict[str, set[str]]:
    """Returns the modules that each module of src/ includes."""
    used: dict[str, set[str]] = {}
    for module in modules(root):
        texts = (path.read_text() for path in cpp_files(root, f"src/{module}"))
        names = {name for text in texts for name in re.findall(r'#include "src/(\w+)/', text)}
        used[module] = names - {module}
    return used


def below(used: dict[str, set[str]], module: str) -> set[str]:
    seen: set[str] = set()
    waiting = [module]
    while waiting:
        for name in used.get(waiting.pop(), set()) - seen:
            seen.add(name)
            waiting.append(name)
    return seen


def header_comments(root: pathlib.Path) -> Iterator[tuple[str, str]]:
    """Yields the location and the first line of every comment in a header of src/."""
    for path in cpp_files(root, "src"):
        if path.suffix != ".h":
            continue
        inside = False
        for number, line in enumerate(path.read_text().splitlines(), 1):
            whole = re.match(r"\s*//+\s?(.*)", line)
            text = None
            if whole and not inside:
                text = whole[1]
            elif not whole and (behind := re.search(r"\S.*?\s//\s(.*)", line)):
                text = behind[1]
            inside = bool(whole)
            if text and re.match(r"\W*\w", text):
                yield f"{path.relative_to(root)}:{number}", text


def first_word(text: str) -> str:
    return re.match(r"\W*(\w+)", text)[1].lower()


def task_lines(root: pathlib.Path) -> Iterator[str]:
    """Returns the lines of code, without comments, that name a task outside its own folder."""
    tasks = starlark(root / "src/envs/envs.bzl")["ENVS"]
    names = "|".join(sorted(set(tasks) - WORDS, key=len, reverse=True))
    words = "|".join(sorted(WORDS))
    named = re.compile(rf"(?<![a-z])({names})|env\.({words})\b|envs/({words})/", re.I)
    for path in cpp_files(root, "src", "ray_actors") + sorted((root / "src").rglob("*.py")):
        place = path.relative_to(root)
        if place.parts[:2] == ("src", "envs") or "tasks" in place.parts or "vendor" in place.parts:
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            code = re.sub(r"(^|\s)(//|#(?!include)).*", "", line)
            if named.search(code):
                yield f"{place}:{number}: {line.strip()}"


def untyped_functions(root: pathlib.Path) -> Iterator[str]:
    """Returns the public functions of the Python package that lack the type of an argument or of the result."""
    for path in package_files(root):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or node.name.startswith("_"):
                continue
            arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
            bare = [a.arg for a in arguments if a.annotation is None and a.arg not in ("self", "cls")]
            if bare or node.returns is None:
                yield f"{path.relative_to(root)}:{node.lineno}: {node.name}"


def package_files(root: pathlib.Path) -> list[pathlib.Path]:
    found = [p for p in (root / "src/python/dray").rglob("*.py") if "vendor" not in p.parts]
    if not found:
        raise SystemExit(f"structure: there is no Python package under {root}/src/python")
    return sorted(found)


def build_files(root: pathlib.Path) -> list[pathlib.Path]:
    folders = ("src", "ray_actors", "tests", "scripts", "configs")
    found = [p for f in folders for p in (root / f).rglob("*") if p.name == "BUILD" or p.suffix == ".bzl"]
    return [root / "BUILD", *found]


def measure(root: pathlib.Path) -> list[tuple[str, float, float]]:
    """Returns rows of (what, measured, goal); a goal is an upper bound."""
    used = includes(root)
    size = {module: line_count(cpp_files(root, f"src/{module}")) for module in used}
    code = cpp_files(root, "src", "ray_actors")
    casts = sum(path.read_text().count("static_cast<") for path in code)
    words = [first_word(text) for _, text in header_comments(root)]

    def share(vocabulary: set[str]) -> float:
        return 100 * sum(word in vocabulary for word in words) / len(words)

    def under(module: str) -> int:
        return sum(size[name] for name in below(used, module))

    return [
        ("modules that include envs", len([m for m in used if "envs" in used[m]]), len(ABOVE_TASKS)),
        ("lines of src below learn", under("learn"), 13_000),
        ("lines of src below rollout", under("rollout"), 12_000),
        ("lines of src below loop", under("loop"), 27_000),
        ("lines of code that name a task outside its folder", len(list(task_lines(root))), 49),
        ("header comments that start with Of, Those, That, Whose, Likewise (%)", share(VAGUE), 0.3),
        ("header comments that start with any preposition, Where, What, Whether (%)", share(PREPOSITIONS), 5),
        ("static_cast per 1,000 lines", 1000 * casts / line_count(code), 8),
        ("lines of BUILD and .bzl files", line_count(build_files(root)), 4_000),
        ("public Python functions without types", len(list(untyped_functions(root))), 0),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(add_help=False, usage=argparse.SUPPRESS)
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--list", choices=["tasks", "comments", "untyped"])
    parser.add_argument("-h", "--help", action="store_true")
    arguments = parser.parse_args()
    if arguments.help:
        print(__doc__.strip())
        return 0
    lists: dict[str, Callable[[], Iterator[str]]] = {
        "tasks": lambda: task_lines(arguments.root),
        "comments": lambda: (
            f"{place}: {text}" for place, text in header_comments(arguments.root) if first_word(text) in PREPOSITIONS
        ),
        "untyped": lambda: untyped_functions(arguments.root),
    }
    if arguments.list:
        print("\n".join(lists[arguments.list]()))
        return 0
    rows = measure(arguments.root)
    width = max(len(row[0]) for row in rows)
    print(f"{'':{width}}  measured     goal")
    for what, value, goal in rows:
        mark = "" if value <= goal else "  missed"
        print(f"{what:{width}}  {value:8,.{0 if float(value).is_integer() else 1}f}  ≤ {goal:6,g}{mark}")
    return 0 if all(value <= goal for _, value, goal in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
