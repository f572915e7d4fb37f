"""The sections on learning: what the policy gains, returns and the task's statistics."""

import math
import re
from collections.abc import Sequence
from typing import Any

from dray.report import curves, number_text
from dray.report.curves import GREY, LEARNED, TRAINING, Trace, curve_figure, line
from dray.report.parts import Figure, Grid, Part, Section, Text, Tile
from dray.report.run_folder import Report, RunFolder
from dray.report.task_parts import Mark, Yardstick, mark_of, statistic_of, yardstick_of

DASHED = {"color": GREY, "width": 2, "dash": "dash"}
MOST_OF_AXIS = 2  # an axis that is this much longer than what to read on it is cut
ELSEWHERE = ("compliance",)  # statistics that have a figure in a section of their own


def headline(run: RunFolder) -> Figure | Tile | None:
    """Returns the figure that a page begins with: what the policy gains, if that is measured, else its return."""
    if len(evaluated(run.reports, "eval/gain_mean")) > 1:
        return gain_figure(run.reports, yardstick_of(run))
    if curves.has(run.reports, "episode/return_mean", "eval/return_mean"):
        return return_figure(run.reports, mark_of(run))
    return None


def learning_section(run: RunFolder) -> Section | None:
    parts: list[Part] = []
    if len(evaluated(run.reports, "eval/gain_mean")) > 1 and curves.has(
        run.reports, "episode/return_mean", "eval/return_mean"
    ):
        parts.append(return_figure(run.reports, mark_of(run)))
    figures, still = statistics_figures(run)
    parts.append(Grid(figures))
    parts += same_throughout(still)
    if not figures and not still and len(parts) == 1:
        return None
    intro = "Training: mean of the last 100 episodes (fewer at first). Evaluation: mean of its episodes."
    if any(isinstance(figure, Figure) for figure in figures):
        intro += " Lines are training, dots evaluations."
    return Section("The task", parts, intro)


def same_throughout(still: Sequence[tuple[str, float]]) -> list[Text]:
    """Lists the numbers that did not change, as (name, value): a figure would show a flat line."""
    return (
        [
            Text(
                "The same in every report: "
                + ", ".join(f"{name} {number_text.number(value)}" for name, value in still)
                + "."
            )
        ]
        if still
        else []
    )


def evaluated(reports: Sequence[Report], metric: str) -> list[Report]:
    return [report for report in reports if report.get(metric) is not None]


def gain_figure(reports: Sequence[Report], yardstick: Yardstick) -> Figure | Tile:
    """Draws what the policy gains over the reference, on the same held-out episodes each time."""
    found = evaluated(reports, "eval/gain_mean")
    traces = [
        evaluation_dots(reports, "learned", LEARNED, "gain", mode="lines+markers"),
        line(found, "eval/rival_gain", yardstick.rival, yardstick.rival_colour),
    ]
    reading = (
        f"Each dot is an evaluation on the same {number_text.number(found[-1].get('eval/episodes'))} held-out episodes, with the"
        f" 95 % interval of the paired difference. Zero is {yardstick.reference}; higher is better."
    )
    label = f"gain over {yardstick.reference} ({yardstick.unit})"
    return curve_figure("What the policy gains", reading, traces, label, height=420, rangemode="tozero")


def return_figure(reports: Sequence[Report], mark: Mark | None = None) -> Figure | Tile:
    with_spread = [
        report for report in reports if report.get("episode/return_std") is not None and "episode/return_mean" in report
    ]
    with_range = [report for report in reports if report.get("episode/return_min") is not None]
    traces = []
    reading = [
        "Line: mean return of the last 100 training episodes (fewer at first), with exploration; higher is better."
    ]
    if len(with_range) > 1:
        traces += curves.band(
            with_range,
            "lowest to highest",
            lambda r: r["episode/return_min"],
            lambda r: r["episode/return_max"],
            curves.faint(TRAINING, 0.12),
        )
    if len(with_spread) > 1:
        mean, std = "episode/return_mean", "episode/return_std"

        def low(report: Report) -> float:
            return max(report[mean] - report[std], report.get("episode/return_min", -math.inf))

        def high(report: Report) -> float:
            return min(report[mean] + report[std], report.get("episode/return_max", math.inf))

        traces += curves.band(with_spread, "± standard deviation", low, high, curves.faint(TRAINING, 0.25))
        reading.append("Bands: ± one standard deviation, and lowest to highest of these episodes.")
    traces.append(line(reports, "episode/return_mean", "training", TRAINING))
    if curves.has(reports, "eval/return_mean"):
        traces.append(evaluation_dots(reports))
        reading.append("Dots: evaluations by the most probable actions, with the 95 % interval of the mean.")
    if mark and len(reports) > 1:
        traces.append(mark_line(mark, [report["total_steps"] for report in reports]))
        reading.append(mark_reading(mark))
    cut: dict[str, Any] = {}
    if ends := readable_range(reports, mark):
        cut["range"] = ends
        lowest = min(curves.points(reports, "episode/return_min")[1])
        highest = max(curves.points(reports, "episode/return_max")[1])
        reading.append(
            f"The axis cuts the bands off: single episodes range from {number_text.number(lowest)} to"
            f" {number_text.number(highest)}; double-click to see all."
        )
    tile_reading = "Training: mean of the last 100 episodes (fewer at first). Evaluation: by the most probable actions."
    return curve_figure(
        "Return", " ".join(reading), traces, "return (reward)", height=420, tile_reading=tile_reading, **cut
    )


def mark_line(mark: Mark, x: Sequence[float]) -> Trace:
    """Draws a return to compare with, from the first to the last of these x."""
    name, value = mark
    ends = [min(x), max(x)]
    return {"type": "scatter", "mode": "lines", "name": name, "x": ends, "y": [value] * 2, "line": DASHED}


def mark_reading(mark: Mark) -> str:
    return f"Dashed: {mark[0]}, {number_text.number(mark[1])}."


def readable_range(reports: Sequence[Report], mark: Mark | None) -> tuple[float, float] | None:
    """Returns the ends of an axis on which the later returns can be told apart; None if the whole axis does.

    It covers the mean, evaluations, the mark and the standard deviation of the later half of the reports.
    """
    means, lows, highs = (curves.points(reports, f"episode/return_{end}")[1] for end in ("mean", "min", "max"))
    if not means or not lows or not highs:
        return None
    kept = [*means, *curves.points(reports, "eval/return_mean")[1], *([mark[1]] if mark else [])]
    for report in reports[len(reports) // 2 :]:
        if (mean := report.get("episode/return_mean")) is not None:
            std = report.get("episode/return_std") or 0
            kept += [mean - std, mean + std]
    low, high = min(kept), max(kept)
    if max(*highs, high) - min(*lows, low) <= MOST_OF_AXIS * (high - low):
        return None
    margin = 0.05 * (high - low)
    return low - margin, high + margin


def evaluation_dots(
    reports: Sequence[Report],
    name: str = "evaluation",
    colour: str = LEARNED,
    what: str = "return",
    **further: Any,
) -> Trace:
    """Draws the mean return, or gain, of each evaluation."""
    found = evaluated(reports, f"eval/{what}_mean")
    return curves.dots(
        [report["total_steps"] for report in found],
        [report[f"eval/{what}_mean"] for report in found],
        [report.get(f"eval/{what}_ci95") for report in found],
        name,
        colour,
        **further,
    )


def statistics_figures(run: RunFolder) -> tuple[list[Figure | Tile], list[tuple[str, float]]]:
    """Returns a small figure for each of the task's statistics that changes, and (title, value) of the others."""
    reports = run.reports
    families: dict[str, list[str]] = {}
    still = []
    for name in statistic_names(reports):
        if name in ELSEWHERE:
            continue
        values = set(curves.points(reports, f"episode/stat/{name}")[1] + curves.points(reports, f"eval/stat/{name}")[1])
        family = family_of(run, name)
        if len(values) == 1 and name == family:
            still.append((statistic_of(run, name).label, values.pop()))
        else:
            families.setdefault(family, []).append(name)
    figures = [statistic_figure(run, family, names) for family, names in families.items()]
    lengths = curves.points(reports, "episode/length_mean")[1]
    if len(set(lengths)) > 1:
        keys = ["episode/length_mean", "eval/length_mean"]
        traces = both_kinds(reports, *keys)
        figures.insert(0, curve_figure("Length of an episode (steps)", "", traces, "steps", keys=keys[:1]))
    return figures, still


def statistic_names(reports: Sequence[Report]) -> list[str]:
    prefixes = ("episode/stat/", "eval/stat/")
    return list(dict.fromkeys(name.split("/", 2)[2] for name in curves.names_of(reports) if name.startswith(prefixes)))


def family_of(run: RunFolder, name: str) -> str:
    """Returns the name without its index if the task says what the index means: shift_min_0 and shift_min_3 share a figure."""
    family = re.sub(r"_\d+$", "", name)
    return family if statistic_of(run, family).members else name


def statistic_figure(run: RunFolder, family: str, names: Sequence[str]) -> Figure | Tile:
    statistic = statistic_of(run, family)
    if statistic.members:
        looks = {f"{family}_{i}": look for i, look in enumerate(statistic.members.items())}
        kind = "episode" if curves.has(run.reports, f"episode/stat/{names[0]}") else "eval"
        traces = [line(run.reports, f"{kind}/stat/{name}", *looks.get(name, ("all", GREY))) for name in names]
    else:
        traces = both_kinds(run.reports, f"episode/stat/{family}", f"eval/stat/{family}")
    return curve_figure(statistic.label, statistic.meaning, traces, statistic.unit or "value", keys=[family])


def both_kinds(reports: Sequence[Report], trained: str, evaluated: str) -> list[Trace]:
    traces = [line(reports, trained, "training", TRAINING)] if curves.has(reports, trained) else []
    if curves.has(reports, evaluated):
        x, y = curves.points(reports, evaluated)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "evaluation",
                "x": x,
                "y": y,
                "marker": {"color": LEARNED, "size": 7},
            }
        )
    return traces
