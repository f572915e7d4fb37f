"""The benchmark's arithmetic and its reading of a run folder, without any peer; argument 1 is scripts/bench/peers.py."""

import argparse
import importlib.util
import json
import math
import pathlib
import shlex
import sys
import tempfile
import unittest

PATH = sys.argv.pop(1)
spec = importlib.util.spec_from_file_location("peers", PATH)
peers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peers)

# Stands in for Dray: writes the metrics.jsonl of a short run, with the seed as its score.
FAKE_DRAY = """
import json, pathlib, sys
flags = dict(zip(sys.argv[1::2], sys.argv[2::2]))
assert flags["--runner"] == "local" and flags["--config"] == "some.yaml", flags
folder = pathlib.Path(flags["--run-dir"])
folder.mkdir()
lines = [
    {"epoch": 1, "total_steps": 512, "time/elapsed_s": 0.1, "episode/return_mean": None},
    {"epoch": 2, "total_steps": 1024, "time/elapsed_s": 0.25, "episode/return_mean": 20.5,
     "eval/return_mean": float(flags["--seed"])},
    {"epoch": 3, "total_steps": int(flags.get("--total-steps", 2048)), "time/elapsed_s": 0.5, "episode/return_mean": 30.5},
]
(folder / "metrics.jsonl").write_text("".join(json.dumps(line) + "\\n" for line in lines))
"""


def run(library, steps, seconds, row="zoo"):
    return {
        "row": row,
        "library": library,
        "seed": 1,
        "steps": steps,
        "seconds": seconds,
        "training_return": 1.0,
        "evaluation": 2.0,
    }


class PeersTest(unittest.TestCase):
    def test_a_run_of_dray_is_read_from_its_metrics(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "fake.py"
            program.write_text(FAKE_DRAY)
            arguments = argparse.Namespace(
                dray_command=shlex.join([sys.executable, str(program)]),
                dray_configs={"zoo": "some.yaml"},
                dray_flag=[],
                dray_steps_flag="--total-steps",
                steps=4096,
            )
            result = peers.run_dray("zoo", 4096, 7, arguments, pathlib.Path(folder) / "log")
        self.assertEqual(result, {"steps": 4096, "seconds": 0.5, "training_return": 30.5, "evaluation": 7.0})

    def test_a_run_that_fails_ends_with_its_last_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SystemExit, "(?s)went wrong.*exit code 3"):
                peers.run_process(["sh", "-c", "echo went wrong; exit 3"], pathlib.Path(folder) / "log")

    def test_the_ratio_is_of_median_speeds_within_a_row(self):
        runs = [
            run("dray", 100, 1),
            run("dray", 100, 2),
            run("dray", 100, 0.5),
            run("sb3", 100, 4),
            run("rllib", 50, 1, "cleanrl"),
        ]
        table = {(entry["row"], entry["library"]): entry for entry in peers.summarise(runs)}
        self.assertEqual(table["zoo", "dray"]["steps_per_s"], {"median": 100, "min": 50, "max": 200})
        self.assertEqual(table["zoo", "sb3"]["dray_over_this"], 4)
        self.assertIsNone(table["zoo", "dray"]["dray_over_this"])
        self.assertIsNone(table["cleanrl", "rllib"]["dray_over_this"])

    def test_numbers_that_are_missing_neither_count_nor_break_the_json(self):
        self.assertEqual(peers.spread([math.nan, 3.0, 1.0])["median"], 2.0)
        self.assertEqual(peers.range_text(peers.spread([math.nan]), 1), "n/a")
        text = json.dumps(peers.without_nan({"a": [math.nan, 1.5], "b": math.inf}), allow_nan=False)
        self.assertEqual(json.loads(text), {"a": [None, 1.5], "b": None})

    def test_a_log_of_cleanrl_is_read(self):
        text = "global_step=30, episodic_return=[10.]\nSPS: 1900\nglobal_step=99, episodic_return=[30.]\nSPS: 2000\n"
        self.assertEqual(
            {**peers.read_cleanrl_log(text, 4000), "evaluation": None},
            {"steps": 4000, "seconds": 2.0, "training_return": 20.0, "evaluation": None},
        )

    def test_every_row_has_its_own_peers(self):
        arguments = argparse.Namespace(
            repeats=1, rows=["zoo", "pendulum"], peers=["sb3", "rltools"], peers_only=True, seed=1
        )
        self.assertEqual(peers.plan(arguments), [("zoo", "sb3", 1), ("pendulum", "rltools", 1)])

    def test_runs_are_interleaved_by_repeat(self):
        arguments = argparse.Namespace(repeats=2, rows=["cleanrl"], peers=["sb3", "rllib"], peers_only=True, seed=5)
        self.assertEqual(
            peers.plan(arguments),
            [("cleanrl", "sb3", 5), ("cleanrl", "rllib", 5), ("cleanrl", "sb3", 6), ("cleanrl", "rllib", 6)],
        )


if __name__ == "__main__":
    unittest.main()
