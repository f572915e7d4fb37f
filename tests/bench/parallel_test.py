"""scripts/bench/parallel.py: its arithmetic, and all of it with a stand-in for train; argument 1 is the script."""

import importlib.util
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.abspath(sys.argv.pop(1))
FAKE = pathlib.Path(__file__).with_name("fake_train.py")
spec = importlib.util.spec_from_file_location("parallel", SCRIPT)
parallel = importlib.util.module_from_spec(spec)
spec.loader.exec_module(parallel)
tables = parallel.parallel_tables


def row(*rates, command="train --num-envs 16"):
    runs = [{"error": "broke"} if math.isnan(rate) else {tables.ROLLOUT: rate, tables.REST: rate, tables.END_TO_END: rate / 2,
                                                         "memory_mb": 10.0} for rate in rates]
    return {"command": command, "runs": runs}


class ParallelTest(unittest.TestCase):
    def test_ratios_are_of_medians_and_spread_over_repeats(self):
        rows = {"local": row(100.0, 200.0, 300.0), "ray": row(100.0, math.nan, 240.0)}
        self.assertEqual(tables.ratio(rows, "ray", "local", tables.ROLLOUT), {"median": 170 / 200, "min": 0.8, "max": 1.0})
        text = "\n".join(tables.two_core_table(rows))
        self.assertIn("| local | 200 (100 - 300) | 200 (100 - 300) | 100 (50 - 150) | 10 (10 - 10) |", text)
        self.assertIn("| ray / local | 0.85 (0.80 - 1.00) |", text)
        self.assertIn("- ray: broke", "\n".join(tables.errors(rows)))

    def test_efficiency_is_to_as_many_times_one_shard(self):
        rows = {"ray 1": row(100.0), "ray 2": row(150.0, command="train --num-envs 32"), "ray 4": row(math.nan)}
        text = "\n".join(tables.PART_TABLES["shards"](rows))
        self.assertIn("| 1 | 16 | 100 (100 - 100) | 100% |", text)
        self.assertIn("| 2 | 32 | 150 (150 - 150) | 75% |", text)
        self.assertIn("| 4 | 16 | n/a | n/a |", text)

    def test_no_more_shards_than_cores(self):
        self.assertEqual(list(parallel.shards_rows(2)), ["local 1", "ray 1", "local 2", "ray 2"])
        self.assertEqual(len(parallel.shards_rows(16)), 10)
        self.assertEqual(parallel.workers_rows(2), {})
        self.assertEqual(len(parallel.workers_rows(4)), 2)

    def test_learning_is_made_as_long_as_rollouts(self):
        self.assertIsNone(parallel.next_balance(4, 10, 1.0, 1.1))
        self.assertEqual(parallel.next_balance(4, 10, 2.0, 1.0), (8, 10))
        self.assertEqual(parallel.next_balance(20, 10, 1.0, 2.0), (10, 10))
        # Fewer passes than can be tuned: the oracle works longer instead.
        self.assertEqual(parallel.next_balance(4, 10, 1.0, 3.0), (4, 30))
        self.assertEqual(parallel.next_balance(8, 10, 1.0, 8.0), (4, 40))


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.train = self.folder / "train"
        self.train.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE.resolve()}" "$@"\n')
        self.train.chmod(0o755)

    def bench(self, *flags, code=0):
        environment = {**os.environ, "RAY_ADDRESS": "127.0.0.1:1", "FAKE_TRAIN_LOG": str(self.folder / "log")}
        process = subprocess.run(
            [sys.executable, SCRIPT, "--train", str(self.train), "--json", str(self.folder / "p.json"), *flags], env=environment,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual(process.returncode, code, process.stdout)
        return process.stdout

    def test_runs_take_turns_and_the_tables_name_the_machine(self):
        text = self.bench("--parts", "two_core", "--repeats", "2")
        self.assertEqual((self.folder / "log").read_text().split(), "local 64 ray 64 ray 64 local 64".split())
        self.assertRegex(text, r"on .+, \d+ cores, \d+ GB; median")
        self.assertIn("| local | 2,000 (2,000 - 2,000) |", text)
        self.assertIn("| ray / local | 1.00 (1.00 - 1.00) |", text)
        results = json.loads((self.folder / "p.json").read_text())
        self.assertEqual(len(results["parts"]["two_core"]["rows"]["ray"]["runs"]), 2)

    def test_asynchronous_runs_are_balanced_first(self):
        text = self.bench("--parts", "async", "--repeats", "1")
        command = json.loads((self.folder / "p.json").read_text())["parts"]["async"]["rows"]["synchronous"]["command"]
        workers = int(command.split("--num-workers ")[1].split()[0])
        self.assertIn(f"--set ppo.policy_epochs={round(64 / workers)} ", command)
        rollout_s, learn_s = 0.64 / workers, 0.01 * round(64 / workers)
        gain = f"{(rollout_s + learn_s) / max(rollout_s, learn_s):.2f}"
        self.assertIn(f"| asynchronous, lag 1 / synchronous | {gain} ({gain} - {gain}) |", text)

    def test_misuse_is_told(self):
        self.assertIn("want some of two_core", self.bench("--parts", "three_core", code=2))


if __name__ == "__main__":
    unittest.main()
