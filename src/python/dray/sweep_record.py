"""What a sweep was asked for and what it has decided, in the file sweep.json of its folder."""

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
        if before and any(before.get(key) != value for key, value in asked.items()):
            raise Error(
                f"{folder} has another sweep (config, flags of train or kind of search differ): choose another --dir"
            )
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
        try:
            value = json.loads(self._file.read_text())
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or not isinstance(value.get("points", []), list):
            raise Error(
                f"{self._file} is damaged: remove it if its sweep had the same --config and flags of train, or choose another --dir"
            )
        return value
