"""The transport benchmark's table, without a cluster; argument 1 is scripts/bench/transport.py."""

import importlib.util
import sys
import unittest

PATH = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("transport", PATH)
transport = importlib.util.module_from_spec(spec)
spec.loader.exec_module(transport)


class Echo:
    """A side whose transfers take one second for each million bytes."""

    def __init__(self):
        self.calls = 0

    def ask(self, what, size):
        self.calls += 1
        return size / 1e6


class TransportTest(unittest.TestCase):
    def test_sides_take_turns_and_the_warm_up_does_not_count(self):
        sides = {"dray": Echo(), "python": Echo()}
        rows = transport.measure(sides, repeats=3)
        self.assertEqual(len(rows), len(transport.TRANSFERS))
        for side in sides.values():
            self.assertEqual(side.calls, len(rows) * (3 + transport.WARM_UP))
        self.assertEqual(rows[1]["dray"], {"median": 9000.0, "min": 9000.0, "max": 9000.0})

    def test_the_table_gives_the_rate_and_the_ratio(self):
        numbers = {"median": 10.0, "min": 9.0, "max": 12.0}
        row = {"what": "batch", "megabytes": 9.0, "dray": numbers, "python": {**numbers, "median": 15.0}}
        self.assertEqual(
            transport.table([row]).splitlines()[-1],
            "| batch, 1 to 1 | 9 | 10.0 (9.0 - 12.0) | 15.0 (9.0 - 12.0) | 900 | 1.50 |",
        )


if __name__ == "__main__":
    unittest.main()
