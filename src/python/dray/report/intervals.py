"""Intervals between a run's reports, long enough for rates."""

import dataclasses
import statistics
from collections.abc import Sequence

from dray.report.run_folder import Report

SHORT = 0.5  # of the median: shorter intervals are joined, as their rates are noise


@dataclasses.dataclass
class Interval:
    """The time that some consecutive reports cover."""

    start_s: float
    end_s: float
    steps: float
    reports: list[tuple[float, Report]]  # with the seconds that each covers

    @property
    def seconds(self) -> float:
        return self.end_s - self.start_s

    def extend(self, other: "Interval") -> None:
        """Adds the interval that follows."""
        self.end_s = other.end_s
        self.steps += other.steps
        self.reports += other.reports

    def sum(self, metric: str) -> float:
        return sum(report.get(metric) or 0.0 for _, report in self.reports)

    def mean(self, metric: str) -> float | None:
        """Returns the mean over time; None if no report has the metric."""
        found = [(seconds, report[metric]) for seconds, report in self.reports if report.get(metric) is not None]
        whole = sum(seconds for seconds, _ in found)
        return sum(seconds * value for seconds, value in found) / whole if whole > 0 else None


def intervals_of(reports: Sequence[Report], most: int) -> list[Interval]:
    """Returns at most so many intervals, which cover the whole run. The last report of a run may cover a fraction of a
    second: its numbers count by its share of the interval.
    """
    single: list[Interval] = []
    end_s, steps = 0.0, 0.0
    for report in reports:
        if report.get("time/elapsed_s") is None:
            continue
        start_s, end_s = end_s, max(end_s, report["time/elapsed_s"])
        single.append(Interval(start_s, end_s, report["total_steps"] - steps, [(end_s - start_s, report)]))
        steps = report["total_steps"]
    if not single:
        return []
    least_s = max(SHORT * statistics.median(interval.seconds for interval in single), end_s / most)
    joined = [single[0]]
    for interval in single[1:]:
        if joined[-1].seconds < least_s:
            joined[-1].extend(interval)
        else:
            joined.append(interval)
    if len(joined) > 1 and joined[-1].seconds < least_s:
        joined[-2].extend(joined.pop())
    return joined
