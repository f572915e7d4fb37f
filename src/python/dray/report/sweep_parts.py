"""The tab on a sweep: its best results so far, each setting against the result, and trials stopped early."""

import dataclasses
import itertools
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from dray.report.curves import BLUE, GREY, NAMES, ORANGE, axis
from dray.report.number_text import NOTHING, counted, estimate, number
from dray.report.parts import Cards, Figure, Grid, Part, Section, Tab, Table
from dray.report.run_statistics import Sample

WHOLE = ("", "all")  # values of `trained` of a training that was completed
RETURN = "return of the final evaluation"


@dataclasses.dataclass(frozen=True)
class SweptTrial:
    point: Mapping[str, str]  # values of settings, by path
    results: Sequence[float]  # final evaluations, one for each seed that has one
    trained: str  # share of the whole training, in words; empty in a sweep without halving

    @property
    def mean(self) -> float:
        return statistics.fmean(self.results)


def sweep_tab(trials: Sequence[SweptTrial], in_order: bool) -> Tab:
    """Returns the tab. `in_order`: the trials were chosen one after the other."""
    numbered = [(place, trial) for place, trial in enumerate(trials, 1) if trial.results]
    parts: list[Part] = [cards(trials)]
    if in_order:
        parts.append(Section("Best so far", [progress_figure(numbered)]))
    figures = [setting_figure(path, numbered) for path in trials[0].point]
    parts.append(Section("Settings", [Grid(figures)], "Each trial at its value of one setting; the others vary too."))
    parts.append(Section("Trials", [trials_table(trials)]))
    return Tab("Sweep", parts)


def best_of(trials: Sequence[SweptTrial]) -> SweptTrial:
    whole = [trial for trial in trials if trial.results and trial.trained in WHOLE]
    return max(whole or [trial for trial in trials if trial.results], key=lambda trial: trial.mean)


def cards(trials: Sequence[SweptTrial]) -> Cards:
    best, stopped = best_of(trials), sum(trial.trained not in WHOLE for trial in trials)
    failed = sum(not trial.results for trial in trials)
    settings = ", ".join(f"{path} {value}" for path, value in best.point.items())
    return Cards(
        [
            ("Best", number(best.mean), settings),
            ("Trials", number(len(trials)), f"{counted(stopped, 'trial')} stopped early"),
            ("Without a result", number(failed), "failed or interrupted"),
        ]
    )


def groups(numbered: Sequence[tuple[int, SweptTrial]]) -> list[tuple[str, str, list[tuple[int, SweptTrial]]]]:
    """Returns name, colour and members of the trials that were stopped early, and of the others."""
    stopped = [(place, trial) for place, trial in numbered if trial.trained not in WHOLE]
    whole = [(place, trial) for place, trial in numbered if trial.trained in WHOLE]
    named = (("stopped early", GREY, stopped), ("completed", BLUE, whole))
    return [(name, colour, members) for name, colour, members in named if members]


def marks(name: str, colour: str, x: Sequence[object], members: Sequence[tuple[int, SweptTrial]]) -> dict[str, Any]:
    return {
        "type": "scatter",
        "mode": "markers",
        "name": name,
        "x": x,
        "y": [trial.mean for _, trial in members],
        "text": [f"trial {place}: {', '.join(trial.point.values())}" for place, trial in members],
        "hovertemplate": "%{text}: %{y:,.2f}<extra></extra>",
        "marker": {"color": colour, "size": 8},
    }


def progress_figure(numbered: Sequence[tuple[int, SweptTrial]]) -> Figure:
    traces = [
        marks(name, colour, [place for place, _ in members], members) for name, colour, members in groups(numbered)
    ]
    whole = [(place, trial) for place, trial in numbered if trial.trained in WHOLE]
    best = itertools.accumulate((trial.mean for _, trial in whole), max)
    traces.append(
        {
            "type": "scatter",
            "mode": "lines",
            "name": "best so far",
            "x": [place for place, _ in whole],
            "y": list(best),
            "line": {"color": ORANGE, "shape": "hv"},
        }
    )
    reading = "Trials in the order they were chosen; higher is better. The line covers completed trials only."
    return Figure("Trials", reading, traces, {"xaxis": axis("trial"), "yaxis": axis(RETURN)})


def setting_figure(path: str, numbered: Sequence[tuple[int, SweptTrial]]) -> Figure:
    values = [value_of(trial.point[path]) for _, trial in numbered]
    numbers = [value for value in values if isinstance(value, float)]
    if len(numbers) < len(values):
        scale: dict[str, Any] = NAMES
    else:
        wide = min(numbers) > 0 and max(numbers) >= 10 * min(numbers)
        scale = {"type": "log" if wide else "linear"}
    traces = []
    for name, colour, members in groups(numbered):
        x = [value_of(trial.point[path]) for _, trial in members]
        traces.append(marks(name, colour, x if len(numbers) == len(values) else list(map(str, x)), members))
    layout = {"xaxis": {**axis(path), **scale}, "yaxis": axis(RETURN), "showlegend": len(traces) > 1}
    return Figure(path, "", traces, layout, height=260)


def value_of(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def trials_table(trials: Sequence[SweptTrial]) -> Table:
    halved = any(trial.trained for trial in trials)
    rows = []
    for place, trial in enumerate(trials, 1):
        sample = Sample.of(trial.results) if trial.results else None
        evaluation = estimate(sample.mean, sample.ci95) if sample else NOTHING
        rows.append([number(place), *trial.point.values(), *([trial.trained] if halved else []), evaluation])
    headings = ["trial", *trials[0].point, *(["trained"] if halved else []), "final evaluation"]
    reading = "In the order they were chosen; ± is the 95 % interval over seeds."
    if halved:
        reading += " Trained: the share of the whole training after which a trial was stopped."
    return Table(headings, rows, reading)
