"""Results that `evaluate --json` printed into the run folder."""

from collections.abc import Mapping
from typing import Any

from dray.report import curves
from dray.report.curves import LEARNED, shares
from dray.report.number_text import counted, estimate, fixed, number
from dray.report.parts import Figure, Part, Section, Table, Text
from dray.report.run_folder import RunFolder
from dray.report.run_statistics import t_quantile
from dray.report.task_parts import statistic_of


def interval_of(spread: Mapping[str, Any], episodes: int) -> float | None:
    """Returns half the 95 % interval of a mean, from its standard error."""
    return t_quantile(0.975, episodes - 1) * spread["sem"] if episodes > 1 and spread.get("sem") is not None else None


def evaluations_section(run: RunFolder) -> Section | None:
    parts: list[Part] = []
    for evaluation in run.evaluations:
        if "return_mean" in evaluation:
            parts += [Text(described(evaluation)), statistics_table(run, evaluation), *episodes_figures(evaluation)]
    return Section("Evaluations", parts) if parts else None


def described(evaluation: Mapping[str, Any]) -> str:
    who = f"epoch {number(evaluation['epoch'])}" if "epoch" in evaluation else evaluation.get("policy", "")
    return f"{evaluation.get('env', '')}, {who}, {counted(evaluation['episodes'], 'episode')}, seed {evaluation.get('seed', '')}"


def statistics_table(run: RunFolder, evaluation: Mapping[str, Any]) -> Table:
    episodes = evaluation["episodes"]
    rows = [
        [
            "Return (reward)",
            estimate(evaluation["return_mean"], evaluation.get("return_ci95")),
            fixed(evaluation.get("return_std"), 2),
            "",
        ]
    ]
    for name, spread in (evaluation.get("stats") or {}).items():
        mean = estimate(spread["mean"], interval_of(spread, episodes))
        rows.append([statistic_of(run, name).label, mean, number(spread.get("std")), name])
    return Table(
        ["statistic", "mean ± 95 % interval", "standard deviation", "key"],
        rows,
        "By the most probable actions. ± is over episodes; it does not cover the variation between training seeds.",
        texts=(3,),
    )


def episodes_figures(evaluation: Mapping[str, Any], looks: Mapping[str, tuple[str, str]] | None = None) -> list[Figure]:
    """Draws the returns of the episodes from best to worst, with a line for each attacker if there are several; `looks`
    has their titles and colours.
    """
    given = evaluation.get("by_episode") or {}
    players = given if isinstance(given, dict) else {"return": given}
    traces, named = [], []
    for key, episodes in players.items():
        player, colour = (looks or {}).get(key, (key, LEARNED))
        episodes = sorted(
            episodes, key=lambda episode: -episode["return"]
        )  # of the same return, the first played comes first
        count = len(episodes)
        if count < 2:
            continue
        traces.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": player,
                "x": [place / (count - 1) for place in range(count)],
                "y": [episode["return"] for episode in episodes],
                "text": [f"episode {episode['episode']}" for episode in episodes],
                "line": {"color": colour, "width": 2, "shape": "hv"},
                "hovertemplate": "%{text}: %{y:.2f}<extra></extra>",
            }
        )
        best, median, worst = (episodes[place]["episode"] for place in (0, (count - 1) // 2, count - 1))
        named.append(
            f"{player + ' – ' if len(players) > 1 else ''}best: episode {best}, median: {median}, worst: {worst}"
        )
    if not traces:
        return []
    reading = (
        "One point per episode, best first. A steep drop at the right: a few very bad episodes that the mean "
        f"hides. {'; '.join(named)}."
    )
    layout = {"xaxis": shares("episodes, best first"), "yaxis": curves.axis("return"), "showlegend": len(traces) > 1}
    return [Figure("Episodes from best to worst", reading, traces, layout, height=280)]
