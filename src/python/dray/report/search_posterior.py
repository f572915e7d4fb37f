"""The section on a search: its model's estimate for every order, and its trials."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from dray.report.curves import BLUE, GREEN, GREY, ORANGE, axis, dots, faint
from dray.report.number_text import estimate, fixed, number, p_value, percent
from dray.report.parts import Cards, Figure, Part, Section, Table, Text
from dray.report.run_folder import RunFolder


def named(workflow: Sequence[str] | None) -> str:
    return " > ".join(workflow or ())


def search_cards(search: Mapping[str, Any]) -> Cards:
    p = search.get("p")
    return Cards(
        [
            ("Verdict", search.get("verdict") or "none yet", f"p = {p_value(p)}" if p is not None else ""),
            ("Trainings", number(len(search.get("trials", ()))), f"{number(search.get('trainings'))} of them count"),
            (
                "Best − median order",
                (
                    estimate(search.get("better_by"), search.get("better_by_ci95"), sign=True)
                    if search.get("better_by") is not None
                    else "–"
                ),
                "return, 95 % interval",
            ),
            (
                "Variance from the order",
                percent(search.get("order_share")),
                f"standard deviation {fixed(search.get('order_sd'), 1)} between orders, {fixed(search.get('seed_sd'), 1)} between seeds",
            ),
        ]
    )


def search_section(run: RunFolder) -> Section | None:
    search = run.search
    if not search:
        return None
    parts: list[Part] = [Text(search.get("text", "")), posterior_figure(search["orders"])]
    if search.get("trials"):
        parts += [trials_figure(search["trials"]), trials_table(search["trials"])]
    return Section("Search", parts)


def posterior_figure(orders: Sequence[Mapping[str, Any]]) -> Figure:
    ordered = sorted(orders, key=lambda order: -order["posterior_mean"])
    place = list(range(1, len(ordered) + 1))
    low = [order["posterior_mean"] - 1.96 * order["posterior_sd"] for order in ordered]
    high = [order["posterior_mean"] + 1.96 * order["posterior_sd"] for order in ordered]
    edge = {
        "type": "scatter",
        "mode": "lines",
        "x": place,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "showlegend": False,
    }
    trained = [(i, order) for i, order in zip(place, ordered) if order.get("return_mean") is not None]
    traces: list[dict[str, Any]] = [
        {**edge, "y": low},
        {
            **edge,
            "y": high,
            "fill": "tonexty",
            "fillcolor": faint(BLUE, 0.2),
            "name": "95 % interval",
            "showlegend": True,
        },
        {
            "type": "scatter",
            "mode": "lines",
            "name": "posterior mean",
            "x": place,
            "y": [order["posterior_mean"] for order in ordered],
            "text": [named(order["workflow"]) for order in ordered],
            "hovertemplate": "%{text}: %{y:,.1f}<extra></extra>",
            "line": {"color": BLUE},
        },
    ]
    for counts, name, shade in ((True, "measured", ORANGE), (False, "measured, complied too little", GREY)):
        shown = [(i, order) for i, order in trained if bool(order.get("counts")) == counts]
        if shown:
            traces.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "name": name,
                    "x": [i for i, _ in shown],
                    "y": [order["return_mean"] for _, order in shown],
                    "text": [named(order["workflow"]) for _, order in shown],
                    "hovertemplate": "%{text}: %{y:,.1f}<extra></extra>",
                    "marker": {"color": shade, "size": 8},
                }
            )
    layout = {"xaxis": axis("orders, best posterior mean first"), "yaxis": axis("return (reward)")}
    reading = (
        "Estimate of the Gaussian process for every order. If the band of the first order reaches below the "
        "line of the last, the search is undecided."
    )
    return Figure("Posterior of all orders", reading, traces, layout, height=400)


def trials_figure(trials: Sequence[Mapping[str, Any]]) -> Figure:
    foreseen = [
        trial for trial in trials if trial.get("predicted_mean") is not None and trial.get("predicted_sd") is not None
    ]
    believed = {
        "type": "scatter",
        "mode": "markers",
        "name": "predicted",
        "x": [trial["trial"] for trial in foreseen],
        "y": [trial["predicted_mean"] for trial in foreseen],
        "error_y": {"array": [1.96 * trial["predicted_sd"] for trial in foreseen], "color": faint(BLUE, 0.5)},
        "marker": {"color": BLUE, "symbol": "line-ew-open", "size": 12},
    }
    measured = dots(
        [trial["trial"] for trial in trials],
        [trial["return_mean"] for trial in trials],
        [trial.get("return_ci95") for trial in trials],
        "measured",
        ORANGE,
        text=[named(trial["workflow"]) for trial in trials],
        hovertemplate="%{text}: %{y:,.1f}<extra></extra>",
    )
    counting = [trial for trial in trials if trial.get("counts")]
    best = list(itertools.accumulate((trial["return_mean"] for trial in counting), max))
    so_far = {
        "type": "scatter",
        "mode": "lines",
        "name": "best that counts",
        "x": [trial["trial"] for trial in counting],
        "y": best,
        "line": {"color": GREEN, "shape": "hv"},
    }
    layout = {"xaxis": axis("trial", dtick=1 if len(trials) < 15 else None), "yaxis": axis("return (reward)")}
    reading = (
        "Orange: measured return, with its 95 % interval over episodes. Blue: prediction before the training, "
        "with its 95 % interval; most orange dots should lie within."
    )
    return Figure("Trials", reading, [trace for trace in (believed, measured, so_far) if trace["x"]], layout)


def trials_table(trials: Sequence[Mapping[str, Any]]) -> Table:
    rows = [
        [
            number(trial["trial"]),
            named(trial["workflow"]),
            estimate(trial["return_mean"], trial.get("return_ci95")),
            percent(trial.get("compliance")),
            "yes" if trial.get("counts") else "no",
        ]
        for trial in sorted(trials, key=lambda trial: -trial["return_mean"])
    ]
    return Table(
        ["trial", "workflow", "return", "compliance", "counts"],
        rows,
        "Best first. A training counts if its policy followed the workflow closely enough.",
        texts=(1,),
    )
