"""The final evaluation of a run: what its policy gains over the task's reference, and its return."""

import dataclasses
from collections.abc import Callable, Sequence

from dray.report.number_text import counted, decimals_of, estimate, fixed, number
from dray.report.run_folder import RunFolder
from dray.report.run_statistics import Sample
from dray.report.task_parts import Card, yardstick_of


def gain_card(run: RunFolder) -> Card | None:
    report = run.final_evaluation()
    if not report or report.get("eval/gain_mean") is None:
        return None
    yardstick, reference, ci95 = (
        yardstick_of(run),
        report.get("eval/reference_return") or 0,
        report.get("eval/gain_ci95"),
    )
    of = f" of {number(round(-reference))}" if reference < 0 else ""
    rival = fixed(report.get("eval/rival_gain"), decimals_of(ci95))
    remark = f"{yardstick.unit}{of}, against {yardstick.reference} on the same days; {yardstick.rival} {rival}"
    return ("Saves" if reference < 0 else "Gains", estimate(report["eval/gain_mean"], ci95), remark)


def return_card(run: RunFolder) -> Card | None:
    report = run.final_evaluation()
    if not report:
        return None
    remark = f"return, 95 % interval, {counted(report.get('eval/episodes') or 0, 'episode')}"
    if report is not run.reports[-1]:
        remark += f", at step {number(report.get('total_steps'))}"
    return ("Final evaluation", estimate(report["eval/return_mean"], report.get("eval/return_ci95")), remark)


def gain_of(run: RunFolder) -> Sample | None:
    """Returns what the final policy gains over the reference, episode by episode; None if that was not measured."""
    report = run.final_evaluation()
    if not report or report.get("eval/gain_mean") is None:
        return None
    return Sample.of_interval(report["eval/gain_mean"], report.get("eval/gain_ci95"), report.get("eval/episodes") or 1)


def return_of(run: RunFolder) -> Sample | None:
    """Returns the final evaluation's returns; None without an evaluation."""
    report = run.final_evaluation()
    if not report or report.get("eval/return_std") is None or not report.get("eval/episodes"):
        return None
    return Sample(report["eval/return_mean"], report["eval/return_std"], int(report["eval/episodes"]))


@dataclasses.dataclass(frozen=True)
class Measure:
    """What runs are compared by. Its functions return None for runs without an evaluation."""

    name: str  # "gain"
    title: str  # of a figure
    axis: str
    unit: str
    meaning: str
    sample: Callable[[RunFolder], Sample | None]
    card: Callable[[RunFolder], Card | None]

    @property
    def difference(self) -> str:
        return f"difference in {self.name} ({self.unit})"


RETURN = Measure(
    "return",
    "Final evaluation",
    "return of the final evaluation (reward)",
    "reward",
    "Mean return",
    return_of,
    return_card,
)


def measure_of(runs: Sequence[RunFolder]) -> Measure:
    """Returns the gain if every evaluation of these runs of a task has one, else the return."""
    evaluated = [run for run in runs if run.final_evaluation()]
    if not evaluated or not all(map(gain_of, evaluated)):
        return RETURN
    yardstick = yardstick_of(runs[0])
    return Measure(
        "gain",
        "What each policy gains",
        f"gain over {yardstick.reference} ({yardstick.unit})",
        yardstick.unit,
        f"Mean gain over {yardstick.reference} on the same episodes",
        gain_of,
        gain_card,
    )
