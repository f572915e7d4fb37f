"""Delivery runs that were evaluated on the same days, compared day by day."""

import itertools
from collections.abc import Sequence
from typing import Any

from dray.report.pairs_table import pairs_table
from dray.report.parts import Section
from dray.report.run_folder import RunFolder
from dray.report.run_statistics import paired


def learned_days(run: RunFolder) -> tuple[tuple[Any, ...], dict[int, float]] | None:
    """Returns (which days were played, objective of the learned policy by day) of the run's first comparison; None
    without one.
    """
    for evaluation in run.evaluations:
        days = evaluation["days"].get("learned")
        if days:
            return (evaluation.get("seed"), evaluation.get("held_out_riders"), tuple(sorted(days))), days
    return None


def day_differences(runs: Sequence[RunFolder], labels: Sequence[str]) -> Section | None:
    """Compares runs that were evaluated on the same days; None if no two were."""
    played = {label: found for label, run in zip(labels, runs) if (found := learned_days(run))}
    pairs = []
    for one, other in itertools.combinations(played, 2):
        (same, days), (as_here, other_days) = played[one], played[other]
        if same == as_here:
            pairs.append(
                (one, other, paired([days[day] for day in sorted(days)], [other_days[day] for day in sorted(days)]))
            )
    if not pairs:
        return None
    intro = (
        "Objective (cost plus the price of shifts or lost customers; lower is better) of the learned policies "
        "on the same days, as evaluate computes it: paired t test over days, two-sided. It compares these "
        "policies, not their configurations."
    )
    return Section("Do they differ on the same days?", [pairs_table(pairs, "runs", "difference of objective")], intro)
