"""The command line of `dray league`."""

import argparse
import pathlib
from collections.abc import Sequence

DRAWS = ("newest", "uniform", "equilibrium")


def positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def share(text: str) -> float:
    number = float(text)
    if not 0 < number <= 1:
        raise argparse.ArgumentTypeError("must be above 0 and at most 1")
    return number


def parse_arguments(words: Sequence[str] | None, description: str | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dray league", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--blue", type=pathlib.Path, metavar="DIR", help="run of the first defender (without it, one is trained)")
    add("--config", default="cage2_mixture", help="config of the first defender [%(default)s]")
    add("--red-config", default="cage2_red", help="config of the attackers [%(default)s]")
    add("--rounds", type=positive, default=2, metavar="N", help="rounds of one attacker and one defender [%(default)s]")
    add("--red-episodes", type=positive, default=40_000, metavar="N", help="episodes of each attacker [%(default)s]")
    add("--blue-episodes", type=positive, default=100_000, metavar="N", help="episodes of each defender [%(default)s]")
    add("--reds", choices=DRAWS, default="uniform", help="the attackers that a defender meets [%(default)s]")
    add("--blues", choices=DRAWS, default="newest", help="the defenders that an attacker meets [%(default)s]")
    add("--share", type=share, default=0.5, help="share of a defender's episodes with learned attackers [%(default)s]")
    add("--from-scratch", action="store_true", help="train every defender from scratch, not from the one before")
    add("--fresh", type=int, default=0, metavar="N", help="new attackers trained against the last defender only [0]")
    add(
        "--fresh-episodes",
        type=positive,
        default=400_000,
        metavar="N",
        help="episodes of each attacker of --fresh, about five minutes [%(default)s]",
    )
    add("--episodes", type=positive, default=1000, metavar="N", help="episodes of each pair in the table [%(default)s]")
    add("--release", choices=("leaderboard", "head"), default="leaderboard", help="rules of the game [%(default)s]")
    add("--dir", type=pathlib.Path, default=pathlib.Path("runs/league"), help="folder of the league [%(default)s]")
    add("--seed", type=int, default=1, help="seed of all trainings [%(default)s]")
    add("--runner", choices=("auto", "local", "ray"), default="auto", help="runner of the trainings [%(default)s]")
    arguments = parser.parse_args(words)
    if arguments.fresh < 0:
        parser.error("--fresh: must not be negative")
    return arguments
