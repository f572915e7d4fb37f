"""The oracle benchmark's arithmetic and its driver of plans, without any peer; argument 1 is scripts/bench/oracle.py."""

import argparse
import importlib.util
import json
import math
import pathlib
import sys
import tempfile
import unittest

PATH = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("oracle", PATH)
oracle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracle)
routing = oracle.routing

SOLOMON = """TINY

VEHICLE
NUMBER     CAPACITY
  2         10

CUSTOMER
CUST NO.  XCOORD.  YCOORD.  DEMAND  READY TIME  DUE DATE  SERVICE TIME

    0      0       0        0          0       100          0
    1      3       4        4          0        50          2
    2      6       7        5         20        60          3
"""


def street(**changes):
    """A depot at 0 and two pairs, 10 to 20 and 30 to 40, open from 0 to 1000."""
    at = [0, 10, 20, 30, 40]
    problem = {
        "name": "street",
        "ticks_per_unit": 10,
        "travel": [[abs(a - b) for b in at] for a in at],
        "depot": 0,
        "depot_window": [0, 1000],
        "capacity": 1,
        "free_vehicles": 1,
        "extra_vehicle_cost": 50,
        "stops": [[1, 0, 1000, 0, 1], [2, 0, 1000, 0, -1], [3, 0, 1000, 0, 1], [4, 0, 1000, 0, -1]],
        "requests": [[0, 1], [2, 3]],
    }
    return {**problem, **changes}


def run(method, cost, seconds=1.0, repeat=1, instance="a", kind="Solomon 25"):
    return {
        "set": kind,
        "instance": instance,
        "method": method,
        "repeat": repeat,
        "seconds": seconds,
        "cost": cost,
        "vehicles": None if cost is None else 2,
    }


class RoutingTest(unittest.TestCase):
    def test_a_solomon_file_is_read_in_tenths_cut_off(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "tiny.txt"
            path.write_text(SOLOMON)
            problem = routing.read_solomon(path)
        self.assertEqual(problem["travel"], [[0, 50, 92], [50, 0, 42], [92, 42, 0]])
        self.assertEqual(problem["stops"], [[1, 0, 500, 20, 4], [2, 200, 600, 30, 5]])
        self.assertEqual((problem["capacity"], problem["free_vehicles"], problem["depot_window"]), (10, 2, [0, 1000]))

    def test_a_plan_is_driven(self):
        self.assertEqual(
            routing.drive(street(), [[0, 1, 2, 3], []]), {"cost": 80, "vehicles": 1, "unserved": 0, "broken": []}
        )
        self.assertEqual(routing.drive(street(), [[0, 1], [2, 3]])["cost"], 40 + 80 + 50)
        self.assertEqual(routing.drive(street(), [[0, 1]])["unserved"], 1)

    def test_every_broken_rule_is_seen(self):
        late = [[1, 0, 5, 0, 1], *street()["stops"][1:]]
        wide = street(capacity=4)
        for problem, routes, words in (
            (street(stops=late), [[0, 1, 2, 3]], "its window closed"),
            (street(), [[0, 2, 1, 3]], "brings the load to 2"),
            (street(), [[1, 0, 2, 3]], "brings the load to -1"),
            (wide, [[2, 0, 1]], "half of request"),
            (wide, [[0, 2, 3], [1]], "not followed by"),
            (wide, [[0, 1, 2, 3, 2]], "visited twice"),
            (street(depot_window=[0, 79]), [[0, 1, 2, 3]], "the depot closed"),
            (street(extra_vehicle_cost=None), [[0, 1], [2, 3]], "2 vehicles, there are 1"),
        ):
            with self.subTest(words):
                self.assertIn(words, " ".join(routing.drive(problem, routes)["broken"]))

    def test_a_problem_of_a_city_keeps_the_places_it_uses(self):
        city = {
            **{key: street()[key] for key in ("depot_window", "capacity", "free_vehicles", "extra_vehicle_cost")},
            "ticks_per_unit": 10,
            "places": 3,
            "depot": 2,
            "travel": [0, 1, 2, 3, 0, 5, 6, 7, 0],
        }
        problem = routing.city_problem(city, {"stops": [[0, 1, 2, 0, 1]], "requests": [[0, -1]]}, "day 1")
        self.assertEqual((problem["travel"], problem["depot"]), ([[0, 2], [6, 0]], 1))
        self.assertEqual(problem["stops"], [[0, 1, 2, 0, 1]])


class OracleTest(unittest.TestCase):
    def test_a_plan_that_breaks_a_rule_or_costs_something_else_ends_the_benchmark(self):
        self.assertEqual(oracle.checked(street(), [[0, 1, 2, 3]], "x", 80)["cost"], 80)
        for routes, cost, words in (
            ([[0, 2, 1, 3]], None, "x on street: stop 2 brings the load to 2"),
            ([[0, 1]], None, "1 requests are not served"),
            ([[0, 1, 2, 3]], 79, "said to cost 79, it costs 80"),
        ):
            with self.assertRaisesRegex(SystemExit, words):
                oracle.checked(street(), routes, "x", cost)

    def test_gaps_are_of_the_best_known_or_the_best_seen(self):
        runs = [run("x", 110), run("y", 120), run("x", 50, instance="b"), run("y", 55, instance="b")]
        table = {entry["method"]: entry for entry in oracle.summarise(runs, {("Solomon 25", "a"): 100})}
        self.assertAlmostEqual(table["x"]["gap_percent"]["median"], (10 + 0) / 2)
        self.assertAlmostEqual(table["y"]["gap_percent"]["median"], (20 + 10) / 2)

    def test_spreads_are_over_repeats_and_missing_plans_are_counted(self):
        runs = [run("x", 100, 1, 1), run("x", 110, 3, 2), run("x", 130, 2, 3), run("y", None)]
        table = {entry["method"]: entry for entry in oracle.summarise(runs, {})}
        self.assertEqual(table["x"]["ms"], {"median": 2000, "min": 1000, "max": 3000})
        self.assertAlmostEqual(table["x"]["gap_percent"]["max"], 30)
        self.assertEqual(table["y"]["without_plan"], 1)
        self.assertTrue(math.isnan(table["y"]["gap_percent"]["median"]))

    def test_ratios_are_to_the_neural_oracle_by_batch(self):
        def decode(method, batch, *ms):
            return {"method": method, "batch": batch, "repeat": 1, "milliseconds": list(ms)}

        runs = [decode("Dray neural", 1, 2, 4, 9), decode("rl4co", 1, 40), decode("rl4co", 64, 400)]
        table = {(entry["method"], entry["batch"]): entry for entry in oracle.summarise_decoding(runs)}
        self.assertEqual(table["rl4co", 1]["this_over_neural"], 10)
        self.assertIsNone(table["rl4co", 64]["this_over_neural"])
        self.assertIsNone(table["Dray neural", 1]["this_over_neural"])

    def test_the_results_are_markdown_and_strict_json(self):
        machine = {"date": "2026-01-01", "cpu": "c", "cores": 2, "system": "s", "versions": {"pyvrp": "1"}}
        decodings = [{"method": "rl4co", "batch": 1, "repeat": 1, "milliseconds": [5.0]}]
        with tempfile.TemporaryDirectory() as folder:
            arguments = argparse.Namespace(out=pathlib.Path(folder), repeats=1)
            text = oracle.write_results([run("x", 110.0), run("y", None)], decodings, machine, arguments)
            results = json.loads((pathlib.Path(folder) / "oracle.json").read_text())
        self.assertIn("| x | 0.00 (0.00 - 0.00) | 1,000.00 (1,000.00 - 1,000.00) | 110.0 | 2.00 |", text)
        self.assertIn("| y | n/a (1 without a plan) |", text)
        self.assertIn("| rl4co | 5.00 (5.00 - 5.00) |  |", text)
        self.assertIsNone(results["table"][1]["gap_percent"]["median"])


if __name__ == "__main__":
    unittest.main()
