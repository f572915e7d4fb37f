"""The page that compares several runs of a task."""

import itertools
from collections.abc import Mapping, Sequence

from dray.error import Error
from dray.report import curves
from dray.report.curves import GREY, NAMES, axis, line
from dray.report.learning import evaluation_dots
from dray.report.number_text import NOTHING, counted, estimate, fixed, number
from dray.report.pairs_table import pairs_table
from dray.report.parts import Cards, Figure, Part, Section, Tab, Table, Text, made
from dray.report.run_folder import RunFolder
from dray.report.run_statistics import Sample, welch
from dray.report.settings_groups import groups_of, labels_of
from dray.report.task_parts import task_parts

MOST_RUNS_IN_PAIRS = 8


def comparison_page(runs: Sequence[RunFolder], left_out: Sequence[str] = ()) -> tuple[str, list[Tab]]:
    """Returns the title and the tabs. `left_out` has a line for each run that cannot be read."""
    for run in runs:
        if run.search:
            raise Error(
                f"{run.path} is a search, not a run: --compare takes runs; a search has a page of its own (--run-dir)"
            )
    tasks = {run.task for run in runs}
    if len(tasks) > 1:
        raise Error(
            f"these runs are of different tasks ({', '.join(sorted(tasks))}): returns of different tasks cannot be compared"
        )
    labels, groups = labels_of(runs), groups_of(runs)
    notes: list[str] = []
    found = made(notes, evaluation_section, runs, labels, groups)
    differences = [
        made(notes, configuration_differences, runs, groups),
        made(notes, policy_differences, runs, labels),
        *(made(notes, compare, runs, labels) for parts in task_parts() for compare in parts.comparisons),
    ]
    learned = made(notes, curves_section, runs, labels, groups)
    seeds = {run.setting("train.seed") for run in runs}
    overview: list[Part | None] = [
        Cards(
            [
                ("Runs", number(len(runs)), tasks.pop()),
                ("Configurations", number(len(groups)), "seed and run folder apart"),
                (
                    "Seeds",
                    number(len(seeds)),
                    f"at least {counted(min(map(len, groups.values())), 'run')} of each configuration",
                ),
            ]
        )
    ]
    overview += [Text(f"{run.path}: {note}", note=True) for run in runs for note in run.notes]
    overview += [Text(note, note=True) for note in [*left_out, *notes]]
    tabs: dict[str, list[Part | None]] = {
        "Overview": [*overview, found],
        "Differences": [*differences],
        "Learning": [learned],
    }
    shown = [Tab(title, [part for part in parts if part]) for title, parts in tabs.items()]
    return f"{runs[0].task}: {counted(len(runs), 'run')} compared", [tab for tab in shown if tab.parts]


def evaluated(run: RunFolder) -> Sample | None:
    """Returns the final evaluation's returns; None without an evaluation."""
    report = run.final_evaluation()
    if not report or report.get("eval/return_std") is None or not report.get("eval/episodes"):
        return None
    return Sample(report["eval/return_mean"], report["eval/return_std"], int(report["eval/episodes"]))


def colours_of(groups: Mapping[str, Sequence[int]]) -> dict[int, str]:
    return {index: curves.colour(place) for place, members in enumerate(groups.values()) for index in members}


def evaluation_section(
    runs: Sequence[RunFolder], labels: Sequence[str], groups: Mapping[str, Sequence[int]]
) -> Section:
    name_of = {index: name for name, members in groups.items() for index in members}
    rows = []
    for index, run in enumerate(runs):
        sample = evaluated(run)
        rows.append(
            [
                labels[index],
                name_of[index],
                run.setting("train.seed", NOTHING),
                estimate(sample.mean, sample.ci95) if sample else "no evaluation",
                fixed(sample.std, 2) if sample else "",
                number(sample.count) if sample else "",
                number(run.last("episode/return_mean")),
                number(run.last("total_steps")),
            ]
        )
    headings = [
        "run",
        "configuration",
        "seed",
        "final evaluation",
        "standard deviation",
        "episodes",
        "training return",
        "steps",
    ]
    reading = "Final evaluation: mean return with its 95 % interval over episodes (Student's t). It holds for the policy that this one run ended with."
    found = {index: sample for index, run in enumerate(runs) if (sample := evaluated(run))}
    parts: list[Part] = [Table(headings, rows, reading, texts=(1,))]
    if len(found) > 1:
        parts.insert(0, evaluation_figure(labels, groups, found))
    return Section("Final evaluation", parts)


def evaluation_figure(
    labels: Sequence[str], groups: Mapping[str, Sequence[int]], found: Mapping[int, Sample]
) -> Figure:
    colours = colours_of(groups)
    samples = found.values()
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": [sample.mean for sample in samples],
        "y": [labels[index] for index in found],
        "error_x": {"array": [sample.ci95 for sample in samples], "color": GREY, "thickness": 1.5},
        "marker": {"color": [colours[index] for index in found], "size": 10},
    }
    layout = {
        "xaxis": axis("return of the final evaluation (reward)"),
        "yaxis": {**NAMES, "autorange": "reversed"},
        "showlegend": False,
    }
    return Figure(
        "Final evaluation",
        "Mean return with its 95 % interval over episodes; higher is better. A colour for each configuration.",
        [trace],
        layout,
        height=100 + 28 * len(found),
    )


def configuration_differences(runs: Sequence[RunFolder], groups: Mapping[str, Sequence[int]]) -> Section | None:
    """Compares configurations over seeds."""
    if len(groups) < 2:
        return None
    means = {}
    for name, members in groups.items():
        if values := [sample.mean for index in members if (sample := evaluated(runs[index]))]:
            means[name] = Sample.of(values)
    if len(means) < 2:
        return None
    rows = [
        [name, number(sample.count), estimate(sample.mean, sample.ci95), fixed(sample.std, 2)]
        for name, sample in means.items()
    ]
    parts: list[Part] = [
        Table(
            ["configuration", "seeds", "mean of final evaluations", "standard deviation between seeds"],
            rows,
            "± is the 95 % interval over seeds (Student's t).",
        )
    ]
    if max(sample.count for sample in means.values()) < 2:
        parts.append(
            Text(
                "One seed of each: nothing can be said about the configurations, only about these policies (below). Train more seeds.",
                note=True,
            )
        )
        return Section("Do the configurations differ?", parts)
    fewest = min(sample.count for sample in means.values())
    parts.append(
        pairs_table(
            [(one, other, welch(means[one], means[other])) for one, other in itertools.combinations(means, 2)],
            "configurations",
        )
    )
    if fewest < 5:
        remark = (
            "one seed gives no interval"
            if fewest == 1
            else "only large differences can be seen, and the intervals lean on returns that are about normal"
        )
        parts.append(Text(f"Few seeds (as few as {fewest} of a configuration): {remark}.", note=True))
    intro = "Each run's final evaluation is one value: Welch's t test of the means over seeds, unequal variances, two-sided."
    return Section("Do the configurations differ?", parts, intro)


def policy_differences(runs: Sequence[RunFolder], labels: Sequence[str]) -> Section | None:
    """Compares the final policies of these runs over episodes."""
    found = {label: sample for label, run in zip(labels, runs) if (sample := evaluated(run))}
    if len(found) < 2:
        return None
    pairs = list(itertools.combinations(found, 2))
    intro = (
        "Welch's t test over the episodes of the final evaluations, two-sided. It says whether these trained policies differ, and nothing about the "
        "configurations: another seed would have given another policy. Evaluations with the same seed play the same episodes, which the test makes no use "
        "of: small differences may go unseen."
    )
    if len(found) > MOST_RUNS_IN_PAIRS:
        first = next(iter(found))
        pairs = [(other, first) for other in found if other != first]
        intro += f" More than {MOST_RUNS_IN_PAIRS} runs: each is compared with {first}, the one that was named first."
    return Section(
        "Do these policies differ?",
        [pairs_table([(one, other, welch(found[one], found[other])) for one, other in pairs], "runs")],
        intro,
    )


def curves_section(
    runs: Sequence[RunFolder], labels: Sequence[str], groups: Mapping[str, Sequence[int]]
) -> Section | None:
    colours = colours_of(groups)
    figures = []
    time_axis, scale = curves.clock(max(run.last("time/elapsed_s") or 0 for run in runs))
    for title, over, x_axis in (
        ("Return over steps", "total_steps", curves.STEPS),
        ("Return over time", "at", time_axis),
    ):
        traces = []
        for index, run in enumerate(runs):
            reports = [
                {**report, "at": (report.get("time/elapsed_s") or 0) / scale} for report in curves.thinned(run.reports)
            ]
            if curves.has(reports, "episode/return_mean"):
                traces.append(
                    line(
                        reports,
                        "episode/return_mean",
                        labels[index],
                        colours[index],
                        over=over,
                        legendgroup=labels[index],
                        opacity=0.85,
                    )
                )
            if over == "total_steps" and curves.has(run.reports, "eval/return_mean"):
                traces.append(
                    {
                        **evaluation_dots(run.reports, f"{labels[index]}, evaluation", colours[index]),
                        "legendgroup": labels[index],
                        "showlegend": False,
                    }
                )
        if traces:
            reading = "Lines: mean return of the last 100 training episodes; a colour for each configuration, a line for each run."
            reading += (
                " Dots: evaluations with their 95 % intervals."
                if over == "total_steps"
                else " Fair only for runs on the same machine."
            )
            figures.append(curves.curve_figure(title, reading, traces, "return (reward)", x_axis, height=420))
    return Section("Learning curves", figures) if figures else None
