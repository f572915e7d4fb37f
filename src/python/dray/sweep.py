"""Trains over values of settings and over seeds, and compares the results.

    dray sweep --config cartpole --grid ppo.learning_rate=1e-4,3e-4 --grid ppo.clip=0.1,0.2 --seeds 3
    dray sweep --config cage2_bline --random 20 --range ppo.learning_rate=1e-4..1e-2 --grid network.activation=tanh,relu
    dray sweep --config own.yaml --search bayes --trials 24 --range ppo.learning_rate=1e-5..1e-1 --range ppo.clip=0.02..1
    dray sweep --config own.yaml --random 27 --halving --range ppo.learning_rate=1e-5..1e-1
    dray sweep --config cartpole --grid ppo.gamma=0.98,0.99 --parallel 4 --dir runs/gamma -- --epochs 100 --runner ray

Every point of the grid is trained with every seed. --random draws points: a value of each --grid, and from each --range a number,
evenly on a logarithmic scale. --search bayes chooses each point by the results so far (higher evaluations are better), as if those
still running had turned out as predicted; a failed training counts as the worst. --halving stops the worse two thirds of the trials
after a ninth and after a third of the training; the others resume. Learning rate schedules follow the length of each stage.

What follows -- goes to every `train`. The same command resumes a sweep: finished runs stay, interrupted ones are resumed. The table
has the mean and 95 % interval of the final evaluation over seeds; the page (comparison.html in the folder) has the curves.
"""

import argparse
import concurrent.futures
import json
import math
import random
import sys
from collections.abc import Callable, Sequence

from dray import places
from dray.error import Error, fail
from dray.fleet import Fleet, Interrupted, raise_interruptions
from dray.report.comparison_page import comparison_page
from dray.report.number_text import NOTHING, counted, estimate
from dray.report.page import page_text
from dray.report.run_statistics import Sample
from dray.report.sweep_parts import SweptTrial, sweep_tab
from dray.search_space import Point, SearchSpace
from dray.sweep_arguments import parse_arguments
from dray.sweep_record import SweepRecord
from dray.sweep_schedule import DIVISORS, Schedule, Search, Trial
from dray.sweep_training import Length, Training, common_settings, whole_length
from dray.text_table import text_table


def points_of(arguments: argparse.Namespace, space: SearchSpace) -> list[Point]:
    """Returns the points of a sweep without search, each once."""
    rng = random.Random(arguments.draw_seed)
    points = space.all_points() if arguments.random is None else [space.draw(rng) for _ in range(arguments.random)]
    return [dict(point) for point in dict.fromkeys(tuple(point.items()) for point in points)]


def train_all(schedule: Schedule, arguments: argparse.Namespace, say: Callable[[str], object]) -> None:
    program, total, done = places.program("train"), arguments.seeds * sum(schedule.sizes()), schedule.already_done()
    say(f"{counted(total, 'training')}, {done} of them already done")
    fleet, jobs = Fleet(), schedule.jobs()
    with concurrent.futures.ThreadPoolExecutor(arguments.parallel) as pool:
        running: dict[concurrent.futures.Future[str], Training] = {}
        try:
            while True:
                while len(running) < arguments.parallel and (job := next(jobs, None)):
                    training, length = job
                    running[pool.submit(training.run, program, arguments, length, fleet)] = training
                    schedule.running.add(training)
                if not running:
                    break
                for future in concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED).done:
                    training, problem, done = running.pop(future), future.result(), done + 1
                    schedule.running.discard(training)
                    told = problem or (
                        "interrupted" if training.failed else f"evaluation {estimate(training.result, None)}"
                    )
                    say(f"{done}/{total} {training.folder.relative_to(arguments.dir)}: {told}")
        except Interrupted as interruption:
            say(f"ending {counted(sum(not future.done() for future in running), 'training')}")
            fleet.end(interruption.number)
            raise


def table(trials: Sequence[Trial], halving: bool) -> str:
    """Returns the table of results, best first; points that were trained less, and those without a result, come last."""
    rows = []
    for trial in trials:
        sample = Sample.of(trial.results) if trial.results else None
        length = [stage_name(trial.stage)] if halving else []
        evaluation = estimate(sample.mean, sample.ci95) if sample else NOTHING
        rows.append(
            (
                (trial.stage, sample.mean if sample else -math.inf),
                [*trial.point.values(), *length, str(len(trial.results)), evaluation],
            )
        )
    rows.sort(key=lambda row: row[0], reverse=True)
    headings = [*trials[0].point, *(["trained"] if halving else []), "seeds", "evaluation"]
    return text_table([headings, *(row for _, row in rows)])


def stage_name(stage: int) -> str:
    """Returns the share of the whole length that a stage of halving trains."""
    return "all" if DIVISORS[stage] == 1 else f"1/{DIVISORS[stage]}"


def make_schedule(arguments: argparse.Namespace, say: Callable[[str], object]) -> Schedule:
    space = SearchSpace(arguments.grid, arguments.range)
    search = Search(space, int(min(arguments.trials, space.size)), arguments.draw_seed) if arguments.search else None
    asked = {"config": arguments.config, "train": arguments.train, "halving": arguments.halving or None}
    asked["search"] = (
        json.loads(json.dumps([arguments.search, arguments.draw_seed, space.grid, space.ranges])) if search else None
    )
    asked["settings"] = common_settings(arguments, space.point([0.5] * len(space)))
    record = SweepRecord(arguments.dir, asked)
    if search and not all(point in space for point in record.points):
        raise record.damaged()
    if not search:
        points = points_of(arguments, space)
        if record.continued and points != record.points:
            raise Error(f"{arguments.dir} has a halved sweep of other points: choose another --dir")
        record.points = points
    lengths: list[Length | None] = [None]
    if arguments.halving:
        whole = whole_length(arguments)
        lengths = [whole.share(divisor) for divisor in DIVISORS]
    record.write()
    return Schedule(record, lambda point: Trial(point, arguments.seeds, arguments.dir), lengths, search, say)


def write_results(schedule: Schedule, arguments: argparse.Namespace) -> None:
    """Prints the table and writes it and the page into the sweep's folder."""
    told = table(schedule.trials, arguments.halving)
    (arguments.dir / "table.txt").write_text(told + "\n")
    print("\n" + told)
    done = [training.done for trial in schedule.trials for training in trial.trainings if training.done]
    if len(done) > 1:
        title, tabs = comparison_page(done)
        shown = [
            SweptTrial(trial.point, trial.results, stage_name(trial.stage) if arguments.halving else "")
            for trial in schedule.trials
        ]
        page = arguments.dir / "comparison.html"
        page.write_text(page_text(title, [*tabs[:1], sweep_tab(shown, in_order=not is_grid(arguments)), *tabs[1:]]))
        print(f"\n{page}")


def is_grid(arguments: argparse.Namespace) -> bool:
    return arguments.random is None and arguments.search is None


def main(words: Sequence[str] | None = None) -> None:
    arguments = parse_arguments(words, __doc__)
    raise_interruptions()

    def say(text: str) -> None:
        print(text, flush=True)

    try:
        schedule = make_schedule(arguments, say)
        train_all(schedule, arguments, say)
        write_results(schedule, arguments)
    except (Error, OSError) as error:
        fail(error)
    except Interrupted as interruption:
        print(f"dray: interrupted by {interruption}; the same command resumes", file=sys.stderr)
        sys.exit(interruption.exit_code)
    complete = [len(trial.results) == arguments.seeds for trial in schedule.trials]
    if not (any(complete) if arguments.search or arguments.halving else all(complete)):
        sys.exit(1)


if __name__ == "__main__":
    main()
