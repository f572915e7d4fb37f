#!/usr/bin/env python3
"""Draws the dependencies between the modules of src/, from the BUILD files: as text in ARCHITECTURE.md and as docs/map.svg.

usage: scripts/map.py [--check] [--root FOLDER] [--help]

  --check   write nothing; report pictures that are out of date, with exit code 1 if there are any
  --root    tree to draw (default: this one)

A line means "uses"; indirect dependencies are left out. The rows and the descriptions of the modules are in
scripts/bazel/layers.bzl.
"""

import argparse
import pathlib
import re
import sys
import textwrap

from layout import starlark

MARK, END = "<!-- map: made by scripts/map.py -->", "<!-- end of map -->"
COLUMN, ROW, BOX_WIDTH, BOX_HEIGHT, MARGIN = 310, 84, 270, 60, 20
LETTERS = 38  # of a line in a box


def uses_of(root: pathlib.Path, modules: list[str]) -> dict[str, list[str]]:
    """Returns the modules that each one uses, in the order of `modules`, without indirect dependencies."""
    direct = {}
    for module in modules:
        text = "".join(path.read_text() for path in (root / "src" / module).rglob("BUILD"))
        direct[module] = set(re.findall(r'"//src/(\w+)[/:"]', text)) - {module}

    def reached(module):
        return direct[module].union(*map(reached, direct[module]))

    return {
        module: [
            used
            for used in modules
            if used in direct[module] and not any(used in reached(other) for other in direct[module])
        ]
        for module in modules
    }


class Step:
    """A module in its column, the lines that end at it, and the columns of the modules it uses."""

    def __init__(self, module, uses, column, joined, before):
        self.module, self.uses, self.column = module, uses, column
        self.joined = joined  # columns of all lines that end here
        self.before = before  # columns with a line, above the module
        self.opened, self.after = [], set()


def steps_of(modules: list[str], uses: dict[str, list[str]]) -> list[Step]:
    """Lays out the modules: each line keeps to its own column, as in a drawing of commits."""
    awaited, steps = [], []
    for module in modules:
        joined = [column for column, name in enumerate(awaited) if name == module]
        step = Step(module, uses[module], joined[0] if joined else free_column(awaited), joined, busy(awaited))
        for column in joined:
            awaited[column] = None
        for number, used in enumerate(uses[module]):
            column = step.column if number == 0 else free_column(awaited)
            awaited[column] = used
            step.opened.append(column)
        step.after = busy(awaited)
        steps.append(step)
    return steps


def free_column(awaited: list) -> int:
    if None not in awaited:
        awaited.append(None)
    return awaited.index(None)


def busy(awaited: list) -> set[int]:
    return {column for column, name in enumerate(awaited) if name}


def text_picture(steps: list[Step], words: dict[str, str]) -> str:
    width = 1 + max(max({step.column, *step.after}) for step in steps)
    longest = max(len(step.module) for step in steps)
    lines = []
    for step in steps:
        if len(step.joined) > 1:
            lines.append(link(step.joined, step.column, step.before, width, "╰┴╯"))
        rails = "".join(
            ("● " if column == step.column else "│ " if column in step.before - set(step.joined) else "  ")
            for column in range(width)
        )
        lines.append(f"{rails} {step.module:<{longest}}  {words[step.module]}")
        if len(step.opened) > 1:
            lines.append(link(step.opened, step.column, step.after, width, "╭┬╮"))
    return "\n".join("    " + line.rstrip() for line in lines)


def link(columns: list[int], node: int, busy: set[int], width: int, corners: str) -> str:
    """Draws a horizontal line between columns; corners are its left end, crossings and right end."""
    first, last = min(columns), max(columns)

    def sign(column):
        if column == node:
            return "├" if column == first else "┤" if column == last else "┼"
        if column in columns:
            return corners[0] if column == first else corners[2] if column == last else corners[1]
        if first < column < last:
            return "┼" if column in busy else "─"
        return "│" if column in busy else " "

    return "".join(sign(column) + ("─" if first <= column < last else " ") for column in range(width))


def svg_picture(steps: list[Step], rows: dict[str, int], words: dict[str, str]) -> str:
    columns = 1 + max(step.column for step in steps)
    places = {step.module: (MARGIN + step.column * COLUMN, MARGIN + rows[step.module] * ROW) for step in steps}
    parts = []
    for step in steps:
        x, y = places[step.module]
        for column, used in zip(step.opened, step.uses):
            end_x, end_y = places[used]
            middle = MARGIN + column * COLUMN + BOX_WIDTH // 2
            # From the side to the line's own column, down, and into the top, or into the side of a module in another column.
            side, end_side = y + BOX_HEIGHT // 2, end_y + BOX_HEIGHT // 2
            start = f"M{middle} {y + BOX_HEIGHT}" if column == step.column else f"M{x + BOX_WIDTH} {side}H{middle}"
            end = f"V{end_y}" if middle == end_x + BOX_WIDTH // 2 else f"V{end_side}H{end_x + BOX_WIDTH}"
            parts.append(f'<path d="{start}{end}" marker-end="url(#arrow)"/>')
    for module, (x, y) in places.items():
        parts.append(f'<rect x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>')
        parts.append(f'<text class="name" x="{x + 10}" y="{y + 19}">{module}</text>')
        for number, line in enumerate(textwrap.wrap(words[module], LETTERS)):
            parts.append(f'<text x="{x + 10}" y="{y + 36 + 15 * number}">{line}</text>')
    width = 2 * MARGIN + (columns - 1) * COLUMN + BOX_WIDTH
    height = 2 * MARGIN + max(rows.values()) * ROW + BOX_HEIGHT
    return SVG.format(width=width, height=height, body="\n".join(parts))


SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<!-- made by scripts/map.py -->
<title>The modules of src/: a line goes from who uses to who is used</title>
<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">
<path d="M0 0L8 4L0 8z" style="fill:#57606a;stroke:none"/></marker></defs>
<style>
rect {{ fill: #f6f8fa; stroke: #57606a }}
path {{ fill: none; stroke: #57606a; stroke-width: 1.3 }}
text {{ font: 12px sans-serif; fill: #1f2328 }}
text.name {{ font: bold 14px sans-serif }}
</style>
<rect width="{width}" height="{height}" style="fill:#ffffff;stroke:none"/>
{body}
</svg>
"""


def pictures(root: pathlib.Path) -> dict[pathlib.Path, str]:
    """Returns the files with a picture and the content they should have."""
    said = starlark(root / "scripts/bazel/layers.bzl")
    layers, words = said["LAYERS"][::-1], said["WORDS"]
    rows = {module: row for row, modules in enumerate(layers) for module in modules}
    steps = steps_of(list(rows), uses_of(root, list(rows)))
    page = root / "ARCHITECTURE.md"
    before, mark, rest = page.read_text().partition(MARK)
    _, end, after = rest.partition(END)
    if not mark or not end:
        raise SystemExit(f"map: ARCHITECTURE.md has no place for the map: add the lines {MARK} and {END}")
    return {
        page: f"{before}{MARK}\n\n{text_picture(steps, words)}\n\n{END}{after}",
        root / "docs/map.svg": svg_picture(steps, rows, words),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a picture is out of date")
    parser.add_argument(
        "--root",
        type=pathlib.Path,
        default=pathlib.Path(__file__).resolve().parent.parent,
        help="tree to draw (default: this one)",
    )
    options = parser.parse_args()
    stale = {
        path: text
        for path, text in pictures(options.root.resolve()).items()
        if not path.exists() or path.read_text() != text
    }
    for path, text in stale.items():
        if options.check:
            print(f"map: {path.name} is not current: run scripts/map.py")
        else:
            path.write_text(text)
    return 1 if stale and options.check else 0


if __name__ == "__main__":
    sys.exit(main())
