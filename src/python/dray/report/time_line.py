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
    curve_figure,
    line,
    shares,
)
from dray.report.intervals import Interval, intervals_of
from dray.report.parts import Figure, Grid, Part, Section, Table, Tile
from dray.report.run_folder import Report, RunFolder

PHASES = {
    "rollout": (BLUE, "stepping environments, or waiting for shards"),
    "transfer": (CYAN, "moving batches to the learner"),
    "learn": (ORANGE, "updates of the learner"),
    "weights": (PURPLE, "publishing and loading weights"),
    "evaluate": (GREEN, "evaluations"),
    "checkpoint": (PINK, "writing checkpoints"),
    "other": (GREY, "time outside all phases"),
}
MOST_INTERVALS = 150
ACTOR_STATES = {"busy_s": ("busy", ORANGE), "waiting_s": ("waiting", GREY), "transfer_s": ("transfer", CYAN)}
MOST_ACTORS = 40


def time_section(run: RunFolder) -> Section | None:
    intervals = intervals_of(run.reports, MOST_INTERVALS)
    if not intervals:
        return None
    parts: list[Part] = [phases_table(intervals), Grid(speed_figures(intervals))]
    if len(intervals) > 1:
        parts.insert(0, phases_figure(intervals))
    actors = actor_seconds(run.reports)
    if actors:
        parts.append(actors_figure(actors))
    return Section("Time", parts)


def phase_seconds(interval: Interval) -> dict[str, float]:
    seconds = {phase: interval.sum(f"time/{phase}_s") for phase in PHASES if phase != "other"}
    return {**seconds, "other": max(0.0, interval.seconds - sum(seconds.values()))}


def phases_figure(intervals: Sequence[Interval]) -> Figure:
    over, scale = curves.clock(intervals[-1].end_s)
    columns = [phase_seconds(interval) for interval in intervals]
    traces = []
    for phase, (colour, _) in PHASES.items():
        if not any(seconds[phase] for seconds in columns):
            continue
        traces.append(
            {
                "type": "bar",
                "name": phase,
                "x": [(interval.start_s + interval.end_s) / 2 / scale for interval in intervals],
                "width": [interval.seconds / scale for interval in intervals],
                "y": [seconds[phase] / (sum(seconds.values()) or 1) for seconds in columns],
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
    reading = "A column is as wide as the time it covers, so areas are time. Optimise the largest colour first."
    return Figure("Where the time went", reading, traces, layout)


def phases_table(intervals: Sequence[Interval]) -> Table:
    columns = [phase_seconds(interval) for interval in intervals]
    totals = {phase: sum(seconds[phase] for seconds in columns) for phase in PHASES}
    whole = sum(totals.values()) or 1
    rows = [
        [phase, number_text.duration(seconds), number_text.percent(seconds / whole, 1), PHASES[phase][1]]
        for phase, seconds in sorted(totals.items(), key=lambda item: -item[1])
        if seconds > 0
    ]
    return Table(["phase", "time", "share", "meaning"], rows, texts=(3,))


def speed_figures(intervals: Sequence[Interval]) -> list[Figure | Tile]:
    over, scale = curves.clock(intervals[-1].end_s)
    timed: list[Report] = []
    for interval in intervals:
        means = {metric: interval.mean(metric) for metric in ("cpu/busy", "gpu/busy", "memory/rss_mb")}
        timed.append({metric: value for metric, value in means.items() if value is not None})
        timed[-1]["at"] = interval.end_s / scale
        if interval.seconds > 0:
            timed[-1]["time/steps_per_s"] = interval.steps / interval.seconds
    figures = []
    if curves.has(timed, "time/steps_per_s"):
        figures.append(
            curve_figure(
                "Speed (steps/s)",
                "Environment steps per second of wall-clock time, including learning.",
                [line(timed, "time/steps_per_s", "speed", BLUE, over="at")],
                "steps/s",
                over,
                keys=["time/steps_per_s"],
                rangemode="tozero",
            )
        )
    busy = {
        metric: line(timed, metric, name, colour, over="at")
        for metric, name, colour in (("cpu/busy", "CPU cores", GREEN), ("gpu/busy", "GPUs", RED))
        if curves.has(timed, metric)
    }
    if busy:
        figures.append(
            curve_figure(
                "Busy (share of time)",
                "Utilisation of cores and GPUs, other programs included.",
                list(busy.values()),
                "share of time",
                over,
                keys=list(busy),
                tickformat=".0%",
                range=[0, 1.05],
            )
        )
    if curves.has(timed, "memory/rss_mb"):
        figures.append(
            curve_figure(
                "Memory (MB)",
                "Memory of the reporting process. Steady growth is a leak.",
                [line(timed, "memory/rss_mb", "memory", BROWN, over="at")],
                "MB",
                over,
                keys=["memory/rss_mb"],
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
    reading = (
        "How each actor spent its time. If shards wait, the learner is the bottleneck; if the learner waits, "
        "the shards are."
    )
    if len(actors) > len(shown):
        reading += f" The first {len(shown)} of {len(actors)} actors."
    return Figure("Actors", reading, traces, layout, height=120 + 22 * len(shown))
