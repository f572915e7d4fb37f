"""Intervals and tests against numbers worked out by hand. Argument: dray/report/__main__.py."""

import math
import unittest

import run_folders  # noqa: F401 (finds the package)

from dray.report.run_statistics import Sample, holm, paired, t_cdf, t_quantile, welch


class StudentTest(unittest.TestCase):
    def test_one_degree_is_cauchys_distribution(self):
        for t in (-3.0, -1.0, 0.5, 1.0, 12.0):
            self.assertAlmostEqual(t_cdf(t, 1), 0.5 + math.atan(t) / math.pi, places=12)

    def test_two_degrees_have_a_closed_form(self):
        for t in (-2.0, 0.1, 1.0, 4.3):
            self.assertAlmostEqual(t_cdf(t, 2), 0.5 + t / (2 * math.sqrt(2 + t * t)), places=12)

    def test_quantiles_are_those_of_the_tables(self):
        for degrees, expected in ((1, 12.7062), (2, 4.3027), (4, 2.7764), (10, 2.2281), (30, 2.0423), (1e6, 1.9600)):
            self.assertAlmostEqual(t_quantile(0.975, degrees), expected, places=4)


class SampleTest(unittest.TestCase):
    def test_the_interval_of_three_values(self):
        # Mean 2, standard deviation 1: 4.3027 / sqrt(3).
        sample = Sample.of([1.0, 2.0, 3.0])
        self.assertEqual((sample.mean, sample.std, sample.count), (2.0, 1.0, 3))
        self.assertAlmostEqual(sample.ci95, 2.4841, places=4)

    def test_one_value_has_no_interval(self):
        self.assertTrue(math.isnan(Sample.of([5.0]).ci95))


class WelchTest(unittest.TestCase):
    def test_equal_spreads_and_counts(self):
        # Variances 1 and 1 of 2 values: error 1, (1/2 + 1/2)^2 / (1/4 + 1/4) = 2 degrees, t = 3:
        # p = 2 (1 - (1/2 + 3 / (2 sqrt 11))) = 1 - 3 / sqrt 11.
        found = welch(Sample(5.0, 1.0, 2), Sample(2.0, 1.0, 2))
        self.assertAlmostEqual(found.mean, 3.0)
        self.assertAlmostEqual(found.p, 1 - 3 / math.sqrt(11), places=12)
        self.assertAlmostEqual(found.ci95, 4.3027, places=4)

    def test_all_of_the_spread_on_one_side(self):
        # Only the second varies: its own 2 - 1 degree counts. Error 1, t = -1, Cauchy: p = 1/2.
        found = welch(Sample(1.0, 0.0, 9), Sample(2.0, math.sqrt(2), 2))
        self.assertAlmostEqual(found.p, 0.5, places=12)
        self.assertAlmostEqual(found.ci95, 12.7062, places=4)

    def test_no_spread_at_all(self):
        self.assertEqual(welch(Sample(1.0, 0.0, 5), Sample(1.0, 0.0, 5)).p, 1.0)
        self.assertEqual(welch(Sample(2.0, 0.0, 5), Sample(1.0, 0.0, 5)).p, 0.0)

    def test_one_value_cannot_be_tested(self):
        found = welch(Sample.of([5.0]), Sample.of([1.0, 2.0]))
        self.assertEqual(found.mean, 3.5)
        self.assertTrue(math.isnan(found.p) and math.isnan(found.ci95))


class PairedTest(unittest.TestCase):
    def test_differences_are_one_sample(self):
        # Differences 1, 2, 3: error 1 / sqrt 3, t = 2 sqrt 3, two degrees: p = 1 - sqrt(12 / 14).
        found = paired([11.0, 22.0, 33.0], [10.0, 20.0, 30.0])
        self.assertAlmostEqual(found.mean, 2.0)
        self.assertAlmostEqual(found.ci95, 2.4841, places=4)
        self.assertAlmostEqual(found.p, 1 - math.sqrt(12 / 14), places=12)

    def test_one_pair_cannot_be_tested(self):
        self.assertTrue(math.isnan(paired([2.0], [1.0]).p))


class HolmTest(unittest.TestCase):
    def test_the_smallest_is_multiplied_most_and_none_falls_below_one_before(self):
        # 0.01 x 3; 0.03 x 2; 0.04 x 1 is below 0.06.
        for found, expected in zip(holm([0.04, 0.01, 0.03]), (0.06, 0.03, 0.06)):
            self.assertAlmostEqual(found, expected)

    def test_it_stops_at_one_and_leaves_out_what_was_not_tested(self):
        found = holm([0.9, math.nan, 0.8])
        self.assertEqual((found[0], found[2]), (1.0, 1.0))
        self.assertTrue(math.isnan(found[1]))


if __name__ == "__main__":
    unittest.main()
