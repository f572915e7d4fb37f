"""Learning curves of several runs, over one another."""

from collections.abc import Mapping, Sequence
from typing import Any

from dray.report import curves
from dray.report.curves import Trace, curve_figure, line
from dray.report.final_evaluation import RETURN, Measure
from dray.report.learning import evaluation_dots, mark_line, mark_reading
from dray.report.parts import Figure, Section, Tile
from dray.report.run_folder import RunFolder
from dray.report.task_parts import mark_of, yardstick_of

Look = tuple[RunFolder, str, str]  # a run, its label and its colour


def curves_section(
    runs: Sequence[RunFolder], labels: Sequence[str], colours: Mapping[int, str], measure: Measure
) -> Section | None:
    looks = [(run, label, colours[index]) for index, (run, label) in enumerate(zip(runs, labels))]
    time_axis, scale = curves.clock(max(run.last("time/elapsed_s") or 0 for run in runs))
    figures = [
        gains_figure(looks, measure) if measure is not RETURN else None,
        returns_figure("Return over steps", looks, "total_steps", 1, curves.STEPS),
        returns_figure("Return over time", looks, "time/elapsed_s", scale, time_axis),
    ]
    found = [figure for figure in figures if figure]
    return Section("Learning curves", found) if found else None


def gains_figure(looks: Sequence[Look], measure: Measure) -> Figure | Tile:
    traces = [
        evaluation_dots(run.reports, label, colour, "gain", mode="lines+markers", legendgroup=label)
        for run, label, colour in looks
    ]
    reading = (
        f"Each dot is an evaluation with the 95 % interval of the paired difference. Zero is"
        f" {yardstick_of(looks[0][0]).reference}; higher is better."
    )
    tile_reading = f"{measure.meaning}; higher is better."
    return curve_figure(
        measure.title, reading, traces, measure.axis, height=420, tile_reading=tile_reading, rangemode="tozero"
    )


def returns_figure(
    title: str, looks: Sequence[Look], over: str, scale: float, x_axis: dict[str, Any]
) -> Figure | Tile | None:
    traces = [trace for look in looks for trace in return_traces(look, over, scale)]
    if not traces:
        return None
    means = "mean return of the last 100 training episodes (fewer at first)"
    reading = [f"Lines: {means}; one line per run, one colour per configuration."]
    if over != "total_steps":
        reading.append("Only comparable for runs on the same machine.")
    elif any(trace["mode"] == "markers" for trace in traces):
        reading.append("Dots: evaluations with their 95 % intervals.")
    marks = {mark_of(run) for run, _, _ in looks}
    x = [x for trace in traces for x in trace["x"]]
    if len(marks) == 1 and (mark := marks.pop()) and len(x) > len(traces):
        traces.append(mark_line(mark, x))
        reading.append(mark_reading(mark))
    tile_reading = f"Training: {means}."
    return curve_figure(title, " ".join(reading), traces, "return (reward)", x_axis, 420, tile_reading=tile_reading)


def return_traces(look: Look, over: str, scale: float) -> list[Trace]:
    run, label, colour = look
    traces = []
    if curves.has(run.reports, "episode/return_mean"):
        trace = line(run.reports, "episode/return_mean", label, colour, over, legendgroup=label, opacity=0.85)
        traces.append({**trace, "x": [x / scale for x in trace["x"]]})
    if over == "total_steps" and curves.has(run.reports, "eval/return_mean"):
        name = f"{label}, evaluation"
        traces.append({**evaluation_dots(run.reports, name, colour, legendgroup=label), "showlegend": False})
    return traces
