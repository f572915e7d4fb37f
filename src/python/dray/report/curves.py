"""Curves over a run's reports, as plotly's traces."""

import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from dray.report.number_text import alike, clock_unit
from dray.report.parts import Figure, Tile
from dray.report.run_folder import Report

# Told apart on white and on black, by the colour-blind too.
BLUE, ORANGE, GREEN, RED, PURPLE, BROWN, PINK, GREY, OLIVE, CYAN = COLOURS = (
    "#3b82c4",
    "#e08214",
    "#2a9d6f",
    "#d1495b",
    "#8e6bbf",
    "#a0714f",
    "#d977a8",
    "#7f8790",
    "#9aa132",
    "#2fa9b8",
)
# A policy and a vehicle have one colour on the whole page. These are the learned policy's, as it explores and at its best.
TRAINING, LEARNED = BLUE, ORANGE
MOST_POINTS = 1500
Trace = dict[str, Any]
NAMES = {"type": "category", "dtick": 1}  # each of them, where plotly would leave every other out
STEPS = {"title": {"text": "environment steps"}, "rangemode": "tozero"}


def colour(index: int) -> str:
    return COLOURS[index % len(COLOURS)]


def faint(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def thinned(reports: Sequence[Report], most: int = MOST_POINTS) -> list[Report]:
    """Returns every n-th report and the last; a screen shows no more."""
    every = -(-len(reports) // most) or 1
    return [report for i, report in enumerate(reports) if i % every == 0 or i == len(reports) - 1]


def names_of(reports: Sequence[Report]) -> list[str]:
    """Returns the names of all metrics, in order of appearance."""
    return list(dict.fromkeys(itertools.chain.from_iterable(reports)))


def has(reports: Sequence[Report], *metrics: str) -> bool:
    """Checks whether a report has one of the metrics."""
    return any(report.get(metric) is not None for report in reports for metric in metrics)


def points(reports: Sequence[Report], metric: str, over: str = "total_steps") -> tuple[list[float], list[float]]:
    """Returns x and y of the reports that have the metric."""
    pairs = [
        (report[over], report[metric])
        for report in reports
        if report.get(metric) is not None and report.get(over) is not None
    ]
    return [x for x, _ in pairs], [y for _, y in pairs]


def line(
    reports: Sequence[Report], metric: str, name: str, colour: str, over: str = "total_steps", **further: Any
) -> Trace:
    """Draws a metric as a line."""
    x, y = points(thinned(reports), metric, over)
    return {
        "type": "scatter",
        "mode": "lines" if len(x) > 1 else "markers",
        "name": name,
        "x": x,
        "y": y,
        "line": {"color": colour, "width": 2},
        "marker": {"color": colour},
        **further,
    }


def band(
    reports: Sequence[Report], name: str, low: Callable[[Report], float], high: Callable[[Report], float], colour: str
) -> list[Trace]:
    """Draws the area between two numbers of each report."""
    kept = [(report["total_steps"], low(report), high(report)) for report in thinned(reports)]
    x = [point[0] for point in kept]
    edge = {"type": "scatter", "mode": "lines", "x": x, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    return [
        {**edge, "y": [point[1] for point in kept]},
        {
            **edge,
            "y": [point[2] for point in kept],
            "fill": "tonexty",
            "fillcolor": colour,
            "name": name,
            "showlegend": True,
        },
    ]


def dots(
    x: Sequence[float], y: Sequence[float], ci95: Sequence[float | None], name: str, colour: str, **further: Any
) -> Trace:
    """Draws points with their 95 % intervals, where there are any."""
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": x,
        "y": y,
        "error_y": {"array": ci95, "color": colour, "thickness": 1.5},
        "marker": {"color": colour, "size": 8},
        **further,
    }


def clock(seconds: float) -> tuple[dict[str, Any], float]:
    """Returns a time axis for this duration, and the number of seconds in its unit."""
    unit, scale = clock_unit(seconds)
    end = seconds / scale or 1
    # Said, as bars would have the ticks at their middles.
    power = 10 ** math.floor(math.log10(end / 2.5))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= end / 6)
    return axis(f"time since the start ({unit})", rangemode="tozero", tick0=0, dtick=step), scale


def axis(title: str, **further: Any) -> dict[str, Any]:
    return {"title": {"text": title}, **further}


def shares(title: str) -> dict[str, Any]:
    return axis(title, tickformat=".0%", rangemode="tozero")


def curve_figure(
    title: str,
    reading: str,
    traces: list[Trace],
    y_title: str,
    over: dict[str, Any] = STEPS,
    height: int = 230,
    keys: Sequence[str] = (),
    tile_reading: str | None = None,
    **y_axis: Any,
) -> Figure | Tile:
    """Returns a figure of curves, or their numbers if none of them has two points; `tile_reading` explains these."""
    if max(len(trace["x"]) for trace in traces) < 2:
        shown = [trace for trace in traces if trace["y"]]
        values = zip([trace["name"] for trace in shown], alike([trace["y"][0] for trace in shown]))
        return Tile(title, reading if tile_reading is None else tile_reading, list(values), keys)
    layout = {"xaxis": over, "yaxis": axis(y_title, **y_axis), "showlegend": len(traces) > 1}
    return Figure(title, reading, traces, layout, height, keys)
