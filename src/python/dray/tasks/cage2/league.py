"""Lets defenders and attackers of CAGE-2 learn from each other, and shows what each gets against each.

    dray league --rounds 3 --dir runs/league              trains a first defender, then three attackers and defenders
    dray league --blue runs/mixture --rounds 6 --reds equilibrium --fresh 3
    dray league --blue runs/mixture --rounds 1 --red-episodes 500 --blue-episodes 500 --episodes 50      a first look

In every round, an attacker learns from scratch against defenders so far, and then a defender learns against the scripts and the attackers
so far, from the networks of the defender before it. --reds and --blues say which: the newest one, all equally often (fictitious play), or
as often as in the equilibrium of the table so far (policy-space response oracles).

--fresh trains more attackers against the last defender, each with a seed of its own. No defender has met them: what the worst of them
costs is the defender's exploitability.

The same command resumes; with more --rounds it goes on. The folder has the runs, table.md, league.html and scores.json.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence

import numpy

from dray import engine_command, places
from dray.error import Error, fail
from dray.fleet import Interrupted, raise_interruptions
from dray.report.number_text import counted, fixed, percent
from dray.report.page import page_text
from dray.report.parts import Cards, Part, Section, Tab, Table
from dray.report.run_folder import RunFolder
from dray.sweep_training import environment, error_of
from dray.tasks.cage2.league_arguments import parse_arguments
from dray.tasks.cage2.payoffs import Equilibrium, equilibrium, mixture_text, uniform
from dray.tasks.cage2.words import REDS

SCRIPTED = {red: REDS[red][0] for red in ("bline", "meander")}
CHALLENGE = "all"  # evaluate --red all: the challenge's nine scores


class League:
    """The runs of a league by name, and the scores that were measured."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.folder: pathlib.Path = arguments.dir.resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.runs: dict[str, pathlib.Path] = {}
        self._kept = self.folder / "scores.json"
        self._scores = read_scores(self._kept)

    @property
    def blues(self) -> list[str]:
        return [name for name in self.runs if name.startswith("blue")]

    @property
    def reds(self) -> list[str]:
        return [name for name in self.runs if name.startswith("red")]

    @property
    def fresh(self) -> list[str]:
        return [name for name in self.runs if name.startswith("fresh")]

    def first_blue(self) -> None:
        arguments = self.arguments
        if arguments.blue is None:
            self._train("blue0", arguments.config, arguments.blue_episodes, self._rules("cage2"))
            return
        self.runs["blue0"] = arguments.blue.resolve()
        newest_checkpoint(self.runs["blue0"])

    def train_red(self, number: int) -> None:
        blues = self._drawn(self.arguments.blues, self.blues, lambda game: game.blues)
        self._train_red(f"red{number}", blues, self.arguments.red_episodes, self.arguments.seed)

    def train_fresh(self, number: int) -> None:
        seed = self.arguments.seed + 1000 + number  # not one that trained the league
        last = self.blues[-1]
        # A folder for each defender: in a league that goes on, the fresh attackers of an earlier one are not fresh.
        place = f"{last}-fresh{number}"
        self._train_red(f"fresh{number}", {last: 1.0}, self.arguments.fresh_episodes, seed, place)

    def train_blue(self, number: int) -> None:
        arguments = self.arguments
        rest = (1 - arguments.share) / len(SCRIPTED)
        before = self.runs[f"blue{number - 1}"]
        settings = {
            **self._rules("cage2"),
            "env.cage2.red": mixture_text({**dict.fromkeys(SCRIPTED, rest), "learned": arguments.share}),
            "env.cage2.first_red": "",
            "env.cage2.red_policy": self._paths(self._drawn(arguments.reds, self.reds, lambda game: game.reds)),
            "run.init_from": "" if arguments.from_scratch else str(newest_checkpoint(before)),
        }
        self._train(f"blue{number}", str(self.runs["blue0"] / "config.yaml"), arguments.blue_episodes, settings)

    def score(self, blue: str, red: str) -> tuple[float, float]:
        """Returns what the defender gets against the attacker, and half its 95 % interval; plays only what was not."""
        mean, interval = self._played(blue, red, ["return_mean", "return_ci95"])
        return mean, interval

    def total(self, blue: str) -> float:
        """Returns the sum of the challenge's nine scores."""
        return self._played(blue, CHALLENGE, ["total"])[0]

    def _played(self, blue: str, red: str, names: Sequence[str]) -> list[float]:
        key = f"{self.runs[blue]} {self.runs.get(red, red)} {self.arguments.episodes} {self.arguments.release}"
        if key not in self._scores:
            words = ["--run-dir", str(self.runs[blue]), "--episodes", str(self.arguments.episodes), "--json"]
            words += [word for item in self._rules("cage2").items() for word in ("--set", "=".join(item))]
            learned = ["--red", "learned", "--red-policy", str(self.runs[red])] if red in self.runs else ["--red", red]
            played = json.loads(engine_command.run("evaluate", [*words, *learned]).splitlines()[-1])
            self._scores[key] = [played[name] for name in names]
            part = self._kept.with_name(".scores.json.part")
            part.write_text(json.dumps(self._scores, indent=1) + "\n")
            os.replace(part, self._kept)
        return self._scores[key]

    def equilibrium(self) -> Equilibrium:
        """Returns the equilibrium between all defenders and all learned attackers so far."""
        payoffs = numpy.array([[self.score(blue, red)[0] for red in self.reds] for blue in self.blues])
        return equilibrium(payoffs, self.blues, self.reds)

    def _drawn(
        self, how: str, names: Sequence[str], side: Callable[[Equilibrium], Mapping[str, float]]
    ) -> Mapping[str, float]:
        if how == "newest" or len(names) == 1:
            return {names[-1]: 1.0}
        return uniform(names) if how == "uniform" else side(self.equilibrium())

    def _paths(self, shares: Mapping[str, float]) -> str:
        if len(shares) == 1:
            return str(self.runs[next(iter(shares))])
        return mixture_text({str(self.runs[name]): share for name, share in shares.items()})

    def _rules(self, env: str) -> dict[str, str]:
        return {f"env.{env}.release": self.arguments.release}

    def _train_red(
        self, name: str, blues: Mapping[str, float], episodes: int, seed: int, place: str | None = None
    ) -> None:
        settings = {
            **self._rules("cage2_red"),
            "env.cage2_red.blue": self._paths(blues),
            "env.cage2_red.blue_greedy": "true",  # as blue is evaluated
        }
        self._train(name, self.arguments.red_config, episodes, settings, seed, place)

    def _train(
        self,
        name: str,
        config: str,
        episodes: int,
        settings: Mapping[str, str],
        seed: int | None = None,
        place: str | None = None,
    ) -> None:
        """Trains or resumes a run; does nothing if it came to its end."""
        folder = self.runs[name] = self.folder / (place or name)
        if (folder / "trained").exists():
            return
        words = ["--runner", self.arguments.runner]
        resumes = (folder / "config.yaml").exists()
        if resumes:
            words += ["--resume", str(folder)]
        else:
            words += ["--config", config, "--episodes", str(episodes), "--run-dir", str(folder)]
            words += ["--seed", str(self.arguments.seed if seed is None else seed)]
            for path, value in settings.items():
                words += ["--set", f'{path}="{value}"' if value == "" or "," in value else f"{path}={value}"]
        print(f"{name}: {'resuming' if resumes else 'training'}", flush=True)
        log = self.folder / f"{folder.name}.log"
        code = run_logged([places.program("train"), *words], log)
        if code != 0:
            told = error_of(log.read_text(errors="replace"))
            raise Error(f"{name}: {told or f'train ended with status {code}; see {log}'}")
        (folder / "trained").touch()
        if result := RunFolder(folder).final_evaluation():
            print(f"{name}: evaluation {fixed(result['eval/return_mean'], 1)}", flush=True)


def read_scores(file: pathlib.Path) -> dict[str, list[float]]:
    """Returns what earlier commands measured: numbers by pair."""
    try:
        scores = json.loads(file.read_text()) if file.exists() else {}
        return {str(pair): [float(number) for number in numbers] for pair, numbers in scores.items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise Error(f"{file} is damaged: remove it, and all pairs are played again") from None


def run_logged(command: Sequence[str], log: pathlib.Path) -> int:
    """Runs a program and returns its exit code. A signal is passed on, and the program ends as it sees fit."""
    with open(log, "a") as out:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment(), start_new_session=True
        )
    try:
        return process.wait()
    except Interrupted as interruption:
        process.send_signal(interruption.number)
        process.wait()
        raise


def newest_checkpoint(folder: pathlib.Path) -> pathlib.Path:
    found = sorted((folder / "checkpoints").glob("epoch_*.ckpt"))
    if not found:
        raise Error(f"{folder}: no checkpoint; give the folder of a finished run")
    return found[-1]


def rows_of(league: League) -> tuple[list[str], list[list[str]]]:
    """Returns headings and rows of the table of payoffs."""
    reds = [*SCRIPTED, *league.reds, *league.fresh]
    rows = []
    for blue in league.blues:
        met = [red for red in reds if red not in league.fresh or blue == league.blues[-1]]
        cells = {red: league.score(blue, red) for red in met}
        texts = [f"{fixed(cells[red][0], 1)} ± {cells[red][1]:.1f}" if red in cells else "" for red in reds]
        rows.append([spaced(blue), *texts])
    return ["", *(SCRIPTED.get(red, spaced(red)) for red in reds)], rows


def spaced(name: str) -> str:
    """Returns red12 as red 12."""
    return name.rstrip("0123456789") + " " + name.lstrip("abcdefghijklmnopqrstuvwxyz")


def write_results(league: League) -> None:
    """Prints the table, and writes it and the page into the folder."""
    arguments, last = league.arguments, league.blues[-1]
    headings, rows = rows_of(league)
    game = league.equilibrium()
    worst, name = min((league.score(last, red)[0], red) for red in [*league.reds, *league.fresh])
    total = league.total(last)
    notes = [
        f"What a defender gets in an episode, mean of {arguments.episodes:,} and 95 % interval; {arguments.release} rules. "
        f"Each attacker had {arguments.red_episodes:,} episodes, each defender {arguments.blue_episodes:,}"
        + (f", each fresh attacker {arguments.fresh_episodes:,}." if league.fresh else "."),
        f"Equilibrium of the attackers and defenders of the rounds: {shares_text(game.blues)} against {shares_text(game.reds)}, "
        f"worth {fixed(game.value, 1)}.",
        f"{spaced(last).capitalize()} loses most to {spaced(name)}: {fixed(worst, 1)}. Its total over the challenge's nine scores: "
        f"{fixed(total, 2)}.",
    ]
    lines = ["| " + " | ".join(headings) + " |", "| --- |" + " ---: |" * (len(headings) - 1)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    text = "\n".join([*lines, "", *notes]) + "\n"
    (league.folder / "table.md").write_text(text)
    cards = Cards(
        [
            ("Worst attacker", fixed(worst, 1), f"{spaced(name)} against {spaced(last)}"),
            ("Challenge", fixed(total, 2), f"total of {spaced(last)}; published winner −54.57"),
            ("Equilibrium", fixed(game.value, 1), counted(len(game.reds), "attacker")),
        ]
    )
    parts: list[Part] = [
        cards,
        Section("Payoffs", [Table(headings, rows)], notes[0]),
        Section("Equilibrium", [equilibrium_table(game)]),
    ]
    page = league.folder / "league.html"
    page.write_text(page_text("League", [Tab("League", parts)]))
    print(f"\n{text}\n{page}")


def equilibrium_table(game: Equilibrium) -> Table:
    sides = [(name, share) for side in (game.blues, game.reds) for name, share in side.items()]
    return Table(["", "share of the episodes"], [[spaced(name), percent(share)] for name, share in sides])


def shares_text(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{percent(share)} {spaced(name)}" for name, share in shares.items())


def play(league: League) -> None:
    league.first_blue()
    for number in range(1, league.arguments.rounds + 1):
        league.train_red(number)
        league.train_blue(number)
    for number in range(1, league.arguments.fresh + 1):
        league.train_fresh(number)
    write_results(league)


def main(words: Sequence[str] | None = None) -> None:
    arguments = parse_arguments(words, __doc__)
    raise_interruptions()
    try:
        play(League(arguments))
    except (Error, OSError) as error:
        fail(error)
    except Interrupted as interruption:
        print(f"dray: interrupted by {interruption}; the same command resumes", file=sys.stderr)
        sys.exit(interruption.exit_code)


if __name__ == "__main__":
    main()
