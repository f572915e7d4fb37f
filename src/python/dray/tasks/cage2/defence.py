"""Scores against the attackers, and drawings of the game."""

import pathlib
import re
import shlex
from collections.abc import Mapping
from typing import Any

from dray.report.command_words import program
from dray.report.drawing import Picture
from dray.report.evaluations import episodes_figures, interval_of
from dray.report.number_text import counted, estimate, number, percent
from dray.report.parts import Commands, Part, Section, Tab, Table, Tabs, Text
from dray.report.run_folder import RunFolder
from dray.tasks.cage2.words import REDS

PICTURE = re.compile(r"episode_(\d+)_(timeline|network)\.svg")
READINGS = {
    "timeline": "One row per host, one column per step: what red held and attacked and what blue did; below, "
    "the cost of each step.",
    "network": "Subnets and hosts: how long red held each host, red's path (numbers are steps) and how often "
    "blue fixed each host.",
}


def defence_section(run: RunFolder) -> Section | None:
    drawn = [(int(match[1]), match[2], file) for file in run.pictures if (match := PICTURE.fullmatch(file.name))]
    scores = [evaluation for evaluation in run.evaluations if "scores" in evaluation]
    if run.search or not drawn and not scores and run.task != "cage2":
        return None
    parts: list[Part] = []
    for evaluation in scores:
        parts += [scores_table(evaluation), *episodes_figures(evaluation, REDS)]
    episodes: dict[tuple[pathlib.Path, int], list[Part]] = {}
    for episode, kind, file in sorted(drawn, key=lambda item: (item[0], item[1] == "network")):
        what = "hosts by steps" if kind == "timeline" else "the network"
        picture = Picture(file, f"Episode {episode}: {what}", READINGS[kind])
        episodes.setdefault((file.parent, episode), []).append(picture)
    if drawn:
        tabs = [Tab(f"Episode {episode}", pictures) for (_, episode), pictures in episodes.items()]
        parts.append(Tabs(tabs, "episode"))
    else:
        folder, results = shlex.quote(str(run.path)), shlex.quote(str(run.path / "evaluation"))
        command = (
            f"{program('evaluate')} --run-dir {folder} --episodes 100 --render {results} --episode best,median,worst"
        )
        parts += [
            Text("Run evaluate for drawings of episodes, then make this page again:"),
            Commands([("draw", command)]),
        ]
    return Section("Cyber defence", parts)


def scores_table(evaluation: Mapping[str, Any]) -> Table:
    steps = list(next(iter(evaluation["scores"].values()))["returns"])
    rows = [
        [
            REDS.get(red, (red,))[0],
            *(
                estimate(score["returns"][step]["mean"], interval_of(score["returns"][step], evaluation["episodes"]))
                for step in steps
            ),
            percent(score.get("server_restored")),
        ]
        for red, score in evaluation["scores"].items()
    ]
    reading = (
        f"Return by attacker and length of the game, with the 95 % interval of {counted(evaluation['episodes'], 'episode')}; 0 is best. "
        f"Total: {number(evaluation.get('total'))}."
    )
    return Table(["attacker", *(f"{step} steps" for step in steps), "server restored"], rows, reading)
