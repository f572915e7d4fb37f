"""The section on how well a workflow is followed."""

import re
from collections.abc import Sequence

from dray.report import curves
from dray.report.curves import line, shares
from dray.report.learning import both_kinds
from dray.report.number_text import number
from dray.report.parts import Figure, Part, Section, Text
from dray.report.run_folder import Report, RunFolder
from dray.report.task_parts import Card


def own_return_card(run: RunFolder) -> Card | None:
    """Shows the game's own return if rewards for following a workflow are part of the return."""
    own = run.last("eval/stat/env_return")
    if own is None or run.last("eval/stat/compliance") is None:
        return None
    return (
        "The game's own return",
        number(own),
        "of the final evaluation, without the reward for following the workflow",
    )


def workflow_section(run: RunFolder) -> Section | None:
    """Shows how well a workflow is followed."""
    trained, evaluated = "episode/stat/compliance", "eval/stat/compliance"
    if not curves.has(run.reports, trained, evaluated):
        return None
    layout = {"xaxis": curves.STEPS, "yaxis": {**shares("actions that follow the workflow"), "range": [0, 1.05]}}
    order = run.setting("env.cage2.workflow.order")
    reading = (
        "100 %: every action follows the workflow. Line: mean of the last 100 training episodes, with "
        "exploration. Dots: evaluations."
    )
    parts: list[Part] = [Text(f"The order: {order}.")] if order else []
    parts.append(Figure("Compliance", reading, both_kinds(run.reports, trained, evaluated), layout))
    by_env = compliance_by_env(run.reports)
    if by_env:
        parts.append(by_env)
    return Section("Workflow", parts)


def compliance_by_env(reports: Sequence[Report]) -> Figure | None:
    names = sorted(name for name in curves.names_of(reports) if re.fullmatch(r"env/.+/stat/compliance", name))
    if not names:
        return None
    traces = [
        line(reports, name, name.split("/")[1], curves.faint(curves.BLUE, 0.35), showlegend=False, hoverinfo="skip")
        for name in names
    ]
    layout = {"xaxis": curves.STEPS, "yaxis": {**shares("compliance of its last episode"), "range": [0, 1.05]}}
    return Figure(
        "Compliance by environment",
        f"One thin line for each of {len(names)} environments. If many stay below 100 %, the workflow is "
        "followed only by chance.",
        traces,
        layout,
        height=260,
    )
