"""The page that compares several runs of a task."""

import itertools
from collections.abc import Mapping, Sequence

from dray.error import Error
from dray.report import curves
from dray.report.comparison_curves import curves_section
from dray.report.curves import GREY, NAMES, axis
from dray.report.final_evaluation import RETURN, Measure, measure_of, return_of
from dray.report.number_text import NOTHING, alike, counted, decimals_of, estimate, fixed, number, p_value
from dray.report.pairs_table import pairs_table
from dray.report.parts import Cards, Figure, Part, Section, Tab, Table, Text, made
from dray.report.run_folder import RunFolder
from dray.report.run_statistics import Sample, welch
from dray.report.settings_groups import groups_of, labels_of
from dray.report.task_parts import task_parts, yardstick_of

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
    measure = measure_of(runs)
    notes: list[str] = []
    results = made(notes, result_cards, runs, labels, measure)
    found = made(notes, evaluation_section, runs, labels, groups, measure)
    differences = [
        made(notes, configuration_differences, runs, groups, measure),
        made(notes, policy_differences, runs, labels, measure),
        *(made(notes, compare, runs, labels) for parts in task_parts() for compare in parts.comparisons),
    ]
    learned = made(notes, curves_section, runs, labels, colours_of(groups), measure)
    seeds = {run.setting("train.seed") for run in runs}
    overview: list[Part | None] = [
        results,
        Cards(
            [
                ("Runs", number(len(runs)), tasks.pop()),
                ("Configurations", number(len(groups)), "ignoring seed and run folder"),
                (
                    "Seeds",
                    number(len(seeds)),
                    f"at least {counted(min(map(len, groups.values())), 'run')} per configuration",
                ),
            ]
        ),
    ]
    overview += [Text(f"{run.path}: {note}", note=True) for run in runs for note in run.notes]
    overview += [Text(note, note=True) for note in [*left_out, *notes, *episodes_note(runs)]]
    tabs: dict[str, list[Part | None]] = {
        "Overview": [*overview, found],
        "Differences": [*differences],
        "Learning": [learned],
    }
    shown = [Tab(title, [part for part in parts if part]) for title, parts in tabs.items()]
    return f"{runs[0].task}: {counted(len(runs), 'run')} compared", [tab for tab in shown if tab.parts]


def result_cards(runs: Sequence[RunFolder], labels: Sequence[str], measure: Measure) -> Cards | None:
    """Returns the final evaluations of two runs and their difference; of more runs, the figure below shows more."""
    found = [(measure.card(run), measure.sample(run)) for run in runs]
    cards = [(f"{label}: {card[0].lower()}", *card[1:]) for label, (card, _) in zip(labels, found) if card]
    samples = [sample for _, sample in found if sample]
    if len(runs) != 2 or len(cards) < 2 or len(samples) < 2:
        return None
    difference = welch(*samples)
    value = estimate(difference.mean, difference.ci95, sign=True)
    return Cards(
        [*cards, (f"{labels[0]} − {labels[1]}", value, f"{measure.unit}; Welch's t test, p = {p_value(difference.p)}")]
    )


def episodes_note(runs: Sequence[RunFolder]) -> list[str]:
    """Returns a note if the final evaluations played different numbers of episodes."""
    counts = {
        int(report["eval/episodes"])
        for run in runs
        if (report := run.final_evaluation()) and report.get("eval/episodes")
    }
    if len(counts) < 2:
        return []
    *others, most = map(number, sorted(counts))
    return [
        f"Final evaluations played different numbers of episodes ({', '.join(others)} and {most}), "
        "so not the same ones."
    ]


def colours_of(groups: Mapping[str, Sequence[int]]) -> dict[int, str]:
    return {index: curves.colour(place) for place, members in enumerate(groups.values()) for index in members}


def evaluation_section(
    runs: Sequence[RunFolder], labels: Sequence[str], groups: Mapping[str, Sequence[int]], measure: Measure
) -> Section:
    name_of = {index: name for name, members in groups.items() for index in members}
    returns = [return_of(run) for run in runs]
    columns: dict[str, Sequence[str]] = {
        "run": labels,
        "configuration": [name_of[index] for index in range(len(runs))],
        "seed": [run.setting("train.seed", NOTHING) for run in runs],
    }
    if measure is not RETURN:
        gains = [measure.sample(run) for run in runs]
        columns[f"gain ({measure.unit})"] = means_of(gains)
        columns[f"gain of {yardstick_of(runs[0]).rival}"] = [
            fixed(run.last("eval/rival_gain"), decimals_of(gain.ci95)) if gain else "" for run, gain in zip(runs, gains)
        ]
    columns |= {
        "return": means_of(returns),
        "standard deviation": [fixed(sample.std, 2) if sample else "" for sample in returns],
        "episodes": [number(sample.count) if sample else "" for sample in returns],
        "training return": alike([run.last("episode/return_mean") for run in runs]),
        "steps": [number(run.last("total_steps")) for run in runs],
    }
    reading = (
        f"{measure.meaning} with its 95 % interval over episodes (Student's t). It describes the policy that "
        "the run ended with. Training return: mean of the last 100 training episodes."
    )
    found = {index: sample for index, run in enumerate(runs) if (sample := measure.sample(run))}
    parts: list[Part] = [Table(list(columns), list(zip(*columns.values())), reading, texts=(1,))]
    if len(found) > 1:
        parts.insert(0, evaluation_figure(labels, groups, found, measure))
    return Section("Final evaluation", parts)


def means_of(samples: Sequence[Sample | None]) -> list[str]:
    return [estimate(sample.mean, sample.ci95) if sample else "no evaluation" for sample in samples]


def evaluation_figure(
    labels: Sequence[str], groups: Mapping[str, Sequence[int]], found: Mapping[int, Sample], measure: Measure
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
        "xaxis": axis(measure.axis),
        "yaxis": {**NAMES, "autorange": "reversed"},
        "showlegend": False,
    }
    reading = f"{measure.meaning} with its 95 % interval over episodes; higher is better. One colour per configuration."
    return Figure(measure.title, reading, [trace], layout, height=100 + 28 * len(found))


def configuration_differences(
    runs: Sequence[RunFolder], groups: Mapping[str, Sequence[int]], measure: Measure
) -> Section | None:
    """Compares configurations over seeds."""
    if len(groups) < 2:
        return None
    means = {}
    for name, members in groups.items():
        if values := [sample.mean for index in members if (sample := measure.sample(runs[index]))]:
            means[name] = Sample.of(values)
    if len(means) < 2:
        return None
    rows = [
        [name, number(sample.count), estimate(sample.mean, sample.ci95), fixed(sample.std, 2)]
        for name, sample in means.items()
    ]
    parts: list[Part] = [
        Table(
            ["configuration", "seeds", f"mean {measure.name} ({measure.unit})", "standard deviation between seeds"],
            rows,
            "± is the 95 % interval over seeds (Student's t).",
        )
    ]
    if max(sample.count for sample in means.values()) < 2:
        parts.append(
            Text(
                "One seed each: this says nothing about the configurations, only about these policies (below). "
                "Train more seeds.",
                note=True,
            )
        )
        return Section("Do the configurations differ?", parts)
    fewest = min(sample.count for sample in means.values())
    parts.append(
        pairs_table(
            [(one, other, welch(means[one], means[other])) for one, other in itertools.combinations(means, 2)],
            "configurations",
            measure.difference,
        )
    )
    if fewest < 5:
        remark = (
            "one seed gives no interval"
            if fewest == 1
            else "only large differences can be detected, and the intervals assume that results are roughly normal"
        )
        parts.append(Text(f"Few seeds (as few as {fewest} per configuration): {remark}.", note=True))
    intro = "Each run's final evaluation counts as one value. Welch's t test of the means over seeds, two-sided."
    return Section("Do the configurations differ?", parts, intro)


def policy_differences(runs: Sequence[RunFolder], labels: Sequence[str], measure: Measure) -> Section | None:
    """Compares the final policies of these runs over episodes."""
    found = {label: sample for label, run in zip(labels, runs) if (sample := measure.sample(run))}
    if len(found) < 2:
        return None
    pairs = list(itertools.combinations(found, 2))
    intro = (
        f"Welch's t test of the {measure.name} over the episodes of the final evaluations, two-sided. It tells "
        "whether these trained policies differ, but nothing about the configurations: another seed would have given "
        "another policy. It treats evaluations as independent, even if they played the same episodes, and so may miss "
        "small differences."
    )
    if len(found) > MOST_RUNS_IN_PAIRS:
        first = next(iter(found))
        pairs = [(other, first) for other in found if other != first]
        intro += f" With more than {MOST_RUNS_IN_PAIRS} runs, each is compared with {first}, the first one named."
    tested = [(one, other, welch(found[one], found[other])) for one, other in pairs]
    return Section("Do these policies differ?", [pairs_table(tested, "runs", measure.difference)], intro)
