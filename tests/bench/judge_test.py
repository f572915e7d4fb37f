"""The arithmetic of the comparison of two judges, without PyVRP; argument 1 is scripts/bench/judge.py."""

import argparse
import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest

PATH = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("judge", PATH)
judge = importlib.util.module_from_spec(spec)
spec.loader.exec_module(judge)

CITY = {
    "places": 3,
    "depot": 0,
    "depot_window": [0, 1000],
    "capacity": 1,
    "free_vehicles": 1,
    "extra_vehicle_cost": 50,
    "ticks_per_unit": 10,
    "travel": [0, 10, 20, 10, 0, 10, 20, 10, 0],
}
STOPS = [[1, 0, 1000, 0, 1], [2, 0, 1000, 0, -1]]


def day(policy, number, stops=STOPS, cost_min=4.0, objective_min=5.0):
    requests = [[first, first + 1] for first in range(0, len(stops), 2)]
    return {
        "policy": policy,
        "day": number,
        "objective_min": objective_min,
        "cost_min": cost_min,
        "unserved": 0,
        "stops": stops,
        "requests": requests,
        "routes": [list(range(len(stops)))],
    }


def settings(**changes):
    return argparse.Namespace(**{"seconds": 1.0, "seeds": 2, "tolerance": 2.0, **changes})


def table(**gains):
    """Objectives of 8 days under both judges: `none` at 100 and 102, the others with these gains, by judge, and some noise."""
    noise = [-1, 1, -2, 2, 0, 0, 1, -1]
    values = {"none": {"dray": [100.0] * 8, "pyvrp": [102.0] * 8}}
    for policy, (dray, pyvrp) in gains.items():
        values[policy] = {"dray": [100 + dray + n for n in noise], "pyvrp": [102 + pyvrp - n for n in noise]}
    for by_judge in values.values():
        by_judge["best"] = [min(pair) for pair in zip(by_judge["dray"], by_judge["pyvrp"])]
    return values


class JudgeTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def read(self, *days, most=64):
        path = self.folder / "days.jsonl"
        path.write_text("\n".join(map(json.dumps, [{"city": CITY}, *days])) + "\n")
        return judge.read_days(path, most)

    def test_the_first_days_of_each_policy_are_read_as_problems(self):
        days = [day(policy, number) for policy in ("none", "random") for number in (1, 2, 3)]
        policies = self.read(*days, most=2)
        self.assertEqual({policy: len(days) for policy, days in policies.items()}, {"none": 2, "random": 2})
        self.assertEqual(policies["none"][1]["problem"]["travel"], [[0, 10, 20], [10, 0, 10], [20, 10, 0]])
        with self.assertRaisesRegex(SystemExit, "no two days of the policy none"):
            self.read(*days[3:])

    def test_dray_s_plans_are_driven(self):
        good, dear = self.read(day("none", 1), day("none", 2, cost_min=3.9))["none"]
        judge.check_plan(good)
        with self.assertRaisesRegex(SystemExit, "said to cost 39, it costs 40"):
            judge.check_plan(dear)

    def test_days_that_came_to_the_same_are_priced_once(self):
        other = [[2, 5, 900, 0, 1], [1, 0, 1000, 0, -1]]
        one, same, another = self.read(
            day("none", 1, STOPS + other), day("none", 2, other + STOPS), day("none", 3, STOPS + STOPS)
        )["none"]
        key = judge.key_of(one["problem"], 1.0, 1)
        self.assertEqual(key, judge.key_of(same["problem"], 1.0, 1))
        self.assertNotEqual(key, judge.key_of(another["problem"], 1.0, 1))
        self.assertNotEqual(key, judge.key_of(one["problem"], 1.0, 2))
        self.assertNotEqual(key, judge.key_of(one["problem"], 0.5, 1))

    def test_prices_are_kept_and_the_best_seed_counts_beside_patience(self):
        policies = self.read(day("none", 1), day("none", 2))
        prices = judge.Prices(self.folder / "prices.jsonl")
        for seed, cost in ((1, 44), (2, 42)):
            prices.add(judge.key_of(policies["none"][0]["problem"], 1.0, seed), cost)
        again = judge.Prices(self.folder / "prices.jsonl")
        values = judge.objectives(policies, again, settings())["none"]
        self.assertEqual(values["dray"], [5.0, 5.0])
        for value in values["pyvrp"]:
            self.assertAlmostEqual(value, 1 + 4.2)
        self.assertEqual(values["best"], [5.0, 5.0])

    def test_intervals_are_student_s(self):
        interval = judge.estimate([1, 2, 3, 4, 5])
        self.assertAlmostEqual(interval.mean, 3)
        self.assertAlmostEqual(interval.ci95, 2.7764 * 2.5**0.5 / 5**0.5)
        self.assertAlmostEqual(judge.student_t975(63), 1.99834, places=4)

    def test_differences_are_paired_by_day(self):
        entries = {entry["policy"]: entry for entry in judge.summarise(table(random=(-10, -12)))}
        self.assertEqual(entries["none"]["dray_against_none"], (0, 0))
        self.assertAlmostEqual(entries["random"]["dray"], 90)
        self.assertAlmostEqual(entries["random"]["dray_against_none"].mean, -10)
        self.assertAlmostEqual(entries["random"]["pyvrp_against_none"].mean, -12)
        self.assertAlmostEqual(entries["random"]["apart"].mean, -2)
        self.assertAlmostEqual(entries["random"]["apart"].ci95, 2 * entries["random"]["dray_against_none"].ci95)
        self.assertAlmostEqual(entries["none"]["pyvrp_above_best_pct"], 2)

    def disagreements(self, values, **changes):
        return judge.disagreements(values, judge.summarise(values), settings(**changes).tolerance)

    def test_judges_that_differ_by_chance_agree(self):
        self.assertEqual(self.disagreements(table(random=(-10, -11), myopic=(-0.5, 0.5))), [])

    def test_another_order_is_a_disagreement(self):
        found = self.disagreements(table(random=(-10, -10), myopic=(-14, -6)), tolerance=100)
        self.assertEqual(len(found), 1)
        self.assertIn("order: random less myopic is +4.0", found[0])

    def test_differences_further_apart_than_chance_and_tolerance_are_a_disagreement(self):
        apart = table(random=(-10, -18))
        found = self.disagreements(apart)
        self.assertEqual(len(found), 1)
        self.assertIn("random against none: -8.0 ± ", found[0])
        self.assertEqual(self.disagreements(apart, tolerance=8.0), [])


if __name__ == "__main__":
    unittest.main()
