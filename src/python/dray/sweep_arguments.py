"""The command line of `dray sweep`."""

import argparse
import pathlib
import re
from collections.abc import Sequence


def choices(text: str) -> tuple[str, list[str]]:
    path, equals, values = text.partition("=")
    if not equals or not path or not all(values.split(",")):
        raise argparse.ArgumentTypeError(f"{text!r}: expected SETTING=VALUE,VALUE,...")
    return path, values.split(",")


def span(text: str) -> tuple[str, tuple[float, float]]:
    found = re.fullmatch(r"([\w.]+)=([^.]\S*?)\.\.(\S+)", text)
    try:
        if not found:
            raise ValueError
        path, least, most = found[1], float(found[2]), float(found[3])
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected SETTING=LEAST..MOST") from None
    if not 0 < least < most:
        raise argparse.ArgumentTypeError(f"{text!r}: expected 0 < LEAST < MOST")
    return path, (least, most)


def parse_arguments(words: Sequence[str] | None, description: str | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="dray sweep", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", required=True, help="train's --config")
    parser.add_argument(
        "--grid",
        type=choices,
        action="append",
        default=[],
        metavar="SETTING=V,V,...",
        help="values to try; may be repeated",
    )
    parser.add_argument(
        "--range",
        type=span,
        action="append",
        default=[],
        metavar="SETTING=A..B",
        help="numbers to try, with --random or --search; may be repeated",
    )
    parser.add_argument("--random", type=int, metavar="N", help="draw N points instead of trying all")
    parser.add_argument("--search", choices=["bayes"], help="choose --trials points, each by the results so far")
    parser.add_argument("--trials", type=int, metavar="N", help="number of points of --search")
    parser.add_argument("--draw-seed", type=int, default=1, help="seed of --random and --search [1]")
    parser.add_argument(
        "--halving",
        action="store_true",
        help="train all points for 1/9 of their length, the best third on to 1/3 and the best third of these to the end",
    )
    parser.add_argument("--seeds", type=int, default=1, help="trainings of each point [1]")
    parser.add_argument("--parallel", type=int, default=1, help="trainings at a time [1]")
    parser.add_argument(
        "--dir", type=pathlib.Path, default=pathlib.Path("runs/sweep"), help="folder of the runs [runs/sweep]"
    )
    parser.add_argument("train", nargs="*", metavar="-- FLAGS", help="flags of every train")
    arguments = parser.parse_args(words)
    if (arguments.search is None) != (arguments.trials is None):
        parser.error("--search and --trials go together: --search bayes --trials N")
    if arguments.search and arguments.random is not None:
        parser.error("--random and --search exclude each other")
    if arguments.range and arguments.random is None and not arguments.search:
        parser.error("--range needs --random N or --search bayes")
    if not arguments.grid and not arguments.range:
        parser.error("nothing to try: give --grid, or --range with --random or --search")
    paths = [path for path, _ in arguments.grid + arguments.range]
    if repeated := next((path for path in paths if paths.count(path) > 1), None):
        parser.error(f"{repeated} is given twice: name all of its values in one --grid or --range")
    if "train.seed" in paths or any(re.match(r"--seed(=|$)|(--set=)?train\.seed=", word) for word in arguments.train):
        parser.error("a sweep chooses the seeds itself: --seeds N trains each point with 1 to N")
    numbers = (arguments.seeds, arguments.parallel, arguments.random, arguments.trials)
    if min(1 if number is None else number for number in numbers) < 1:
        parser.error("--seeds, --parallel, --random and --trials are at least 1")
    if arguments.draw_seed < 0:
        parser.error("--draw-seed is at least 0")
    return arguments
