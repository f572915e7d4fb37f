"""A delivery run's evaluation: cost against every baseline, the days from best to worst, and their pictures."""

import pathlib
import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from dray.report.command_words import program
from dray.report.curves import BLUE, COLOURS, GREEN, GREY, NAMES, ORANGE, RED, Trace, axis, shares
from dray.report.number_text import counted, estimate, fixed, percent
from dray.report.parts import Commands, Figure, Part, Picture, Section, Table, Text
from dray.report.run_folder import RunFolder

Score = Mapping[str, Any]  # a policy's entry in a comparison that evaluate wrote
Drawn = tuple[int, str, str]  # day, policy, kind of picture

REFERENCES = ("none", "all_slots")  # what everything is compared with, by task
TYPES = ("late dropoff", "early pickup", "none", "both")
PICTURE = re.compile(r"episode_(\d+)_(.+)_(routes|gantt)\.svg")
READINGS = {
    "routes": "The depot is a square, pickups are filled, dropoffs are rings; a colour for each vehicle.",
    "gantt": "A row for each vehicle; bars are what it does and carries, windows are where each stop may be served, lighter as first asked for.",
}


def deliveries_section(run: RunFolder) -> Section | None:
    comparisons = [evaluation for evaluation in run.evaluations if "policies" in evaluation]
    drawn = sorted((match, file) for file in run.pictures if (match := drawn_day(file)))
    if not comparisons and not drawn and run.task not in ("dvrptw", "dvrptw_offer"):
        return None
    parts = [part for comparison in comparisons for part in comparison_parts(comparison)]
    named = named_days(day_gains(comparisons[0])) if comparisons else {}
    parts += [picture_of(day, policy, kind, file, named) for (day, policy, kind), file in in_order(drawn, named)]
    missing = [day for day in named if day not in {found[0] for found, _ in drawn}]
    if missing or not comparisons:
        parts += how_to_draw(run, missing)
    return Section("Deliveries", parts)


def comparison_parts(comparison: Mapping[str, Any]) -> list[Part]:
    scores = comparison["policies"]
    reference = reference_of(comparison)
    unit = f" ({comparison['unit']})" if comparison.get("unit") else ""
    parts: list[Part] = [objectives_figure(comparison, unit), comparison_table(scores, reference, unit)]
    against = [score for score in scores if "learned_less_this" in score and score["policy"] != "learned"]
    if against:
        parts.append(against_figure(against, comparison["episodes"], unit))
    if any(score.get("shift_min_by_type") for score in scores):
        parts.append(types_figure(scores))
    if comparison.get("beliefs"):
        parts.append(beliefs_figure(comparison["beliefs"]))
    gains = day_gains(comparison)
    if gains:
        parts.append(days_figure(gains, reference, unit))
    return parts


def reference_of(comparison: Mapping[str, Any]) -> str | None:
    """Returns the policy that all others are compared with."""
    played = {score["policy"] for score in comparison["policies"]}
    return next((name for name in REFERENCES if name in played), None)


def by_objective(scores: Sequence[Score]) -> list[Score]:
    return sorted(scores, key=lambda score: -score["objective"]["mean"])


def ranges(scores: Sequence[Score], field: str, colours: Sequence[str]) -> Trace:
    """Draws a dot with its 95 % interval for each policy, one below the other."""
    return {
        "type": "scatter",
        "mode": "markers",
        "x": [score[field]["mean"] for score in scores],
        "y": [score["policy"] for score in scores],
        "error_x": {"array": [score[field]["ci95"] for score in scores], "color": GREY, "thickness": 1.5},
        "marker": {"color": colours, "size": 10},
        "hovertemplate": "%{y}: %{x:,.1f}<extra></extra>",
    }


def objectives_figure(comparison: Mapping[str, Any], unit: str) -> Figure:
    scores = by_objective(comparison["policies"])
    colours = [ORANGE if score["policy"] in ("learned", "plan") else BLUE for score in scores]
    layout = {"xaxis": axis(f"objective of a day{unit}"), "yaxis": NAMES, "showlegend": False}
    reading = (
        f"Lower is better; the best is at the top. Mean of {counted(comparison['episodes'], 'day')} with its 95 % interval; all policies play the same "
        "days, so that differences are surer than these intervals look: see the next figures."
    )
    return Figure(
        "Cost against every baseline",
        reading,
        [ranges(scores, "objective", colours)],
        layout,
        height=110 + 30 * len(scores),
    )


def comparison_table(scores: Sequence[Score], reference: str | None, unit: str) -> Table:
    against = f"against_{reference}"
    # Columns that a mode does not have are missing in all of its scores.
    columns = {
        f"objective{unit}": ("objective", lambda value: estimate(value["mean"], value["ci95"])),
        f"against {reference}{unit}": (against, lambda value: estimate(value["mean"], value["ci95"], sign=True)),
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
        row = [score["policy"]]
        for field, text in shown.values():
            itself = score["policy"] == reference and field.startswith(against)
            row.append("" if itself or field not in score else text(score[field]))
        rows.append(row)
    return Table(
        ["policy", *shown], rows, f"Paired by day; ± is the 95 % interval. Below 0 is better than {reference}."
    )


def against_figure(scores: Sequence[Score], episodes: int, unit: str) -> Figure:
    ordered = sorted(scores, key=lambda score: score["learned_less_this"]["mean"])

    def verdict(value: Mapping[str, Any]) -> str:
        return GREY if abs(value["mean"]) <= value["ci95"] else GREEN if value["mean"] < 0 else RED

    colours = [verdict(score["learned_less_this"]) for score in ordered]
    layout = {"xaxis": axis(f"learned less baseline{unit}", zeroline=True), "yaxis": NAMES, "showlegend": False}
    reading = (
        f"The same {counted(episodes, 'day')}, day by day, with the 95 % interval of the mean difference (paired t). Green: the learned policy is better; "
        "red: worse; grey: the interval has 0 in it. Intervals are not corrected for there being several."
    )
    return Figure(
        "The learned policy against each",
        reading,
        [ranges(ordered, "learned_less_this", colours)],
        layout,
        height=110 + 30 * len(ordered),
    )


def types_figure(scores: Sequence[Score]) -> Figure:
    shown = [score for score in scores if any(score.get("shift_min_by_type") or ())]
    others = iter(colour for colour in COLOURS * len(shown) if colour != ORANGE)
    traces = [
        {
            "type": "bar",
            "name": score["policy"],
            "x": list(TYPES),
            "y": score["shift_min_by_type"],
            "marker": {"color": ORANGE if score["policy"] == "learned" else next(others)},
        }
        for score in shown
    ]
    layout = {"barmode": "group", "xaxis": axis("what the rider agrees to"), "yaxis": axis("mean shift (min)")}
    reading = "Whom a policy moves. Riders who agree to nothing should stay at 0: what is proposed to them is refused."
    return Figure("Shifts by riders' type", reading, traces, layout)


def beliefs_figure(riders: Sequence[Mapping[str, Any]]) -> Figure:
    """Draws a bar for each rider with the believed probability of each type; riders of a type stand side by side."""
    ordered = sorted(enumerate(riders), key=lambda item: (item[1]["type"], -item[1]["belief"][item[1]["type"]]))
    places = {kind: [i for i, (_, rider) in enumerate(ordered) if rider["type"] == kind] for kind in range(len(TYPES))}
    traces = [
        {
            "type": "bar",
            "name": TYPES[kind],
            "x": list(range(len(ordered))),
            "text": [f"rider {number}" for number, _ in ordered],
            "textposition": "none",
            "hovertemplate": f"%{{text}}: {TYPES[kind]} %{{y:.0%}}<extra></extra>",
            "y": [rider["belief"][kind] if rider["known"] else 0 for _, rider in ordered],
            "marker": {"color": COLOURS[kind]},
        }
        for kind in range(len(TYPES))
    ]
    known = [rider for rider in riders if rider["known"]]
    right = sum(max(range(len(TYPES)), key=rider["belief"].__getitem__) == rider["type"] for rider in known)
    ticks = {TYPES[kind]: sum(place) / len(place) for kind, place in places.items() if place}
    layout = {
        "barmode": "stack",
        "xaxis": axis("riders by their true type", tickvals=list(ticks.values()), ticktext=list(ticks)),
        "yaxis": {**shares("believed"), "range": [0, 1.02]},
    }
    reading = (
        f"Colours are what the flexibility model believes, groups are what is true: a group of one colour is known for sure. "
        f"The likeliest type is the true one for {right} of {len(known)} riders who ever answered a shift; {len(riders) - len(known)} never did."
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
    named = named_days(gains)
    labels = [f"day {day}" + (f", {named[day]}" if day in named else "") for _, day in gains]
    trace = {
        "type": "bar",
        "x": list(range(1, len(gains) + 1)),
        "y": [gain for gain, _ in gains],
        "text": labels,
        "textposition": "none",
        "marker": {"color": [ORANGE if day in named else GREEN if gain < 0 else RED for gain, day in gains]},
        "hovertemplate": "%{text}: %{y:+.1f}<extra></extra>",
    }
    layout = {"xaxis": axis("days, best first"), "yaxis": axis(f"learned less {reference}{unit}"), "showlegend": False}
    which = ", ".join(f"{name} is number {day}" for day, name in named.items())
    return Figure(
        "Days from best to worst",
        f"Below 0 the learned policy was cheaper than {reference}. Orange: {which}.",
        [trace],
        layout,
    )


def drawn_day(file: pathlib.Path) -> Drawn | None:
    match = PICTURE.fullmatch(file.name)
    return match and (int(match[1]), match[2], match[3])


def in_order(drawn: Sequence[tuple[Drawn, pathlib.Path]], named: Mapping[int, str]) -> list[tuple[Drawn, pathlib.Path]]:
    """Sorts pictures: named days first, the learned policy before others, the map before the clock."""
    place = {day: i for i, day in enumerate(named)}
    return sorted(
        drawn,
        key=lambda item: (
            place.get(item[0][0], len(place)),
            item[0][0],
            item[0][1] != "learned",
            item[0][1],
            item[0][2] == "gantt",
        ),
    )


def picture_of(day: int, policy: str, kind: str, file: pathlib.Path, named: Mapping[int, str]) -> Picture:
    what = "on the map" if kind == "routes" else "along the clock"
    return Picture(file, f"Day {day}{f', {named[day]}' if day in named else ''}: {policy}, {what}", READINGS[kind])


def how_to_draw(run: RunFolder, missing: Sequence[int]) -> list[Part]:
    folder, results = shlex.quote(str(run.path)), shlex.quote(str(run.path / "evaluation"))
    command = f"{program('evaluate')} --run-dir {folder} --baselines all --out {results} --render {results} --episode best,median,worst"
    if not missing:
        return [
            Text(
                "Costs against the baselines and pictures of days come from evaluate. Write them into the run folder, then make this page again:"
            ),
            Commands([("compare and draw", command)]),
        ]
    return [
        Text("These days are not drawn yet. Draw them, then make this page again:"),
        Commands([("draw", command)]),
    ]
