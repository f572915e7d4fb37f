"""What `evaluate --json` printed into the run folder, and the drawings of cyber defence."""

import re
import shlex

from dray.report import curves
from dray.report.command_words import program
from dray.report.curves import line, shares
from dray.report.learning import both_kinds
from dray.report.number_text import estimate, fixed, number, percent
from dray.report.parts import Commands, Figure, Picture, Section, Table, Text
from dray.report.run_statistics import t_quantile

PICTURE = re.compile(r"episode_(\d+)_(timeline|network)\.svg")
READINGS = {
    "timeline": "A row for each host, a column for each step: what red held, whom it attacked, what blue did where, and below what each step cost.",
    "network": "Subnets and hosts: how long red held each, the way it took (numbers are steps), and how often blue fixed them.",
}


def interval_of(spread, episodes):
    """Half the 95 % interval of a mean that was printed with its standard error."""
    return t_quantile(0.975, episodes - 1) * spread["sem"] if episodes > 1 and spread.get("sem") is not None else None


def evaluations_section(run):
    parts = []
    for evaluation in run.evaluations:
        if "return_mean" in evaluation:
            parts += [Text(described(evaluation)), statistics_table(evaluation), *episodes_figures(evaluation)]
    return Section("Evaluations", parts) if parts else None


def described(evaluation):
    who = f"epoch {number(evaluation['epoch'])}" if "epoch" in evaluation else evaluation.get("policy", "")
    return f"{evaluation.get('env', '')}, {who}, {number(evaluation['episodes'])} episodes, seed {evaluation.get('seed', '')}"


def statistics_table(evaluation):
    episodes = evaluation["episodes"]
    rows = [
        ["return", estimate(evaluation["return_mean"], evaluation.get("return_ci95")), fixed(evaluation.get("return_std"), 2)]
    ]
    for name, spread in (evaluation.get("stats") or {}).items():
        rows.append([name, estimate(spread["mean"], interval_of(spread, episodes)), number(spread.get("std"))])
    return Table(
        ["number", "mean ± 95 % interval", "standard deviation"],
        rows,
        "By the most probable actions; ± is over episodes and leaves out the luck of the training's seed.",
    )


def episodes_figures(evaluation):
    """The returns of the episodes, from best to worst: a line for each attacker where there are several."""
    given = evaluation.get("by_episode") or {}
    players = given if isinstance(given, dict) else {"return": given}
    traces, named = [], []
    for i, (player, episodes) in enumerate(players.items()):
        episodes = sorted(episodes, key=lambda episode: -episode["return"])  # of the same return, the first played comes first
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
                "line": {"color": curves.colour(i), "width": 2, "shape": "hv"},
                "hovertemplate": "%{text}: %{y:.2f}<extra></extra>",
            }
        )
        best, median, worst = (episodes[place]["episode"] for place in (0, (count - 1) // 2, count - 1))
        named.append(f"{player + ': ' if len(players) > 1 else ''}the best is number {best}, the median {median}, the worst {worst}")
    if not traces:
        return []
    reading = f"A point of the line for each episode, best first; a long fall at the right means that the mean hides disasters. {'; '.join(named)}."
    layout = {"xaxis": shares("episodes, best first"), "yaxis": curves.axis("return"), "showlegend": len(traces) > 1}
    return [Figure("Episodes from best to worst", reading, traces, layout, height=280)]


def defence_section(run):
    drawn = [(int(match[1]), match[2], file) for file in run.pictures if (match := PICTURE.fullmatch(file.name))]
    scores = [evaluation for evaluation in run.evaluations if "scores" in evaluation]
    if run.search or not drawn and not scores and run.task != "cage2":
        return None
    parts = [part for evaluation in scores for part in (scores_table(evaluation), *episodes_figures(evaluation))]
    for episode, kind, file in sorted(drawn, key=lambda item: (item[0], item[1] == "network")):
        parts.append(
            Picture(file, f"Episode {episode}: {'hosts by steps' if kind == 'timeline' else 'the network'}", READINGS[kind])
        )
    if not drawn:
        folder, results = shlex.quote(str(run.path)), shlex.quote(str(run.path / "evaluation"))
        command = f"{program('evaluate')} --run-dir {folder} --episodes 100 --render {results} --episode best,median,worst"
        parts += [
            Text("Drawings of an episode come from evaluate. Write them into the run folder, then make this page again:"),
            Commands([("draw", command)]),
        ]
    return Section("Cyber defence", parts)


def scores_table(evaluation):
    steps = list(next(iter(evaluation["scores"].values()))["returns"])
    rows = [
        [
            red,
            *(
                estimate(score["returns"][step]["mean"], interval_of(score["returns"][step], evaluation["episodes"]))
                for step in steps
            ),
            percent(score.get("server_restored")),
        ]
        for red, score in evaluation["scores"].items()
    ]
    reading = (
        f"Return by attacker and length of the game, with the 95 % interval of {number(evaluation['episodes'])} episodes; 0 is best. "
        f"Total: {number(evaluation.get('total'))}."
    )
    return Table(["attacker", *(f"{step} steps" for step in steps), "server restored"], rows, reading)


def workflow_section(run):
    """How well a workflow is followed."""
    trained, evaluated = "episode/stat/compliance", "eval/stat/compliance"
    if not curves.has(run.reports, trained, evaluated):
        return None
    layout = {"xaxis": curves.STEPS, "yaxis": {**shares("actions that follow the workflow"), "range": [0, 1.05]}}
    order = run.setting("env.cage2.workflow.order")
    reading = (
        "100 % is perfect obedience. The line is the mean of the last 100 training episodes, which explore; dots are evaluations."
    )
    parts = [Text(f"The order: {order}.")] if order else []
    parts.append(Figure("Compliance", reading, both_kinds(run.reports, trained, evaluated), layout))
    by_env = compliance_by_env(run.reports)
    if by_env:
        parts.append(by_env)
    return Section("Workflow", parts)


def compliance_by_env(reports):
    names = sorted(name for name in curves.names_of(reports) if re.fullmatch(r"env/.+/stat/compliance", name))
    if not names:
        return None
    traces = [
        line(reports, name, name.split("/")[1], curves.faint(curves.BLUE, 0.35), showlegend=False, hoverinfo="skip")
        for name in names
    ]
    layout = {"xaxis": curves.STEPS, "yaxis": {**shares("compliance of its last episode"), "range": [0, 1.05]}}
    return Figure(
        "Compliance by environment",
        f"A thin line for each of {len(names)} environments: where many lie below 100 %, obedience is luck.",
        traces,
        layout,
        height=260,
    )
