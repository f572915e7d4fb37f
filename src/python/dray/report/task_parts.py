"""Parts of the pages that belong to a task; dray.tasks lists the tasks that have some."""

import dataclasses
import functools
import importlib
from collections.abc import Callable, Mapping, Sequence

from dray.report.curves import GREY
from dray.report.number_text import split_unit
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
    rival_colour: str = GREY


@dataclasses.dataclass(frozen=True)
class Statistic:
    """How pages show a statistic of a task."""

    title: str
    unit: str = ""
    meaning: str = ""
    members: Mapping[str, str] = dataclasses.field(default_factory=dict)  # titles and colours of KEY_0, KEY_1, ...
    per_s: bool = False  # a count since the last report, shown per second

    @property
    def label(self) -> str:
        return f"{self.title} ({self.unit})" if self.unit else self.title


@dataclasses.dataclass(frozen=True)
class TaskParts:
    """Parts that a task adds. Functions return None for runs they have nothing to show of."""

    sections: tuple[
        tuple[str, Callable[[RunFolder], Section | None]], ...
    ] = ()  # with the title of the tab they are in
    cards: tuple[Callable[[RunFolder], Card | None], ...] = ()
    comparisons: tuple[
        Callable[[Sequence[RunFolder], Sequence[str]], Section | None], ...
    ] = ()  # of runs, by their labels
    settings: tuple[str, ...] = ()  # settings that a reader looks for first
    marks: tuple[Callable[[RunFolder], Mark | None], ...] = ()
    yardsticks: Mapping[str, Yardstick] = dataclasses.field(default_factory=dict)  # by task
    statistics: Mapping[str, Statistic] = dataclasses.field(default_factory=dict)  # by key


@functools.cache
def parts_of_tasks() -> dict[str, TaskParts]:
    """Returns the parts by task, in the order of dray.tasks; tasks may share them."""
    return {task.name: importlib.import_module(task.report).PARTS for task in TASKS if task.report}


def task_parts() -> list[TaskParts]:
    """Returns the parts of all tasks, each once."""
    return list({id(parts): parts for parts in parts_of_tasks().values()}.values())


def parts_of(run: RunFolder) -> TaskParts:
    return parts_of_tasks().get(run.task, TaskParts())


def yardstick_of(run: RunFolder) -> Yardstick:
    return parts_of(run).yardsticks.get(run.task, Yardstick())


def statistic_of(run: RunFolder, key: str) -> Statistic:
    """Returns how to show a statistic; one that its task says nothing of is named by its key: cost_min, "Cost (min)"."""
    statistics = parts_of(run).statistics
    if key in statistics:
        return statistics[key]
    family, _, index = key.rpartition("_")
    if index.isdecimal() and family in statistics and int(index) < len(statistics[family].members):
        member = list(statistics[family].members)[int(index)]
        return dataclasses.replace(statistics[family], title=f"{statistics[family].title}, {member}", members={})
    words, unit = split_unit(key)
    return Statistic(words.replace("_", " ").capitalize(), unit)


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
