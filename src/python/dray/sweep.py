"""Trains over values of settings and over seeds, and compares the results.

    dray sweep --config cartpole --grid ppo.learning_rate=1e-4,3e-4 --grid ppo.clip=0.1,0.2 --seeds 3
    dray sweep --config cage2_bline --random 20 --range ppo.learning_rate=1e-4..1e-2 --grid network.activation=tanh,relu
    dray sweep --config cartpole --grid ppo.gamma=0.98,0.99 --parallel 4 --dir runs/gamma -- --epochs 100 --runner ray

Every point of the grid is trained with every seed. With --random so many points are drawn: one of each --grid, and from each --range a
number, evenly on a logarithmic scale. What follows -- goes to every `train`. The same command again goes on where it was ended: runs that
are done stay, a run that was interrupted is resumed. The table is by the final evaluation, mean and 95 % interval over seeds; the page
(comparison.html in the folder) has the curves.
"""

import argparse
import concurrent.futures
import contextlib
import hashlib
import itertools
import json
import math
import os
import pathlib
import random
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

from dray import places
from dray.error import Error
from dray.fleet import Fleet, Interrupted, raise_interruptions
from dray.report.comparison_page import comparison_page
from dray.report.number_text import NOTHING, counted, estimate
from dray.report.page import page_text
from dray.report.run_folder import RunFolder, settings_of
from dray.report.run_statistics import Sample
from dray.text_table import text_table

Point = dict[str, str]  # values of settings, by path

LONGEST_NAME = 180  # of a point's folder; file systems take 255 bytes, and a log's name is longer


def choices(text: str) -> tuple[str, list[str]]:
    path, equals, values = text.partition("=")
    if not equals or not path or not all(values.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r}: expected SETTING=VALUE,VALUE,...")
    return path, values.split(",")


def span(text: str) -> tuple[str, tuple[float, float]]:
    found = re.fullmatch(r"([\w.]+)=([^.]\S*?)\.\.(\S+)", text)
    try:
        if not found:
            raise ValueError
        path, least, most = found[1], float(found[2]), float(found[3])
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected SETTING=LEAST..MOST") from None
    if not 0 < least < most:
        raise argparse.ArgumentTypeError(f"{text!r}: expected 0 < LEAST < MOST")
    return path, (least, most)


def parse_arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dray sweep", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", required=True, help="train's --config")
    parser.add_argument(
        "--grid",
        type=choices,
        action="append",
        default=[],
        metavar="SETTING=V,V,...",
        help="values to try; may be repeated",
    )
    parser.add_argument(
        "--range",
        type=span,
        action="append",
        default=[],
        metavar="SETTING=A..B",
        help="with --random: numbers to draw from",
    )
    parser.add_argument("--random", type=int, metavar="N", help="draw N points instead of trying all")
    parser.add_argument("--draw-seed", type=int, default=1, help="seed of --random [1]")
    parser.add_argument("--seeds", type=int, default=1, help="trainings of each point [1]")
    parser.add_argument("--parallel", type=int, default=1, help="trainings at a time [1]")
    parser.add_argument(
        "--dir", type=pathlib.Path, default=pathlib.Path("runs/sweep"), help="folder of the runs [runs/sweep]"
    )
    parser.add_argument("train", nargs="*", metavar="-- FLAGS", help="flags of every train")
    arguments = parser.parse_args(words)
    if arguments.range and arguments.random is None:
        parser.error("--range needs --random N")
    if not arguments.grid and not arguments.range:
        parser.error("nothing to try: give --grid, or --random with --range")
    paths = [path for path, _ in arguments.grid + arguments.range]
    if repeated := next((path for path in paths if paths.count(path) > 1), None):
        parser.error(f"{repeated} is given twice: name all of its values in one --grid or --range")
    if min(arguments.seeds, arguments.parallel, arguments.random or 1) < 1:
        parser.error("--seeds, --parallel and --random are at least 1")
    return arguments


def points_of(arguments: argparse.Namespace) -> list[Point]:
    """Returns the points of the sweep, each once."""
    return [dict(point) for point in dict.fromkeys(tuple(point.items()) for point in all_points(arguments))]


def all_points(arguments: argparse.Namespace) -> list[Point]:
    names = [path for path, _ in arguments.grid]
    if arguments.random is None:
        return [dict(zip(names, values)) for values in itertools.product(*(values for _, values in arguments.grid))]
    rng = random.Random(arguments.draw_seed)

    def draw() -> Point:
        return {
            **{path: rng.choice(values) for path, values in arguments.grid},
            **{
                path: f"{math.exp(rng.uniform(math.log(least), math.log(most))):.4g}"
                for path, (least, most) in arguments.range
            },
        }

    return [draw() for _ in range(arguments.random)]


def name_of(point: Point) -> str:
    """Returns the folder name of a point: its settings by full path, with a hash if a file name cannot hold them."""
    text = ",".join(f"{path}={value}" for path, value in point.items())
    name = re.sub(r"[^\w.,=+-]", "_", text)
    if name == text and len(name) <= LONGEST_NAME:
        return name
    return f"{name[:LONGEST_NAME]}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"


def same_value(written: str, asked: str) -> bool:
    """Checks that config.yaml has the requested value, however it is spelled: 0.01 for 1e-2, a whole path for a
    relative one.
    """
    written, asked = (re.sub(r"[\s\"']", "", text).lower() for text in (written, asked))
    try:
        return math.isclose(float(written), float(asked), rel_tol=1e-6)  # some settings have single precision
    except ValueError:
        if asked == "auto":  # written as what it came to
            return True

        def plain(text: str) -> str:
            return {"yes": "true", "on": "true", "no": "false", "off": "false"}.get(text, text.rpartition("/")[2])

        return plain(written) == plain(asked)


class Training:
    """One training of the sweep."""

    def __init__(self, point: Point, seed: int, folder: pathlib.Path) -> None:
        self.point, self.seed, self.folder = point, seed, folder
        self.done: RunFolder | None = None  # what the folder has, once the training came to its end
        self._check_settings()
        self._look()

    def _check_settings(self) -> None:
        """Raises Error if the folder has a run with other settings, which must be neither counted nor resumed."""
        config = self.folder / "config.yaml"
        written = settings_of(config.read_text(errors="replace")) if config.is_file() else {}
        for path, asked in {**self.point, "train.seed": str(self.seed)}.items():
            if path in written and not same_value(written[path], asked):
                raise Error(
                    f"{self.folder} has a run with {path}={written[path]}, not {asked}: remove it, or choose another --dir"
                )

    def _look(self) -> None:
        with contextlib.suppress(Error):  # no run yet
            run = RunFolder(self.folder)
            self.done = run if run.finished and run.final_evaluation() else None

    @property
    def result(self) -> float | None:
        """Mean return of the final evaluation; None if there is none yet."""
        evaluation = self.done.final_evaluation() if self.done else None
        return evaluation["eval/return_mean"] if evaluation else None

    def command(self, program: str, arguments: argparse.Namespace) -> list[str]:
        if (self.folder / "config.yaml").is_file():
            return [program, "--resume", str(self.folder)]
        settings = [word for path, value in self.point.items() for word in ("--set", f"{path}={value}")]
        flags = ["--config", arguments.config, "--seed", str(self.seed), "--run-dir", str(self.folder)]
        return [program, *flags, *settings, *arguments.train]

    def run(self, program: str, arguments: argparse.Namespace, fleet: Fleet) -> str:
        """Runs the training. Returns why it failed, in one line; empty if it did not."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        clone = (
            {"BUILD_WORKING_DIRECTORY": os.getcwd(), "BUILD_WORKSPACE_DIRECTORY": str(places.REPOSITORY)}
            if places.REPOSITORY
            else {}
        )
        with open(f"{self.folder}.log", "a") as log:
            code = fleet.call(
                self.command(program, arguments),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**clone, **places.environment()},
            )
        self._look()
        if code == 0 or code > 128:
            return ""
        told = [
            line
            for line in pathlib.Path(f"{self.folder}.log").read_text(errors="replace").splitlines()
            if line.startswith("dray: ")
        ]
        return told[-1] if told else f"ended with status {code}; see {self.folder}.log"


def train_all(trainings: Sequence[Training], arguments: argparse.Namespace, say: Callable[[str], object]) -> None:
    program, waiting = places.program("train"), [training for training in trainings if not training.done]
    say(f"{counted(len(trainings), 'training')}, {len(trainings) - len(waiting)} of them already done")
    done = len(trainings) - len(waiting)
    fleet = Fleet()
    with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
        running = {pool.submit(training.run, program, arguments, fleet): training for training in waiting}
        try:
            for future in concurrent.futures.as_completed(running):
                training, problem, done = running[future], future.result(), done + 1
                told = problem or (f"evaluation {estimate(training.result, None)}" if training.done else "interrupted")
                say(f"{done}/{len(trainings)} {training.folder.relative_to(arguments.dir)}: {told}")
        except Interrupted as interruption:
            say(f"ending {counted(sum(not future.done() for future in running), 'training')}")
            fleet.end(interruption.number)
            raise


def table(points: Sequence[Point], trainings: Sequence[Training]) -> str:
    """Returns the table of results, best first; points without a result come last."""
    rows = []
    for point in points:
        own = [training for training in trainings if training.point == point]
        results = [result for training in own if (result := training.result) is not None]
        sample = Sample.of(results) if results else None
        rows.append(
            (
                sample.mean if sample else -math.inf,
                [*point.values(), str(len(results)), estimate(sample.mean, sample.ci95) if sample else NOTHING],
            )
        )
    rows.sort(key=lambda row: -row[0])
    return text_table([[*points[0], "seeds", "evaluation"], *(row for _, row in rows)])


def note_what_was_asked(arguments: argparse.Namespace, points: Sequence[Point]) -> None:
    """Records the sweep in its folder. Raises Error if the folder has another sweep."""
    asked = {"config": arguments.config, "points": points, "train": arguments.train}
    file = arguments.dir / "sweep.json"
    if file.exists():
        if {**read_asked(file), "points": None} != {**asked, "points": None}:
            raise Error(f"{arguments.dir} has another sweep (config or flags of train differ): choose another --dir")
    arguments.dir.mkdir(parents=True, exist_ok=True)
    written = file.with_name("sweep.json.new")  # then renamed: a sweep that is killed here leaves a whole file
    written.write_text(json.dumps(asked, indent=1) + "\n")
    written.replace(file)


def read_asked(file: pathlib.Path) -> dict[str, Any]:
    try:
        value = json.loads(file.read_text())
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise Error(
            f"{file} is damaged: remove it if its sweep had the same --config and flags of train, or choose another --dir"
        )
    return value


def main(words: Sequence[str] | None = None) -> None:
    arguments = parse_arguments(words)
    points = points_of(arguments)
    raise_interruptions()
    try:
        note_what_was_asked(arguments, points)
        trainings = [
            Training(point, seed, arguments.dir / name_of(point) / f"seed-{seed}")
            for point in points
            for seed in range(1, arguments.seeds + 1)
        ]
        train_all(trainings, arguments, say=lambda text: print(text, flush=True))
        told = table(points, trainings)
        (arguments.dir / "table.txt").write_text(told + "\n")
        print("\n" + told)
        done = [training.done for training in trainings if training.done]
        if len(done) > 1:
            page = arguments.dir / "comparison.html"
            page.write_text(page_text(*comparison_page(done)))
            print(f"\n{page}")
    except (Error, OSError) as error:
        sys.exit(f"dray: {error}")
    except Interrupted as interruption:
        print(f"dray: interrupted by {interruption}; the same command resumes", file=sys.stderr)
        sys.exit(interruption.exit_code)
    if len(done) < len(trainings):
        sys.exit(1)


if __name__ == "__main__":
    main()
