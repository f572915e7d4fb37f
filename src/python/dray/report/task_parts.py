"""Parts of the pages that belong to a task; dray.tasks lists the tasks that have some."""

import dataclasses
import importlib
from collections.abc import Callable, Sequence

from dray.report.parts import Section
from dray.report.run_folder import RunFolder
from dray.tasks import TASKS

Card = tuple[str, str, str]  # name, value, remark


@dataclasses.dataclass(frozen=True)
class TaskParts:
    """Parts that a task adds. Functions return None for runs they have nothing to show of."""

    sections: tuple[Callable[[RunFolder], Section | None], ...] = ()
    cards: tuple[Callable[[RunFolder], Card | None], ...] = ()
    comparisons: tuple[
        Callable[[Sequence[RunFolder], Sequence[str]], Section | None], ...
    ] = ()  # of runs, by their labels
    settings: tuple[str, ...] = ()  # settings that a reader looks for first


def task_parts() -> list[TaskParts]:
    """Returns the parts of all tasks, in the order of dray.tasks."""
    found: list[TaskParts] = [importlib.import_module(task.report).PARTS for task in TASKS if task.report]
    return found
