#!/usr/bin/env python3
"""Draws the README's picture from a run of the delivery task: a day's routes before and after, and the learning curve.

  train --config dvrptw_best --runner local --run-dir runs/hero --set env.dvrptw.report_no_shift=true \\
      --set evaluation.interval=10 --set evaluation.episodes=64
  evaluate --run-dir runs/hero --baselines myopic_believed --episodes 64 --out runs/hero/evaluation
  scripts/bench/hero.py --run-dir runs/hero

Before: every rider is served as requested (policy none). After: the learned policy has proposed shifts, and riders have accepted some. Both
days are priced by the judge. The default day is the one with the median saving. The curve shows played costs of days not used in training,
compared with the same days without shifts; the numbers next to it are judged. Needs numpy and matplotlib (scripts/setup.sh).
"""

import argparse
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PAPER, INK, FAINT, GRID = "#0f1a2b", "#e8edf4", "#8fa0b8", "#24344d"
ROUTES = ["#4cc9f0", "#f9c74f", "#f94144", "#90be6d", "#c77dff", "#f8961e", "#43aa8b", "#ff8fab", "#a0c4ff", "#d4e157"]


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run-dir", type=pathlib.Path, required=True)
    parser.add_argument("--evaluation", type=pathlib.Path, help="output folder of evaluate [RUN/evaluation]")
    parser.add_argument("--day", type=int, help="number of the evaluated day, from 1 [the one with the median saving]")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs" / "hero.png")
    arguments = parser.parse_args()
    arguments.evaluation = arguments.evaluation or arguments.run_dir / "evaluation"
    return arguments


def read_lines(path):
    if not path.is_file():
        raise SystemExit(f"error: {path}: no such file; --help shows the commands that create it")
    return [json.loads(line) for line in path.read_text().splitlines()]


def read_days(folder):
    """Returns the city, and the days by policy and number."""
    header, *days = read_lines(folder / "days.jsonl")
    found = {(day["policy"], day["day"]): day for day in days}
    if ("learned", 1) not in found:
        raise SystemExit(f"error: {folder / 'days.jsonl'} has no learned policy: evaluate with --run-dir")
    return header["city"], found


def median_day(days):
    numbers = [number for policy, number in days if policy == "learned"]

    def saving(number):
        return days["none", number]["objective_min"] - days["learned", number]["objective_min"]

    return sorted(numbers, key=saving)[len(numbers) // 2]


def read_curve(run):
    """Returns thousands of training steps, and the cost of a day relative to the same days without shifts."""
    curve = [
        (report["total_steps"] / 1000, report["eval/stat/objective_min"] - report["eval/stat/no_shift_cost_min"])
        for report in read_lines(run / "metrics.jsonl")
        if report.get("eval/stat/no_shift_cost_min") is not None
    ]
    if len(curve) < 3:
        raise SystemExit(
            f"error: {run} has {len(curve)} evaluations with a plan without shifts; the flags for that are in --help"
        )
    return curve


def places_on_a_map(city):
    """Returns coordinates whose distances approximate the travel times: classical scaling, longest axis first."""
    import numpy

    times = numpy.asarray(city["travel"], float).reshape(city["places"], city["places"])
    squared = ((times + times.T) / 2) ** 2
    centring = numpy.eye(len(times)) - 1 / len(times)
    values, vectors = numpy.linalg.eigh(-centring @ squared @ centring / 2)
    return vectors[:, [-1, -2]] * numpy.sqrt(numpy.maximum(values[[-1, -2]], 0))


def shifted_riders(before, after):
    return sum(any(before["stops"][stop] != after["stops"][stop] for stop in request) for request in before["requests"])


def draw_routes(axes, city, places, day):
    depot = places[city["depot"]]
    load = {stop: day["stops"][stop][4] for stop in range(len(day["stops"]))}
    by_length = sorted(day["routes"], key=len, reverse=True)
    for route, colour in zip(by_length, ROUTES * 3):
        visits = [depot, *(places[day["stops"][stop][0]] for stop in route), depot]
        axes.plot(*zip(*visits), color=colour, linewidth=1.7, alpha=0.9, solid_joinstyle="round", zorder=2)
        for stop in route:
            x, y = places[day["stops"][stop][0]]
            face = colour if load[stop] > 0 else PAPER
            axes.plot(x, y, "o", markersize=4.6, color=colour, markerfacecolor=face, markeredgewidth=1.3, zorder=3)
    axes.plot(*depot, marker="s", markersize=9, color=INK, markeredgecolor=PAPER, markeredgewidth=1.5, zorder=4)
    axes.set_aspect("equal")
    axes.axis("off")


def write_title(picture, x, title, words):
    picture.text(x, 0.87, title, color=INK, fontsize=13.5, fontweight="bold")
    picture.text(x, 0.815, words, color=FAINT, fontsize=10.5)


def draw_curve(axes, curve, greedy, judged):
    steps, gains = zip(*curve)
    axes.axhline(0, color=FAINT, linewidth=1)
    axes.annotate(
        "no shifts", (steps[-1], 0), xytext=(0, 4), textcoords="offset points", color=FAINT, fontsize=10, ha="right"
    )
    if greedy is not None:
        axes.axhline(greedy, color=ROUTES[1], linewidth=1.2, linestyle=(0, (4, 3)))
        axes.annotate(
            f"greedy rule {greedy:.0f}".replace("-", "−"),
            (steps[-1], greedy),
            xytext=(0, 4),
            textcoords="offset points",
            color=ROUTES[1],
            fontsize=10,
            ha="right",
        )
    axes.plot(steps, gains, "o-", color=ROUTES[0], linewidth=2.4, markersize=4, solid_capstyle="round")
    axes.annotate(
        f"learned {judged:.0f}".replace("-", "−"),
        (steps[-1], min(gains)),
        xytext=(0, -16),
        textcoords="offset points",
        color=ROUTES[0],
        fontsize=10.5,
        ha="right",
        fontweight="bold",
    )
    axes.set_ylim(min(*gains, judged) - 6, max(*gains, 0) + 3)
    axes.set_xlim(0, steps[-1] * 1.03)
    axes.set_xlabel("thousand decisions of training", color=FAINT, fontsize=10)
    axes.tick_params(colors=FAINT, labelsize=9.5, length=0)
    axes.grid(color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_facecolor(PAPER)


def draw(arguments, city, days, curve, scores):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import lines, patches, pyplot

    number = arguments.day or median_day(days)
    if ("learned", number) not in days:
        raise SystemExit(f"error: --day {number}: {arguments.evaluation} has {max(day for _, day in days)} days")
    before, after = days["none", number], days["learned", number]
    places = places_on_a_map(city)
    picture = pyplot.figure(figsize=(13, 4.75), dpi=130)
    picture.patch.set_alpha(0)
    picture.add_artist(
        patches.FancyBboxPatch(
            (0.012, 0.03),
            0.976,
            0.94,
            boxstyle="round,pad=0,rounding_size=0.02",
            transform=picture.transFigure,
            facecolor=PAPER,
            edgecolor="none",
            mutation_aspect=13 / 4.75,
            zorder=-1,
        )
    )

    def text(day):
        return f"{len(day['routes'])} vehicles, {day['objective_min']:,.0f} min"

    riders, shifted = len(before["requests"]), shifted_riders(before, after)
    for x, day in ((0.03, before), (0.35, after)):
        draw_routes(picture.add_axes((x, 0.11, 0.29, 0.67)), city, places, day)
    write_title(picture, 0.045, "Before: served as asked", f"{riders} riders, {text(before)}")
    write_title(
        picture, 0.365, f"After: {shifted} of {riders} riders shifted", f"the same day, {text(after)}, shifts paid for"
    )
    write_title(picture, 0.70, "Learning curve", "minutes per day against no shifts")
    for x, marker, face, word in (
        (0.05, "s", INK, "depot"),
        (0.12, "o", FAINT, "pickup"),
        (0.195, "o", PAPER, "dropoff"),
    ):
        picture.add_artist(lines.Line2D([x], [0.085], marker=marker, color=FAINT, markerfacecolor=face, markersize=6))
        picture.text(x + 0.011, 0.085, word, color=FAINT, fontsize=9.5, va="center")
    axes = picture.add_axes((0.70, 0.17, 0.265, 0.61))
    draw_curve(axes, curve, *scores)
    picture.savefig(arguments.out, transparent=True)
    return number


def main():
    arguments = parse_arguments()
    city, days = read_days(arguments.evaluation)
    policies = {
        policy["policy"]: policy["against_none"]["mean"]
        for policy in json.loads((arguments.evaluation / "evaluation.json").read_text())["policies"]
    }
    scores = policies.get("myopic_believed"), policies["learned"]
    number = draw(arguments, city, days, read_curve(arguments.run_dir), scores)
    print(f"hero: {arguments.out}, day {number}, {arguments.out.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    sys.exit(main())
