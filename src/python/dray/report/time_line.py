"""The section on where a run's time went."""

import re
from collections.abc import Mapping, Sequence

from dray.report import curves, number_text
from dray.report.curves import (
    BLUE,
    BROWN,
    CYAN,
    GREEN,
    GREY,
    NAMES,
    ORANGE,
    PINK,
    PURPLE,
    RED,
    axis,
    line,
    shares,
    small_figure,
)
from dray.report.parts import Figure, Grid, Part, Section, Table
from dray.report.run_folder import Report, RunFolder

PHASES = {
    "rollout": (BLUE, "stepping environments, or waiting for shards"),
    "transfer": (CYAN, "moving batches to the learner"),
    "learn": (ORANGE, "updates of the learner"),
    "weights": (PURPLE, "publishing and loading weights"),
    "evaluate": (GREEN, "evaluations"),
    "checkpoint": (PINK, "writing checkpoints"),
    "other": (GREY, "what no phase counts"),
}
MOST_COLUMNS = 150
Column = tuple[float, float, dict[str, float]]  # start, end, seconds by phase
ACTOR_STATES = {"busy_s": ("busy", ORANGE), "waiting_s": ("waiting", GREY), "transfer_s": ("transfer", CYAN)}
MOST_ACTORS = 40


def time_section(run: RunFolder) -> Section | None:
    reports = [report for report in run.reports if report.get("time/elapsed_s") is not None]
    if not reports:
        return None
    columns = columns_of(reports)
    parts: list[Part] = [phases_figure(columns), phases_table(columns), Grid(speed_figures(reports))]
    actors = actor_seconds(reports)
    if actors:
        parts.append(actors_figure(actors))
    return Section("Time", parts)


def columns_of(reports: Sequence[Report]) -> list[Column]:
    """Returns (start, end, seconds by phase) of consecutive reports, merged where there are many."""
    together = -(-len(reports) // MOST_COLUMNS)
    columns, start = [], 0.0
    for first in range(0, len(reports), together):
        group = reports[first : first + together]
        end = group[-1]["time/elapsed_s"]
        seconds = {
            phase: sum(report.get(f"time/{phase}_s") or 0.0 for report in group) for phase in PHASES if phase != "other"
        }
        seconds["other"] = max(0.0, end - start - sum(seconds.values()))
        columns.append((start, max(start, end), seconds))
        start = max(start, end)
    return columns


def phases_figure(columns: Sequence[Column]) -> Figure:
    over, scale = curves.clock(columns[-1][1])
    traces = []
    for phase, (colour, _) in PHASES.items():
        if not any(seconds[phase] for _, _, seconds in columns):
            continue
        traces.append(
            {
                "type": "bar",
                "name": phase,
                "x": [(start + end) / 2 / scale for start, end, _ in columns],
                "width": [(end - start) / scale for start, end, _ in columns],
                "y": [seconds[phase] / (sum(seconds.values()) or 1) for _, _, seconds in columns],
                "marker": {"color": colour, "line": {"width": 0}},
                "hovertemplate": f"{phase} %{{y:.1%}}<extra></extra>",
            }
        )
    layout = {
        "barmode": "stack",
        "bargap": 0,
        "xaxis": over,
        "yaxis": axis("share of time", tickformat=".0%", range=[0, 1]),
    }
    reading = "A column is the time since the report before, as wide as it took: areas are time. The largest colour is what to make faster."
    return Figure("Where the time went", reading, traces, layout)


def phases_table(columns: Sequence[Column]) -> Table:
    totals = {phase: sum(seconds[phase] for _, _, seconds in columns) for phase in PHASES}
    whole = sum(totals.values()) or 1
    rows = [
        [phase, number_text.duration(seconds), number_text.percent(seconds / whole, 1), PHASES[phase][1]]
        for phase, seconds in sorted(totals.items(), key=lambda item: -item[1])
        if seconds > 0
    ]
    return Table(["phase", "time", "share", "what it is"], rows, texts=(3,))


def speed_figures(reports: Sequence[Report]) -> list[Figure]:
    over, scale = curves.clock(reports[-1]["time/elapsed_s"])
    timed = [{**report, "at": report["time/elapsed_s"] / scale} for report in curves.thinned(reports)]
    figures = []
    if curves.has(timed, "time/steps_per_s"):
        traces = [line(timed, "time/steps_per_s", "speed", BLUE, over="at")]
        figures.append(
            small_figure(
                "Speed",
                "Environment steps per second, with learning and all else.",
                traces,
                "steps/s",
                over,
                rangemode="tozero",
            )
        )
    busy = [
        line(timed, metric, name, colour, over="at")
        for metric, name, colour in (("cpu/busy", "CPU cores", GREEN), ("gpu/busy", "GPUs", RED))
        if curves.has(timed, metric)
    ]
    if busy:
        reading = "Share of their time that cores or GPUs were at work, whoever's work it was."
        figures.append(small_figure("Busy", reading, busy, "share of time", over, tickformat=".0%", range=[0, 1.05]))
    if curves.has(timed, "memory/rss_mb"):
        traces = [line(timed, "memory/rss_mb", "memory", BROWN, over="at")]
        figures.append(
            small_figure(
                "Memory",
                "Of the process that reports. A line that keeps rising is a leak.",
                traces,
                "MB",
                over,
                rangemode="tozero",
            )
        )
    return figures


def actor_seconds(reports: Sequence[Report]) -> dict[str, dict[str, float]]:
    """Returns seconds by actor and state, for runs on Ray."""
    actors: dict[str, dict[str, float]] = {}
    for name in curves.names_of(reports):
        if found := re.fullmatch(r"actor/(.+)/(busy_s|waiting_s|transfer_s)", name):
            seconds = actors.setdefault(found[1], dict.fromkeys(ACTOR_STATES, 0.0))
            seconds[found[2]] = sum(report.get(name, 0.0) for report in reports)
    return actors


def actors_figure(actors: Mapping[str, Mapping[str, float]]) -> Figure:
    shown = sorted(actors)[:MOST_ACTORS]
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": name,
            "y": shown,
            "x": [actors[actor][state] / (sum(actors[actor].values()) or 1) for actor in shown],
            "marker": {"color": colour},
            "hovertemplate": f"%{{y}}: {name} %{{x:.1%}}<extra></extra>",
        }
        for state, (name, colour) in ACTOR_STATES.items()
    ]
    layout = {
        "barmode": "stack",
        "xaxis": shares("share of the actor's time"),
        "yaxis": {**NAMES, "autorange": "reversed"},
    }
    reading = "Who worked and who waited. Waiting shards: the learner is what takes the time, and the other way round."
    if len(actors) > len(shown):
        reading += f" The first {len(shown)} of {len(actors)} actors."
    return Figure("Actors", reading, traces, layout, height=120 + 22 * len(shown))
