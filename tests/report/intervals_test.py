"""Rates over the intervals between reports. Argument: dray/report/__main__.py."""

import unittest

import run_folders

from dray.report.intervals import intervals_of
from dray.report.time_line import phase_seconds, speed_figures


def reports(count):
    """Reports of 100 steps in 2 s each."""
    return [run_folders.report(epoch) for epoch in range(1, count + 1)]


class IntervalsTest(unittest.TestCase):
    def test_a_short_last_report_does_not_distort_rates(self):
        last = run_folders.report(5, total_steps=400, time__elapsed_s=8.5, cpu__busy=0.4)
        intervals = intervals_of([*reports(4), last], 150)
        self.assertEqual([interval.end_s for interval in intervals], [2, 4, 6, 8.5])
        speed, busy = speed_figures(intervals)
        self.assertEqual(speed.traces[0]["y"][:3], [50, 50, 50])
        self.assertEqual(speed.traces[0]["y"][3], 40)  # 100 steps in 2.5 s
        self.assertAlmostEqual(busy.traces[0]["y"][3], (2 * 0.9 + 0.5 * 0.4) / 2.5)

    def test_what_no_phase_counts_is_other(self):
        first, second = map(phase_seconds, intervals_of([*reports(1), run_folders.report(2, time__evaluate_s=0.25)], 9))
        self.assertEqual((first["rollout"], first["learn"], first["other"]), (1, 0.5, 0.5))
        self.assertEqual((second["evaluate"], second["other"]), (0.25, 0.25))

    def test_many_reports_are_put_together_and_none_is_lost(self):
        intervals = intervals_of(reports(1000), 150)
        self.assertLessEqual(len(intervals), 150)
        self.assertGreater(len(intervals), 75)
        self.assertEqual(sum(phase_seconds(interval)["rollout"] for interval in intervals), 1000)
        self.assertEqual((intervals[0].start_s, intervals[-1].end_s), (0, 2000))
        self.assertEqual(sum(interval.steps for interval in intervals), 100_000)

    def test_a_metric_that_is_missing_has_no_mean(self):
        (interval,) = intervals_of(reports(1), 150)
        self.assertIsNone(interval.mean("gpu/busy"))
        self.assertEqual(interval.sum("gpu/busy"), 0)

    def test_reports_without_a_time_have_no_intervals(self):
        self.assertEqual(intervals_of([{"total_steps": 3}], 150), [])


if __name__ == "__main__":
    unittest.main()
