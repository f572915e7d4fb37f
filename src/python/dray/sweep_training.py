"""One training of a sweep: its folder, its command and its result."""

import argparse
import contextlib
import dataclasses
import hashlib
import math
import os
import pathlib
import re
import subprocess
from collections.abc import Sequence

from dray import places
from dray.error import Error, UsageError
from dray.fleet import Fleet
from dray.report.run_folder import RunFolder, settings_of
from dray.search_space import Point

LONGEST_NAME = 180  # of a point's folder; file systems take 255 bytes, and a log's name is longer
# Settings that limit a training, in the order in which they apply, and the metrics that count them.
LENGTHS = {"epochs": "epoch", "total_steps": "total_steps", "episodes": "completed_episodes"}


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


@dataclasses.dataclass(frozen=True)
class Length:
    """How long a training is, in the unit that limits it."""

    unit: str  # one of LENGTHS
    amount: int

    @property
    def flags(self) -> list[str]:
        return [f"--{self.unit.replace('_', '-')}", str(self.amount)]

    def share(self, divisor: int) -> "Length":
        return Length(self.unit, -(-self.amount // divisor))


def dry_run(config: str, words: Sequence[str]) -> str:
    """Returns the settings and the plan that a training would have, as text. Raises Error if it would not start."""
    dry = subprocess.run(
        [places.program("train"), "--config", config, *words, "--dry-run"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=environment(),
    )
    if dry.returncode != 0:
        told = error_of(dry.stderr) or f"train --dry-run ended with status {dry.returncode}"
        raise UsageError(told) if dry.returncode == 2 else Error(told)
    return dry.stdout


def words_of(point: Point) -> list[str]:
    """Returns a point as flags of train."""
    return [word for path, value in point.items() for word in ("--set", f"{path}={value}")]


def common_settings(arguments: argparse.Namespace, point: Point) -> dict[str, str]:
    """Returns the settings that all trainings of a sweep share and that decide its results. `point` is any of its points.

    Raises Error if the flags of train set what the sweep varies.
    """
    try:
        plan = dry_run(arguments.config, [*words_of(point), *arguments.train])
    except Error:  # of this point, perhaps
        plan, point = dry_run(arguments.config, arguments.train), {}
    settings = settings_of(plan)
    for path, value in point.items():
        if same_value(settings.get(path, value), value):
            continue
        if settings_of(dry_run(arguments.config, words_of(point))).get(path) != settings[path]:
            raise Error(f"the flags of train set {path}, which the sweep varies: leave out one of them")
    varied = {*point, "train.seed", *re.findall(r"(?m)^  chosen +([\w.]+) auto:", plan)}
    return {
        path: value
        for path, value in settings.items()
        if path not in varied and not path.startswith(("run.", "ray.", "evaluation.interval"))
    }


def whole_length(arguments: argparse.Namespace) -> Length:
    """Returns the length that the sweep's trainings have by their config and flags."""
    settings = settings_of(dry_run(arguments.config, arguments.train))
    for unit in LENGTHS:
        if amount := int(settings.get(f"train.{unit}", 0)):
            return Length(unit, amount)
    raise Error("--halving divides epochs, steps or episodes, and only time limits these trainings: add -- --epochs N")


def environment() -> dict[str, str]:
    """Returns the environment variables of every train."""
    clone = (
        {"BUILD_WORKING_DIRECTORY": os.getcwd(), "BUILD_WORKSPACE_DIRECTORY": str(places.REPOSITORY)}
        if places.REPOSITORY
        else {}
    )
    return {**clone, **places.environment()}


def error_of(printed: str) -> str:
    """Returns the last error in what a program printed; empty if there is none."""
    told = [line.removeprefix("dray: ") for line in printed.splitlines() if line.startswith("dray: ")]
    return told[-1] if told else ""


class Training:
    """One training of the sweep."""

    def __init__(self, point: Point, seed: int, folder: pathlib.Path) -> None:
        self.point, self.seed, self.folder = point, seed, folder
        self.done: RunFolder | None = None  # the contents of the folder, once the training came to its end
        self.failed = False  # it was run, and did not come to its end
        self._ended: Length | None = None  # of the last run, which may have reached its goal early
        self._check_settings()
        self._look()

    def _check_settings(self) -> None:
        """Raises Error if the folder has a run with other settings, which must be neither counted nor resumed."""
        config = self.folder / "config.yaml"
        written = settings_of(config.read_text(errors="replace")) if config.is_file() else {}
        for path, asked in {**self.point, "train.seed": str(self.seed)}.items():
            if path in written and not self._is_same(path, written[path], asked):
                raise Error(
                    f"{self.folder} has a run with {path}={written[path]}, not {asked}: remove it, or choose another --dir"
                )

    def _is_same(self, path: str, written: str, asked: str) -> bool:
        if same_value(written, asked):
            return True
        with contextlib.suppress(Error):  # train knows other spellings, such as names that were renamed
            return settings_of(dry_run(str(self.folder / "config.yaml"), words_of({path: asked}))).get(path) == written
        return False

    def _look(self) -> None:
        self.done = None
        with contextlib.suppress(Error):  # no run yet
            run = RunFolder(self.folder)
            self.done = run if run.finished and run.final_evaluation() else None

    def reached(self, length: Length | None) -> bool:
        """Whether the training came to the end of this length; None: of its own."""
        evaluation = self.done.final_evaluation() if self.done else None
        if evaluation is None or length is None or length == self._ended:
            return evaluation is not None
        return evaluation.get(LENGTHS[length.unit], 0) >= length.amount

    @property
    def result(self) -> float | None:
        """Mean return of the final evaluation; None if there is none yet."""
        evaluation = self.done.final_evaluation() if self.done else None
        return evaluation["eval/return_mean"] if evaluation else None

    def command(self, program: str, arguments: argparse.Namespace, length: Length | None) -> list[str]:
        limit = length.flags if length else []
        if (self.folder / "config.yaml").is_file():
            return [program, "--resume", str(self.folder), *limit]
        flags = ["--config", arguments.config, "--seed", str(self.seed), "--run-dir", str(self.folder)]
        return [program, *flags, *words_of(self.point), *arguments.train, *limit]

    def run(self, program: str, arguments: argparse.Namespace, length: Length | None, fleet: Fleet) -> str:
        """Runs the training up to this length. Returns why it failed, in one line; empty if it did not."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        with open(f"{self.folder}.log", "a") as log:
            code = fleet.call(
                self.command(program, arguments, length),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=environment(),
            )
        self._check_settings()
        self._look()
        self._ended = length if code == 0 else None
        self.failed = not self.reached(length)
        if self.failed:
            self.done = None  # the end of an earlier stage
        if code == 0 or code > 128:
            return ""
        told = error_of(pathlib.Path(f"{self.folder}.log").read_text(errors="replace"))
        return f"dray: {told}" if told else f"ended with status {code}; see {self.folder}.log"
