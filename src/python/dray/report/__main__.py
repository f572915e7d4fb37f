"""Makes the page of a run, or a page that compares several runs: one HTML file with curves, times, evaluations and
pictures. It opens in any browser, offline.

    REPORT --run-dir runs/first                           # writes runs/first/report.html
    REPORT --compare runs/a runs/b runs/c --out all.html

The page shows what the run folder contains. Results of `evaluate` are included if they are in the run folder
(evaluate ... --out FOLDER --render FOLDER, or --json > FILE) or in a folder given by --evaluation. The last line
printed is the page's path.
"""

import argparse
import os
import pathlib
import sys
from collections.abc import Iterable

from dray import standard_streams
from dray.error import Error, fail
from dray.report.command_words import program
from dray.report.comparison_page import comparison_page
from dray.report.page import page_text
from dray.report.run_folder import Damaged, RunFolder
from dray.report.run_page import run_page

PROGRAM = program("report")


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description=__doc__.replace("REPORT", PROGRAM),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--run-dir", type=pathlib.Path, metavar="RUN", help="folder of the run or search")
    what.add_argument(
        "--compare", type=pathlib.Path, nargs="+", metavar="RUN", help="folders of two or more runs of the same task"
    )
    parser.add_argument(
        "--evaluation",
        type=pathlib.Path,
        action="append",
        default=[],
        metavar="FOLDER",
        help="with --run-dir: another folder with results of evaluate; may be repeated",
    )
    parser.add_argument(
        "--out", type=pathlib.Path, metavar="FILE", help="the page [RUN/report.html; with --compare: comparison.html]"
    )
    arguments = parser.parse_args()
    if arguments.compare and len(arguments.compare) < 2:
        parser.error("--compare needs at least two runs")
    if arguments.compare and arguments.evaluation:
        parser.error("--evaluation goes with --run-dir")
    return arguments


def write_page(file: pathlib.Path, text: str) -> None:
    """Writes the page at once, so that a browser that reloads never sees a part of it."""
    part = file.with_name(f".{file.name}.part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        part.unlink(missing_ok=True)
        part.write_text(text, errors="replace")
        os.replace(part, file)
    except OSError as error:
        raise Error(f"{file}: {error.strerror}; choose another place with --out") from None


def make_page(run_dir: pathlib.Path) -> pathlib.Path:
    """Writes report.html into a run folder and returns its path."""
    file = run_dir / "report.html"
    write_page(file, page_text(*run_page(RunFolder(run_dir, []))))
    return file


def readable(paths: Iterable[pathlib.Path]) -> tuple[list[RunFolder], list[str]]:
    """Returns the runs of a comparison, and a line for each damaged run that is left out."""
    runs, left_out = [], []
    for path in paths:
        try:
            runs.append(RunFolder(path))
        except Damaged as damage:
            left_out.append(f"{damage}; left out")
    if len(runs) < 2:
        raise Error(f"fewer than two of these runs can be read ({'; '.join(left_out)})")
    return runs, left_out


def main() -> None:
    standard_streams.prepare()
    arguments = parse_arguments()
    try:
        if arguments.compare:
            runs, left_out = readable(arguments.compare)
            file, page = arguments.out or pathlib.Path("comparison.html"), comparison_page(runs, left_out)
        else:
            runs, left_out = [RunFolder(arguments.run_dir, arguments.evaluation)], []
            file, page = arguments.out or arguments.run_dir / "report.html", run_page(runs[0])
        write_page(file, page_text(*page))
    except Error as error:
        fail(error, "report")
    for note in [*left_out, *(f"{run.path}: {note}" for run in runs for note in run.notes)]:
        print(note, file=sys.stderr)
    print(file)


if __name__ == "__main__":
    main()
