"""The section on learning: returns and the task's statistics."""

import math
import re
from collections.abc import Sequence

from dray.report import curves, number_text
from dray.report.curves import BLUE, GREY, ORANGE, Trace, axis, line, small_figure
from dray.report.parts import Figure, Grid, Part, Section, Text
from dray.report.run_folder import Report, RunFolder
from dray.report.task_parts import Mark, Yardstick, mark_of, yardstick_of

DASHED = {"color": GREY, "width": 2, "dash": "dash"}
ELSEWHERE = ("compliance",)  # statistics that have a figure in a section of their own


def learning_section(run: RunFolder) -> Section | None:
    parts: list[Part] = []
    if curves.has(run.reports, "eval/gain_mean"):
        parts.append(gain_figure(run.reports, yardstick_of(run)))
    if curves.has(run.reports, "episode/return_mean", "eval/return_mean"):
        parts.append(return_figure(run.reports, mark_of(run)))
    figures, still = statistics_figures(run.reports)
    parts.append(Grid(figures))
    parts += same_throughout(still)
    return Section("Learning", parts) if run.reports else None


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


def gain_figure(reports: Sequence[Report], yardstick: Yardstick) -> Figure:
    """Draws what the policy gains over the reference, on the same held-out episodes each time."""
    found = [report for report in reports if report.get("eval/gain_mean") is not None]
    steps = [report["total_steps"] for report in found]
    gains = [report["eval/gain_mean"] for report in found]
    margins = [report.get("eval/gain_ci95") for report in found]
    traces = [
        curves.dots(steps, gains, margins, "learned", ORANGE, mode="lines+markers" if len(found) > 1 else "markers"),
        line(found, "eval/rival_gain", yardstick.rival, GREY),
    ]
    reading = (
        f"Each dot is an evaluation on the same {number_text.number(found[-1].get('eval/episodes'))} held-out episodes, with the"
        f" 95 % interval of the paired difference. Zero is {yardstick.reference}; higher is better."
    )
    layout = {
        "xaxis": curves.STEPS,
        "yaxis": axis(f"gain over {yardstick.reference} ({yardstick.unit})", rangemode="tozero"),
    }
    return Figure("What the policy gains", reading, traces, layout, height=420)


def return_figure(reports: Sequence[Report], mark: Mark | None = None) -> Figure:
    with_spread = [
        report for report in reports if report.get("episode/return_std") is not None and "episode/return_mean" in report
    ]
    with_range = [report for report in reports if report.get("episode/return_min") is not None]
    traces, reading = [], ["Line: mean return of the last 100 training episodes, which explore; higher is better."]
    if len(with_range) > 1:
        traces += curves.band(
            with_range,
            "lowest to highest",
            lambda r: r["episode/return_min"],
            lambda r: r["episode/return_max"],
            curves.faint(BLUE, 0.12),
        )
    if len(with_spread) > 1:
        mean, std = "episode/return_mean", "episode/return_std"

        def low(report: Report) -> float:
            return max(report[mean] - report[std], report.get("episode/return_min", -math.inf))

        def high(report: Report) -> float:
            return min(report[mean] + report[std], report.get("episode/return_max", math.inf))

        traces += curves.band(with_spread, "± standard deviation", low, high, curves.faint(BLUE, 0.25))
        reading.append("Bands: single episodes, ± one standard deviation and from the lowest to the highest.")
    traces.append(line(reports, "episode/return_mean", "training", BLUE))
    if curves.has(reports, "eval/return_mean"):
        traces.append(evaluation_dots(reports))
        reading.append("Dots: evaluations by the most probable actions, with the 95 % interval of the mean.")
    if mark:
        name, value = mark
        ends = [report["total_steps"] for report in (reports[0], reports[-1])]
        traces.append({"type": "scatter", "mode": "lines", "name": name, "x": ends, "y": [value] * 2, "line": DASHED})
        reading.append(f"Dashed: {name}, {number_text.number(value)}.")
    layout = {"xaxis": curves.STEPS, "yaxis": axis("return (reward)")}
    return Figure("Return", " ".join(reading), traces, layout, height=420)


def evaluation_dots(reports: Sequence[Report], name: str = "evaluation", colour: str = ORANGE) -> Trace:
    found = [report for report in reports if report.get("eval/return_mean") is not None]
    return curves.dots(
        [report["total_steps"] for report in found],
        [report["eval/return_mean"] for report in found],
        [report.get("eval/return_ci95") for report in found],
        name,
        colour,
    )


def statistics_figures(reports: Sequence[Report]) -> tuple[list[Figure], list[tuple[str, float]]]:
    """Returns a small figure for each of the task's statistics that changes, and (name, value) of the others."""
    families: dict[str, list[str]] = {}
    still = []
    for name in statistic_names(reports):
        if name in ELSEWHERE:
            continue
        values = set(curves.points(reports, f"episode/stat/{name}")[1] + curves.points(reports, f"eval/stat/{name}")[1])
        if len(values) == 1:
            still.append((name, values.pop()))
        else:
            families.setdefault(family_of(name), []).append(name)
    figures = [statistic_figure(reports, family, names) for family, names in families.items()]
    lengths = curves.points(reports, "episode/length_mean")[1]
    if len(set(lengths)) > 1:
        traces = both_kinds(reports, "episode/length_mean", "eval/length_mean")
        figures.insert(0, small_figure("Episode length", "How long an episode lasts.", traces, "steps"))
    return figures, still


def statistic_names(reports: Sequence[Report]) -> list[str]:
    prefixes = ("episode/stat/", "eval/stat/")
    return list(dict.fromkeys(name.split("/", 2)[2] for name in curves.names_of(reports) if name.startswith(prefixes)))


def family_of(name: str) -> str:
    """Returns the name without its index: shift_min_0 and shift_min_3 share a figure."""
    return re.sub(r"_\d+$", "", name)


def statistic_figure(reports: Sequence[Report], family: str, names: Sequence[str]) -> Figure:
    unit = number_text.unit_of(family)
    title = f"{family} ({unit})" if unit else family
    if len(names) == 1:
        traces = both_kinds(reports, f"episode/stat/{names[0]}", f"eval/stat/{names[0]}")
        return small_figure(
            names[0], "The task's own number: mean of the last 100 episodes; dots: of an evaluation.", traces, title
        )
    traces = [line(reports, f"episode/stat/{name}", name, curves.colour(i)) for i, name in enumerate(names)]
    return small_figure(
        f"{family}, by number", "The task's own numbers: means of the last 100 episodes.", traces, title
    )


def both_kinds(reports: Sequence[Report], trained: str, evaluated: str) -> list[Trace]:
    traces = [line(reports, trained, "training", BLUE)] if curves.has(reports, trained) else []
    if curves.has(reports, evaluated):
        x, y = curves.points(reports, evaluated)
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "evaluation",
                "x": x,
                "y": y,
                "marker": {"color": ORANGE, "size": 7},
            }
        )
    return traces
