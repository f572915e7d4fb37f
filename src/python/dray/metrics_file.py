"""Follows metrics.jsonl of a run that may still be training."""

import json
import pathlib
from collections.abc import Iterator
from typing import Any


class Reports:
    """The lines of a metrics.jsonl that may still grow."""

    def __init__(self, file: pathlib.Path) -> None:
        self.file, self.at = file, 0

    def skip(self, before: bytes) -> None:
        """Leaves out the lines that the file still has from `before`. A resumed run removes the last of them, then appends."""
        now = self.file.read_bytes() if self.file.exists() else b""
        for old, line in zip(before.splitlines(keepends=True), now.splitlines(keepends=True)):
            if line != old:  # another: even a repeated epoch takes another time
                break
            self.at += len(line)

    def new(self) -> Iterator[dict[str, Any]]:
        """Yields the reports written since the last call; incomplete lines wait."""
        if not self.file.exists():
            return
        with open(self.file, "rb") as lines:
            lines.seek(self.at)
            text = lines.read()
        whole = text[: text.rfind(b"\n") + 1]
        self.at += len(whole)
        for line in whole.splitlines():
            try:
                report = json.loads(line)
            except (ValueError, RecursionError):
                continue  # damaged
            if isinstance(report, dict) and isinstance(report.get("total_steps"), (int, float)):
                yield report
