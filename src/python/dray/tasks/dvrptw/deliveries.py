"""A delivery run's evaluation: cost against every baseline and the days from best to worst."""

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from dray.report.command_words import program
from dray.report.curves import GREY, LEARNED, NAMES, Trace, axis, faint, shares
from dray.report.number_text import counted, estimate, fixed, percent
from dray.report.parts import Commands, Figure, Part, Section, Table, Text
from dray.report.run_folder import RunFolder
from dray.tasks.dvrptw.drawn_days import days_drawn, drawn_tabs
from dray.tasks.dvrptw.words import TYPES, policy_of

Score = Mapping[str, Any]  # a policy's entry in a comparison that evaluate wrote

REFERENCES = ("none", "all_slots")  # what everything is compared with, by task


def comparisons_of(run: RunFolder) -> list[Mapping[str, Any]]:
    return [evaluation for evaluation in run.evaluations if "policies" in evaluation]


def policies_section(run: RunFolder) -> Section | None:
    parts = [part for comparison in comparisons_of(run) for part in comparison_parts(comparison)]
    return Section("Policies on the same days", parts) if parts else None


def days_section(run: RunFolder) -> Section | None:
    comparisons, drawn = comparisons_of(run), days_drawn(run.pictures)
    if not comparisons and not drawn and run.task not in ("dvrptw", "dvrptw_offer"):
        return None
    parts: list[Part] = [part for comparison in comparisons for part in gains_parts(comparison)]
    named = named_days(day_gains(comparisons[0])) if comparisons else {}
    if drawn:
        parts.append(drawn_tabs(drawn, named, REFERENCES))
    missing = [day for day in named if day not in {day for _, day in drawn}]
    if missing or not comparisons:
        parts += how_to_draw(run, missing)
    return Section("Day by day", parts)


def comparison_parts(comparison: Mapping[str, Any]) -> list[Part]:
    scores = comparison["policies"]
    reference, unit = reference_of(comparison), unit_of(comparison)
    parts: list[Part] = [comparison_table(scores, reference, unit)]
    if len(scores) > 1:
        parts.insert(0, objectives_figure(comparison, unit))
    against = [score for score in scores if "learned_less_this" in score and score["policy"] != "learned"]
    if against:
        parts.append(against_figure(against, comparison["episodes"], unit))
    if any(score.get("shift_min_by_type") for score in scores):
        parts.append(types_figure(scores))
    if comparison.get("beliefs"):
        parts.append(beliefs_part(comparison["beliefs"]))
    return parts


def gains_parts(comparison: Mapping[str, Any]) -> list[Figure]:
    gains = day_gains(comparison)
    return [days_figure(gains, reference_of(comparison), unit_of(comparison))] if len(gains) > 1 else []


def unit_of(comparison: Mapping[str, Any]) -> str:
    return f" ({comparison['unit']})" if comparison.get("unit") else ""


def reference_of(comparison: Mapping[str, Any]) -> str | None:
    """Returns the policy that all others are compared with."""
    played = {score["policy"] for score in comparison["policies"]}
    return next((name for name in REFERENCES if name in played), None)


def by_objective(scores: Sequence[Score]) -> list[Score]:
    return sorted(scores, key=lambda score: -score["objective"]["mean"])


def ranges(scores: Sequence[Score], field: str, undecided: Sequence[bool] = ()) -> Trace:
    """Draws a dot with its 95 % interval for each policy, one below the other; hollow ones are undecided."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [score[field]["mean"] for score in scores],
        "y": [policy_of(score["policy"]).title for score in scores],
        "error_x": {"array": [score[field]["ci95"] for score in scores], "color": GREY, "thickness": 1.5},
        "marker": {
            "color": [policy_of(score["policy"]).colour for score in scores],
            "symbol": ["circle-open" if open_ else "circle" for open_ in undecided] or "circle",
            "size": 10,
            "line": {"color": [policy_of(score["policy"]).colour for score in scores], "width": 2},
        },
        "text": [score["policy"] for score in scores],
        "hovertemplate": "%{y} (%{text}): %{x:,.1f}<extra></extra>",
    }


def objectives_figure(comparison: Mapping[str, Any], unit: str) -> Figure:
    scores = by_objective(comparison["policies"])
    layout = {"xaxis": axis(f"objective of a day{unit}"), "yaxis": NAMES, "showlegend": False}
    reading = (
        f"Lower is better, best at the top. Mean of {counted(comparison['episodes'], 'day')} with its 95 % "
        "interval. All policies play the same days, so differences between them are more certain than these intervals "
        "suggest: see the paired differences below."
    )
    return Figure(
        "Cost against every baseline", reading, [ranges(scores, "objective")], layout, height=110 + 30 * len(scores)
    )


def comparison_table(scores: Sequence[Score], reference: str | None, unit: str) -> Table:
    against = f"against_{reference}"
    zero = policy_of(reference or "").title
    # Columns that a mode does not have are missing in all of its scores.
    columns = {
        f"objective{unit}": ("objective", lambda value: estimate(value["mean"], value["ci95"])),
        f"against {zero}{unit}": (against, lambda value: estimate(value["mean"], value["ci95"], sign=True)),
        "%": (f"{against}_pct", lambda value: fixed(value, 2, sign=True)),
        f"cost{unit}": ("cost", lambda value: fixed(value["mean"], 1)),
        "vehicles": ("vehicles", lambda value: fixed(value["mean"], 2)),
        "accepted": ("acceptance", lambda value: percent(value["mean"], 1)),
        "shift of a rider (min)": ("shift_min_per_rider", lambda value: fixed(value["mean"], 2)),
        "served": ("served", lambda value: percent(value["mean"], 1)),
        "cost per customer served": ("cost_per_served", lambda value: fixed(value, 2)),
    }
    shown = {heading: column for heading, column in columns.items() if any(column[0] in score for score in scores)}
    rows = []
    for score in by_objective(scores)[::-1]:
        row = [policy_of(score["policy"]).title]
        for field, text in shown.values():
            itself = score["policy"] == reference and field.startswith(against)
            row.append("" if itself or field not in score else text(score[field]))
        rows.append([*row, score["policy"]])
    reading = (
        f"Paired by day; ± is the 95 % interval. Below 0 is better than {zero}. Key: the policy's name in evaluate."
    )
    return Table(["policy", *shown, "key"], rows, reading, texts=(len(shown) + 1,))


def against_figure(scores: Sequence[Score], episodes: int, unit: str) -> Figure:
    ordered = sorted(scores, key=lambda score: score["learned_less_this"]["mean"])

    def undecided(value: Mapping[str, Any]) -> bool:
        return bool(abs(value["mean"]) <= value["ci95"])

    hollow = [undecided(score["learned_less_this"]) for score in ordered]
    layout = {"xaxis": axis(f"learned − baseline{unit}", zeroline=True), "yaxis": NAMES, "showlegend": False}
    reading = (
        f"The same {counted(episodes, 'day')}, day by day, with the 95 % interval of the mean difference (paired t). Left of 0 the learned policy is better. "
        "Hollow: the interval contains 0. Intervals are not adjusted for multiple comparisons."
    )
    return Figure(
        "The learned policy against each",
        reading,
        [ranges(ordered, "learned_less_this", hollow)],
        layout,
        height=110 + 30 * len(ordered),
    )


def types_figure(scores: Sequence[Score]) -> Figure:
    traces = [
        {
            "type": "bar",
            "name": policy_of(score["policy"]).title,
            "x": list(TYPES),
            "y": score["shift_min_by_type"],
            "marker": {"color": policy_of(score["policy"]).colour},
        }
        for score in scores
        if any(score.get("shift_min_by_type") or ())
    ]
    layout = {"barmode": "group", "xaxis": axis("what the rider agrees to"), "yaxis": axis("mean shift (min)")}
    reading = (
        "Mean shift by what riders agree to. Riders who agree to nothing should stay at 0: they refuse every proposal."
    )
    return Figure("Shifts by riders' type", reading, traces, layout)


def beliefs_part(riders: Sequence[Mapping[str, Any]]) -> Figure | Text:
    """Draws a bar for each rider with the believed probability of each type; riders of a type stand side by side."""
    known = [rider for rider in riders if rider["known"]]
    if not known:
        return Text(f"The flexibility model knows nothing yet: none of {len(riders)} riders ever answered a shift.")
    types = list(TYPES)
    ordered = sorted(enumerate(riders), key=lambda item: (item[1]["type"], -item[1]["belief"][item[1]["type"]]))
    places = {kind: [i for i, (_, rider) in enumerate(ordered) if rider["type"] == kind] for kind in range(len(types))}
    traces = [
        {
            "type": "bar",
            "name": types[kind],
            "x": list(range(len(ordered))),
            "text": [f"rider {number}" for number, _ in ordered],
            "textposition": "none",
            "hovertemplate": f"%{{text}}: {types[kind]} %{{y:.0%}}<extra></extra>",
            "y": [rider["belief"][kind] if rider["known"] else 0 for _, rider in ordered],
            "marker": {"color": TYPES[types[kind]]},
        }
        for kind in range(len(types))
    ]
    right = sum(max(range(len(types)), key=rider["belief"].__getitem__) == rider["type"] for rider in known)
    ticks = {types[kind]: sum(place) / len(place) for kind, place in places.items() if place}
    layout = {
        "barmode": "stack",
        "xaxis": axis("riders by their true type", tickvals=list(ticks.values()), ticktext=list(ticks)),
        "yaxis": {**shares("believed"), "range": [0, 1.02]},
    }
    reading = (
        "Colours: what the flexibility model believes; groups: the true types. A group of a single colour "
        "is known for certain. "
        f"The most likely type is the true one for {right} of {len(known)} riders who ever answered a shift; "
        f"{len(riders) - len(known)} never did."
    )
    return Figure("Flexibility believed against true", reading, traces, layout)


def day_gains(comparison: Mapping[str, Any]) -> list[tuple[float, int]]:
    """Returns (gain, day) for each day, best first; the gain is the learned policy's objective minus the reference's."""
    days = comparison["days"]
    learned, reference = days.get("learned", {}), days.get(reference_of(comparison), {})
    return sorted((learned[day] - reference[day], day) for day in learned if day in reference)


def named_days(gains: Sequence[tuple[float, int]]) -> dict[int, str]:
    """Returns the days worth a picture: {day: "best day"}."""
    if not gains:
        return {}
    places = {0: "best day", len(gains) - 1: "worst day", (len(gains) - 1) // 2: "median day"}
    return {gains[place][1]: places[place] for place in sorted(places)}


def days_figure(gains: Sequence[tuple[float, int]], reference: str | None, unit: str) -> Figure:
    named, zero = named_days(gains), policy_of(reference or "").title
    labels = [f"day {day}" + (f", {named[day]}" if day in named else "") for _, day in gains]
    trace = {
        "type": "bar",
        "x": list(range(1, len(gains) + 1)),
        "y": [gain for gain, _ in gains],
        "text": labels,
        "textposition": "none",
        "marker": {"color": [LEARNED if day in named else faint(LEARNED, 0.5) for _, day in gains]},
        "hovertemplate": "%{text}: %{y:+.1f}<extra></extra>",
    }
    layout = {"xaxis": axis("days, best first"), "yaxis": axis(f"learned − {zero}{unit}"), "showlegend": False}
    which = ", ".join(f"{name}: day {day}" for day, name in named.items())
    return Figure(
        "Days from best to worst",
        f"Below 0 the learned policy was cheaper than {zero}. Full colour – {which}.",
        [trace],
        layout,
    )


def how_to_draw(run: RunFolder, missing: Sequence[int]) -> list[Part]:
    folder, results = shlex.quote(str(run.path)), shlex.quote(str(run.path / "evaluation"))
    command = f"{program('evaluate')} --run-dir {folder} --baselines all --out {results} --render {results} --episode best,median,worst"
    if not missing:
        return [
            Text("Run evaluate for costs against the baselines and pictures of days, then make this page again:"),
            Commands([("compare and draw", command)]),
        ]
    return [
        Text("These days are not drawn yet. Draw them, then make this page again:"),
        Commands([("draw", command)]),
    ]
