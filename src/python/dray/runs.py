"""Lists, shows and cleans the runs in a folder.

    dray runs list                                   every run below runs/, newest first
    dray runs show runs/cage2-1                      one of them, with its newest numbers
    dray runs clean --unfinished                     lists runs that did not finish; --yes removes them
    dray runs clean --older-than 30 --yes            removes runs last written to more than 30 days ago

clean removes only files that Dray wrote, and no run that is still training; other files stay in their folder and are listed.
"""

import argparse
import os
import pathlib
import time
from collections.abc import Sequence

from dray import run_removal
from dray.error import Error, fail
from dray.report.number_text import NOTHING, counted, duration, number, percent
from dray.report.run_folder import Damaged, RunFolder
from dray.text_table import text_table

DAY_S = 86_400
UNDER_WAY_S = 600  # a run written to so lately may still be training, on a machine whose locks are not seen here
MOST_NAMED = 20


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dray runs", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="list|show|clean")
    for name in ("list", "clean"):
        commands.add_parser(name).add_argument(
            "--dir", type=pathlib.Path, default=pathlib.Path("runs"), help="the folder of runs [runs]"
        )
    commands.add_parser("show").add_argument("run", type=pathlib.Path, help="a run's folder")
    clean = commands.choices["clean"]
    clean.add_argument(
        "--unfinished",
        action="store_true",
        help="runs that did not finish, are not training and were not written to for ten minutes",
    )
    clean.add_argument("--older-than", type=float, metavar="DAYS", help="runs last written to more than DAYS days ago")
    clean.add_argument("--yes", action="store_true", help="remove them; without it they are only listed")
    arguments = parser.parse_args(words)
    if arguments.command == "clean" and not arguments.unfinished and arguments.older_than is None:
        parser.error("clean needs --unfinished or --older-than DAYS: otherwise it would remove every run")
    return arguments


class Run:
    """A run. `folder` is None if the run is damaged; `damage` then says why."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path, self.damage = path, ""
        self.folder: RunFolder | None = None
        try:
            self.folder = RunFolder(path)
        except Damaged as damage:
            self.damage = str(damage).removeprefix(f"{path}: ")
        self.written = run_removal.newest_time(path)

    @property
    def age_s(self) -> float:
        return time.time() - self.written

    @property
    def is_dray(self) -> bool:
        """Whether Dray wrote its config.yaml: other programs have files of that name."""
        return self.folder is not None and bool(self.folder.task) and "run.dir" in self.folder.config

    @property
    def abandoned(self) -> bool:
        """Whether the run is neither finished nor still training."""
        return self.folder is not None and not self.folder.finished and self.age_s > UNDER_WAY_S

    def row(self) -> list[str]:
        if self.folder is None:
            return [str(self.path), *[NOTHING] * 4, f"damaged: {self.damage}", duration(self.age_s) + " ago"]
        evaluated = self.folder.final_evaluation()
        progress = self.folder.last("progress")
        return [
            str(self.path),
            self.folder.task or NOTHING,
            number(self.folder.last("total_steps")),
            number(self.folder.last("episode/return_mean")),
            number(evaluated["eval/return_mean"]) if evaluated else NOTHING,
            "finished" if self.folder.finished else NOTHING if progress is None else percent(progress),
            duration(self.age_s) + " ago",
        ]


def runs_below(folder: pathlib.Path) -> list[Run]:
    """Returns the runs below a folder, newest first. A search counts as one run, with all its trainings."""
    if not folder.is_dir():
        raise Error(f"{folder}: no such folder; name the folder of runs with --dir")
    found: list[Run] = []
    for config in sorted(folder.rglob("config.yaml")):
        if any(run.path in config.parents for run in found if is_search(run.path)):
            continue
        try:
            found.append(Run(config.parent))
        except Error:
            continue
    return sorted(found, key=lambda run: -run.written)


def is_search(path: pathlib.Path) -> bool:
    """Checks whether a folder is that of a search."""
    return os.path.lexists(path / "search.json") or os.path.lexists(path / "trials.jsonl")


HEAD = ["run", "task", "steps", "return", "evaluation", "state", "written"]


def table(runs: Sequence[Run]) -> str:
    return text_table([HEAD, *(run.row() for run in runs)], numbers=(2, 3, 4))


def show(path: pathlib.Path) -> None:
    run = Run(path)
    if run.folder is None:
        raise Error(f"{path}: {run.damage}")
    print(table([run]))
    newest = run.folder.reports[-1] if run.folder.reports else {}
    print("\n" + text_table([(name, number(value)) for name, value in newest.items()], indent="  "))
    print(f"\nsettings: {path / 'config.yaml'}")


def clean(arguments: argparse.Namespace) -> None:
    going = [
        run
        for run in runs_below(arguments.dir)
        if run.is_dray
        and (
            (arguments.unfinished and run.abandoned)
            or (arguments.older_than is not None and run.age_s > arguments.older_than * DAY_S)
        )
        and not run_removal.is_held(run.path)
    ]
    if not going:
        print("no matching runs")
        return
    print(table(going))
    if not arguments.yes:
        print(f"{counted(len(going), 'run')} would be removed; repeat with --yes")
        return
    removed = [run for run in going if remove(run.path)]
    print(f"{counted(len(removed), 'run')} removed")


def remove(path: pathlib.Path) -> bool:
    """Removes a run and prints what stays. Returns whether it was removed."""
    try:
        staying = run_removal.remove(path)
    except Error as error:
        print(f"skipped: {error}")
        return False
    except OSError as error:
        raise Error(f"{error.filename}: {error.strerror}; remove the rest of {path} by hand") from None
    if staying:
        named = ", ".join(str(file.relative_to(path)) for file in staying[:MOST_NAMED])
        print(
            f"{path}: kept, with files that Dray did not write: {named}{' and others' if len(staying) > MOST_NAMED else ''}"
        )
    return True


def main(words: Sequence[str] | None = None) -> None:
    arguments = parse_arguments(words)
    try:
        if arguments.command == "show":
            show(arguments.run)
        elif arguments.command == "clean":
            clean(arguments)
        else:
            runs = runs_below(arguments.dir)
            print(table(runs) if runs else f"no runs in {arguments.dir}")
    except Error as error:
        fail(error)


if __name__ == "__main__":
    main()
