"""Reads a run folder that train, search and evaluate wrote, with Python's standard library only."""

import json
import os
import pathlib
import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeGuard

from dray import run_removal
from dray.error import Error, UsageError

Report = dict[str, float]  # a line of metrics.jsonl: finite numbers, by the names of configs/METRICS.md


class Damaged(Error):
    """A run whose files cannot be read."""


MOST = 1e100  # beyond any number of a run, and small enough to be squared
_SETTING = re.compile(r"( *)([\w-]+):(?: (.*))?")


class RunFolder:
    """Contents of a run folder. What is missing is empty or None.

    config, config_text   config.yaml: its settings by path ("ppo.gamma": "0.99"), and the file
    reports               the lines of metrics.jsonl, oldest first
    search                search.json, of a search
    evaluations           what `evaluate` wrote or printed as JSON, below the folder and in `further` folders; each with "days",
                          the objectives of a comparison by policy and day
    pictures              the SVG files of evaluations, in order of their names
    notes                 lines about what could not be read
    """

    def __init__(self, path: str | os.PathLike[str], further: Iterable[str | os.PathLike[str]] = ()) -> None:
        self.path = pathlib.Path(path)
        if not self.path.is_dir():
            raise UsageError(f"{self.path}: no such folder; name the folder of a run, as train prints it at its end")
        self.notes: list[str] = []
        self.config_text = self._text(self.path / "config.yaml")
        self.config = settings_of(self.config_text)
        self.search = self._json(self.path / "search.json")
        self.reports = self._reports()
        self.evaluations: list[dict[str, Any]] = []
        self.pictures: list[pathlib.Path] = []
        self._seen: set[pathlib.Path] = set()
        for folder in [self.path, *map(pathlib.Path, further)]:
            self._read_evaluations(folder)

    @property
    def name(self) -> str:
        return self.path.resolve().name

    @property
    def version(self) -> str:
        """Version of Dray that trained the run; empty if unknown."""
        first = self.config_text.partition("\n")[0]
        return first.removeprefix("# Dray ") if first.startswith("# Dray ") else ""

    @property
    def task(self) -> str:
        return self.config.get("env.name", "")

    def setting(self, path: str, default: str = "") -> str:
        return self.config.get(path, default)

    def last(self, metric: str) -> float | None:
        """Returns the newest number of this name; None if no report has one."""
        return next((report[metric] for report in reversed(self.reports) if report.get(metric) is not None), None)

    def final_evaluation(self) -> Report | None:
        """Returns the newest report with an evaluation; None if there is none."""
        return next((report for report in reversed(self.reports) if report.get("eval/return_mean") is not None), None)

    @property
    def finished(self) -> bool:
        """Whether the run finished; a search always has."""
        return self.search is not None or (self.last("progress") or 0) >= 1

    def _text(self, file: pathlib.Path) -> str:
        """Reads a file. Returns an empty text and adds a note if it cannot be read."""
        try:
            if not file.is_file():  # reading a pipe would wait for somebody to write to it
                raise OSError(0, "not a file" if file.exists() or file.is_symlink() else "")
            return file.read_text(errors="replace")
        except OSError as error:
            if error.strerror:
                self.notes.append(f"{file.name} cannot be read: {error.strerror}")
            return ""

    def _reports(self) -> list[Report]:
        file = self.path / "metrics.jsonl"
        if self.search is None and not os.path.lexists(file):
            if self.notes and os.path.lexists(self.path / "search.json"):
                raise Damaged(f"{self.path}: {self.notes[-1]}")
            raise Error(
                f"{self.path} has no metrics.jsonl: it is not the folder of a run; train prints its run folder at the end"
            )
        before = len(self.notes)
        reports = [numbers_of(line) for line in self._lines(file, needs="total_steps")]
        if not reports and self.search is None:
            if len(self.notes) > before:
                raise Damaged(f"{self.path}: no report can be read ({self.notes[-1]})")
            if run_removal.is_held(self.path):
                raise Error(f"{file} has no report yet: wait for the run's first (run.log_interval), then try again")
            raise Error(
                f"{file} is empty: the run ended before its first report; train longer or set a smaller "
                "run.log_interval"
            )
        return reports

    def _lines(self, file: pathlib.Path, needs: str | None = None) -> list[dict[str, Any]]:
        """Returns the objects of a file of JSON lines. A crash may damage the last one, a full disk any."""
        found, damaged = [], []
        for number, line in enumerate(self._text(file).splitlines(), 1):
            value = parsed(line)
            if isinstance(value, dict) and (needs is None or is_number(value.get(needs))):
                found.append(value)
            elif line.strip():
                damaged.append(number)
        if damaged:
            which = ", ".join(map(str, damaged[:5])) + (" and others" if len(damaged) > 5 else "")
            said = f"line {which} is" if len(damaged) == 1 else f"lines {which} are"
            self.notes.append(f"{file.name}: {said} damaged and left out")
        return found

    def _json(self, file: pathlib.Path) -> dict[str, Any] | None:
        text = self._text(file)
        value = parsed(text)
        if value is None and text:
            self.notes.append(f"{file.name} is damaged and left out")
        return value if isinstance(value, dict) else None

    def _days(self, evaluation: Mapping[str, Any], file: pathlib.Path) -> dict[Any, dict[Any, float]]:
        """Returns the objectives of a comparison by policy and day: {"learned": {1: 342.7, ...}}."""
        days: dict[Any, dict[Any, float]] = {}
        for score in evaluation.get("policies", ()):
            if isinstance(score, dict) and score.get("objective_by_day"):
                days[score.get("policy")] = dict(enumerate(score["objective_by_day"], 1))
        for day in self._lines(file) if "policies" in evaluation else ():
            if is_number(day.get("objective_min")):
                days.setdefault(day.get("policy"), {})[day.get("day")] = day["objective_min"]
        return days

    def _read_evaluations(self, folder: pathlib.Path) -> None:
        if not folder.is_dir():
            raise UsageError(f"{folder}: no such folder; name one that evaluate wrote with --out or --render")
        for file in sorted(path for path in folder.rglob("*") if path.suffix in (".json", ".svg") and path.is_file()):
            if file.resolve() in self._seen:  # by another folder that has this one in it
                continue
            self._seen.add(file.resolve())
            if file.suffix == ".json" and file.name != "search.json":
                value = self._json(file)
                if value and ("policies" in value or "scores" in value or "return_mean" in value):
                    try:
                        self.evaluations.append({**value, "days": self._days(value, file.with_name("days.jsonl"))})
                    except TypeError:  # a number where a list should be, a list where a name should be
                        self.notes.append(f"{file.name} is damaged and left out")
            elif file.suffix == ".svg" and file.name.startswith("episode_"):
                self.pictures.append(file)


def parsed(text: str) -> Any:
    """Returns the JSON value of a text; None if it is not JSON."""
    try:
        return json.loads(text)
    except (RecursionError, ValueError):
        return None


def is_number(value: object) -> TypeGuard[float]:
    """Checks for a number that a page can compute with."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= MOST


def numbers_of(report: Mapping[str, Any]) -> Report:
    return {name: value for name, value in report.items() if is_number(value)}


def settings_of(text: str) -> dict[str, str]:
    """Returns the settings of a config.yaml that train wrote, by path, as text.

    Mappings are indented by two spaces, values are on one line.
    """
    settings: dict[str, str] = {}
    keys: list[str] = []
    text_above: int | None = None
    for line in text.splitlines():
        indent = len(line) - len(line.lstrip())
        if text_above is not None and indent > text_above:
            continue  # of a text of several lines
        text_above = None
        found = _SETTING.fullmatch(line.rstrip())
        if not found:
            continue
        del keys[indent // 2 :]
        keys.append(found[2])
        if found[3] in ("|", "|-", ">", ">-"):
            text_above = indent
        elif found[3] is not None:
            settings[".".join(keys)] = found[3].strip('"')
    return settings
