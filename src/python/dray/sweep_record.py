"""What a sweep was asked for and what it has decided, in the file sweep.json of its folder."""

import contextlib
import json
import pathlib
from typing import Any

from dray.error import Error
from dray.search_space import Point


class SweepRecord:
    """The record of a sweep: its points in the order in which they were chosen, and which of them went on when the others
    were stopped (`continued`: the names of the points, for each halving).

    `asked` is what must be the same if a folder already has a sweep; else Error.
    """

    def __init__(self, folder: pathlib.Path, asked: dict[str, Any]) -> None:
        self._file, self._asked = folder / "sweep.json", asked
        before = self._read() if self._file.exists() else {}
        if before and (difference := _difference(before, asked)):
            raise Error(f"{folder} has another sweep ({difference}): choose another --dir")
        self.points: list[Point] = before.get("points", [])
        self.continued: list[list[str]] = before.get("continued", [])

    def write(self) -> None:
        self._file.parent.mkdir(parents=True, exist_ok=True)
        record = {**self._asked, "points": self.points, "continued": self.continued}
        written = self._file.with_name(
            "sweep.json.new"
        )  # then renamed: a sweep that is killed here leaves a whole file
        written.write_text(json.dumps(record, indent=1) + "\n")
        written.replace(self._file)

    def _read(self) -> dict[str, Any]:
        value = None
        if self._file.is_file():
            with contextlib.suppress(ValueError, RecursionError):
                value = json.loads(self._file.read_text())
        if not isinstance(value, dict) or not _is_sound(value):
            raise self.damaged()
        return value

    def damaged(self) -> Error:
        return Error(
            f"{self._file} is damaged: remove it if its sweep had the same --config and flags of train, or choose another --dir"
        )


def _difference(before: dict[str, Any], asked: dict[str, Any]) -> str:
    """Says what differs between a recorded sweep and the one asked for; empty if nothing does."""
    told = {"config": "another --config", "train": "other flags of train", "halving": "--halving", "search": "--search"}
    for key, value in asked.items():
        old = before.get(key, value)
        if key == "settings" and isinstance(old, dict):
            for path in value.keys() | old.keys():
                if old.get(path) != value.get(path):
                    return f"with {path}={old.get(path)}, now {value.get(path)}"
        elif old != value:
            return told.get(key, f"its {key} differ")
    return ""


def _is_sound(record: dict[str, Any]) -> bool:
    """Checks the types of what a sweep has decided."""
    points, continued = record.get("points", []), record.get("continued", [])
    return (
        _is_list(points, dict)
        and all(isinstance(value, str) for point in points for value in point.values())
        and _is_list(continued, list)
        and all(_is_list(names, str) for names in continued)
    )


def _is_list(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(one, kind) for one in value)
