"""Parts of the pages that belong to a task; dray.tasks lists the tasks that have some."""

import dataclasses
import importlib
from collections.abc import Callable, Sequence

from dray.report.parts import Section
from dray.report.run_folder import RunFolder
from dray.tasks import TASKS

Card = tuple[str, str, str]  # name, value, remark
Mark = tuple[str, float]  # a return that others reached, and whose it is

PUBLISHED = "published"


@dataclasses.dataclass(frozen=True)
class Yardstick:
    """Words for the policies that a task's evaluations compare the learned one with (eval/gain_mean)."""

    reference: str = "the reference"
    rival: str = "rival"
    unit: str = "reward"


@dataclasses.dataclass(frozen=True)
class TaskParts:
    """Parts that a task adds. Functions return None for runs they have nothing to show of."""

    sections: tuple[Callable[[RunFolder], Section | None], ...] = ()
    cards: tuple[Callable[[RunFolder], Card | None], ...] = ()
    comparisons: tuple[
        Callable[[Sequence[RunFolder], Sequence[str]], Section | None], ...
    ] = ()  # of runs, by their labels
    settings: tuple[str, ...] = ()  # settings that a reader looks for first
    marks: tuple[Callable[[RunFolder], Mark | None], ...] = ()
    yardsticks: dict[str, Yardstick] = dataclasses.field(default_factory=dict)  # by task


def task_parts() -> list[TaskParts]:
    """Returns the parts of all tasks, in the order of dray.tasks."""
    found: list[TaskParts] = [importlib.import_module(task.report).PARTS for task in TASKS if task.report]
    return found


def yardstick_of(run: RunFolder) -> Yardstick:
    return next((parts.yardsticks[run.task] for parts in task_parts() if run.task in parts.yardsticks), Yardstick())


def mark_of(run: RunFolder) -> Mark | None:
    """Returns the return to compare a run's with; None if nobody published one for its settings."""
    for parts in task_parts():
        for mark in parts.marks:
            if found := mark(run):
                return found
    for task in TASKS:
        if task.name == run.task and task.published:
            steps, score = task.published
            return (PUBLISHED, score) if run.setting(f"env.{task.name}.max_steps") == str(steps) else None
    return None
