"""scripts/scaling.py: its arithmetic, and whole runs of it with a stand-in for train and with the real one.

Arguments: scripts/scaling.py, the train command.
"""

import csv
import importlib.util
import math
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import unittest

SCRIPT, TRAIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(2))
FAKE = pathlib.Path(__file__).with_name("fake_train.py")
spec = importlib.util.spec_from_file_location("scaling", SCRIPT)
scaling = importlib.util.module_from_spec(spec)
spec.loader.exec_module(scaling)
table, parts = scaling.scaling_tables, scaling.scaling_parts
import training_runs  # noqa: E402  (scaling.py's neighbour)

COLUMNS = (
    "part,name,runner,envs,workers,repeat,epochs,samples_per_epoch,epoch_s,samples_per_s,rollout_samples_per_s,"
    "not_learning_samples_per_s,rollout_s,transfer_s,learn_s,weights_s,shard_busy,learner_busy,batches_dropped,memory_mb,"
    "rollout_mb,error,date,machine,command"
)


def row(runner, envs, rate, rollout_rate, repeat=1, **changes):
    made = dict.fromkeys(table.NUMBERS, math.nan)
    made.update(
        part="s",
        name=f"{runner} {envs}",
        runner=runner,
        envs=envs,
        workers=1,
        repeat=repeat,
        epochs=4,
        samples_per_epoch=30 * envs,
        samples_per_s=rate,
        rollout_samples_per_s=rollout_rate,
        error="",
        date="d",
        machine="m",
        command=f"{runner} {envs}",
    )
    return {**made, **changes}


def runs(*rates, envs=16):
    return [
        row(
            "local",
            envs,
            rate / 2,
            rate,
            repeat,
            not_learning_samples_per_s=rate,
            memory_mb=10.0,
            error="broke" if math.isnan(rate) else "",
        )
        for repeat, rate in enumerate(rates, 1)
    ]


class GrowthTest(unittest.TestCase):
    def test_every_size_is_one_run_and_no_more_threads_than_cores_are_asked_for(self):
        self.assertEqual(list(parts.grow_envs(2)), ["1", "4", "8", "16", "64", "256", "1024"])
        self.assertEqual(list(parts.grow_threads(2)), ["1", "2"])
        self.assertEqual(list(parts.grow_shards(16)), ["1", "2", "4", "8", "16"])
        for part in parts.GROWTH:
            for flags in parts.PARTS[part](16).values():
                self.assertIn("--num-envs", flags)

    def test_the_table_says_how_much_the_first_row_has_grown(self):
        rows = [
            row("local", 1, 100.0, 400.0, part="grow_envs", name="1", epoch_s=0.3, memory_mb=50.0),
            row("local", 4, 250.0, 900.0, part="grow_envs", name="4", epoch_s=0.5, memory_mb=60.0),
        ]
        text = table.markdown(rows, {"cpu": "c", "cores": 2, "memory_gb": 8})
        self.assertIn("| 4 | 250 (250 - 250) | 2.50 | 0.500 (0.500 - 0.500) | 900 (900 - 900) | 60 |", text)
        self.assertEqual(list(table.growth(rows)), ["parallel environments"])
        self.assertEqual(table.growth(rows)["parallel environments"][4]["samples_per_s"]["median"], 250.0)


class MeasureTest(unittest.TestCase):
    def test_the_first_epoch_and_the_evaluation_do_not_count(self):
        def report(epoch, elapsed_s, **more):
            return {
                "epoch": epoch,
                "total_steps": 100 * epoch,
                "time/elapsed_s": elapsed_s,
                "time/rollout_s": 0.25,
                "time/learn_s": 0.5,
                **more,
            }

        result = training_runs.measure(
            [
                report(1, 10.0, **{"memory/rss_mb": 70.0}),
                report(
                    2,
                    11.0,
                    **{
                        "memory/rss_mb": 60.0,
                        "actor/shard-00/memory_mb": 50.0,
                        "actor/shard-00/busy_s": 1.0,
                        "actor/shard-00/waiting_s": 3.0,
                        "actor/learner/busy_s": 1.0,
                    },
                ),
                report(3, 15.0, **{"time/evaluate_s": 2.5, "time/checkpoint_s": 0.5}),
            ]
        )
        self.assertEqual((result["epochs"], result["epoch_s"], result["samples_per_s"]), (2, 1.0, 100.0))
        self.assertEqual((result["rollout_samples_per_s"], result["not_learning_samples_per_s"]), (400.0, 200.0))
        self.assertEqual((result["rollout_s"], result["learn_s"], result["memory_mb"]), (0.25, 0.5, 110.0))
        self.assertEqual((result["shard_busy"], result["learner_busy"], result["workers"]), (0.25, 1.0, 1))

    def test_one_report_is_too_few(self):
        with self.assertRaisesRegex(training_runs.TrainingFailed, "at least 2 epochs"):
            training_runs.measure([{"epoch": 1}])

    def test_a_run_that_failed_is_one_line(self):
        self.assertEqual(training_runs.error_line("a\ndray: no such file\nb\n", 1), "dray: no such file")
        self.assertEqual(training_runs.error_line("a\nb\n", 3), "exit code 3; its last line: b")
        self.assertEqual(training_runs.error_line("", -9), "ended by SIGKILL; it said nothing")


class TableTest(unittest.TestCase):
    def test_speed_ups_are_to_the_fewest_environments_of_the_runner(self):
        rows = [
            row("local", 8, 400.0, 4000.0),
            row("local", 2, 100.0, 500.0, 1),
            row("local", 2, 300.0, 1500.0, 2),
            row("ray", 8, 50.0, 100.0),
            row("local", 16, 0.0, 0.0, error="broke"),
        ]
        entries = {(entry["runner"], entry["envs"]): entry for entry in table.summarise(rows)}
        self.assertEqual(set(entries), {("local", 2), ("local", 8), ("ray", 8)})
        self.assertEqual(entries["local", 2]["samples_per_s"], {"median": 200, "min": 100, "max": 300})
        self.assertEqual((entries["local", 8]["speed_up"], entries["local", 8]["efficiency"]), (2.0, 0.5))
        self.assertEqual(
            (entries["local", 8]["rollout_speed_up"], entries["local", 8]["rollout_efficiency"]), (4.0, 1.0)
        )
        self.assertEqual((entries["ray", 8]["speed_up"], entries["ray", 8]["efficiency"]), (1.0, 1.0))

    def test_other_settings_have_a_table_of_their_own(self):
        rows = [row("local", 2, 100.0, 1.0), row("local", 2, 300.0, 1.0, part="t", command="other")]
        self.assertEqual([entry["speed_up"] for entry in table.summarise(rows)], [1.0, 1.0])
        text = table.markdown(rows, {"cpu": "c", "cores": 2, "memory_gb": 4})
        self.assertIn("on c, 2 cores, 4 GB.", text)
        self.assertIn("## `train s`", text)
        self.assertIn("## `train t`", text)
        self.assertIn("efficiency: speed-up / (environments", text)

    def test_rows_survive_the_file(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scaling.csv"
            table.write_rows(path, [row("ray", 4, 12.5, 25.0), row("ray", 8, math.nan, 1.0, error='a "b", c')])
            read = table.read_rows(path)
            self.assertEqual([file.name for file in pathlib.Path(folder).iterdir()], ["scaling.csv"])
        self.assertEqual((read[0]["envs"], read[0]["samples_per_s"]), (4, 12.5))
        self.assertTrue(math.isnan(read[1]["samples_per_s"]))
        self.assertEqual(read[1]["error"], 'a "b", c')


class PartsTest(unittest.TestCase):
    def test_ratios_are_of_medians_and_spread_over_repeats(self):
        named = {"local": runs(100.0, 200.0, 300.0), "ray": runs(100.0, math.nan, 240.0)}
        self.assertEqual(
            table.ratio(named["ray"], named["local"], table.ROLLOUT), {"median": 170 / 200, "min": 0.8, "max": 1.0}
        )
        rows = [{**made, "part": "two_core", "name": name} for name, mine in named.items() for made in mine]
        text = table.markdown(rows, {"cpu": "c", "cores": 2, "memory_gb": 4})
        self.assertIn("| local | 200 (100 - 300) | 200 (100 - 300) | 100 (50 - 150) | 10 (10 - 10) |", text)
        self.assertIn("| ray / local | 0.85 (0.80 - 1.00) |", text)
        self.assertIn("- ray, repeat 2: broke", text)

    def test_efficiency_is_to_as_many_times_one_shard(self):
        named = {"ray 1": runs(100.0), "ray 2": runs(150.0, envs=32), "ray 4": runs(math.nan)}
        text = "\n".join(table.PART_TABLES["shards"](named))
        self.assertIn("| 1 | 16 | 100 (100 - 100) | 100% |", text)
        self.assertIn("| 2 | 32 | 150 (150 - 150) | 75% |", text)
        self.assertIn("| 4 | 16 | n/a | n/a |", text)

    def test_no_more_shards_than_cores(self):
        self.assertEqual(list(parts.shards(2)), ["local 1", "ray 1", "local 2", "ray 2"])
        self.assertEqual((len(parts.shards(16)), len(parts.strong(16))), (10, 10))
        self.assertEqual((parts.workers(2), len(parts.workers(4))), ({}, 2))

    def test_learning_is_made_as_long_as_rollouts(self):
        self.assertIsNone(parts.next_balance(4, 10, 1.0, 1.1))
        self.assertEqual(parts.next_balance(4, 10, 2.0, 1.0), (8, 10))
        self.assertEqual(parts.next_balance(20, 10, 1.0, 2.0), (10, 10))
        # Fewer passes than can be tuned: the oracle works longer instead.
        self.assertEqual(parts.next_balance(4, 10, 1.0, 3.0), (4, 30))
        self.assertEqual(parts.next_balance(8, 10, 1.0, 8.0), (4, 40))


class ScriptTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out, self.log = self.folder / "out", self.folder / "log"
        self.train = self.folder / "train"
        self.train.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{FAKE.resolve()}" "$@"\n')
        self.train.chmod(0o755)

    def start(self, *flags, train=None, ray_address=None):
        environment = {name: value for name, value in os.environ.items() if not name.startswith(("RAY_", "DRAY_"))}
        # No cluster runs there, and none can be started.
        environment.update(
            RAY_TMPDIR=str(self.folder),
            DRAY_VENV=str(self.folder / "none"),
            FAKE_TRAIN_LOG=str(self.log),
            FAKE_TRAIN_FIFO=str(self.folder / "fifo"),
        )
        if ray_address:
            environment["RAY_ADDRESS"] = ray_address
        return subprocess.Popen(
            [sys.executable, SCRIPT, "--out", str(self.out), "--train", str(train or self.train), *flags],
            env=environment,
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def scale(self, *flags, code=0, **options):
        process = self.start(*flags, **options)
        text, _ = process.communicate()
        self.assertEqual(process.returncode, code, text)
        return text

    def rows(self):
        with open(self.out / "scaling.csv", newline="") as file:
            return list(csv.DictReader(file))

    def trained(self):
        return self.log.read_text().split("\n")[:-1] if self.log.exists() else []

    def test_every_run_is_a_row_with_its_numbers(self):
        text = self.scale("--envs", "2,4", "--runners", "local", "--repeats", "2", "--min-samples", "0")
        self.assertEqual((self.out / "scaling.csv").read_text().splitlines()[0], COLUMNS)
        self.assertEqual(
            [(r["repeat"], r["envs"]) for r in self.rows()], [("1", "2"), ("1", "4"), ("2", "4"), ("2", "2")]
        )
        first = self.rows()[0]
        self.assertEqual(
            (first["rollout_samples_per_s"], first["samples_per_s"], first["epoch_s"]), ("1000", "666.667", "0.03")
        )
        self.assertEqual(
            (first["rollout_mb"], first["memory_mb"], first["epochs"], first["error"]), ("0.0015", "100", "4", "")
        )
        self.assertEqual(
            first["command"], "train --config configs/dvrptw_64.yaml --runner local --num-envs 2 --epochs 5"
        )
        self.assertIn(
            "| local | 4 | 1 | 40 | 0.050 (0.050 - 0.050) | 800 (800 - 800) | 1.20 | 60% "
            "| 1,000 (1,000 - 1,000) | 1.00 | 50% | 100 | 0.0015 |",
            (self.out / "scaling.md").read_text(),
        )
        self.assertIn(
            "run 3/4 · local, 4 environments, repeat 2 · 800 samples/s, 1,000 in rollouts · 100 MB · ETA ", text
        )
        if importlib.util.find_spec("matplotlib"):
            self.assertTrue((self.out / "samples_per_s.png").exists())
        else:
            self.assertIn("-m pip install matplotlib", text)

    def test_what_is_done_is_not_done_again(self):
        flags = ("--runners", "local", "--repeats", "1")
        self.scale("--envs", "2", *flags)
        self.scale("--envs", "2,4", *flags)
        self.assertEqual(self.trained(), ["local 2", "local 4"])
        self.scale("--envs", "2", "--set", "ppo.gamma=0.9", *flags)
        self.assertEqual(self.trained(), ["local 2", "local 4", "local 2"])
        self.assertEqual(len(self.rows()), 3)

    def test_few_environments_run_more_epochs(self):
        self.scale("--envs", "1,64", "--runners", "local", "--repeats", "1", "--min-samples", "1000")
        self.assertEqual([r["epochs"] for r in self.rows()], ["100", "4"])

    def test_more_workers_than_environments_are_left_out(self):
        self.scale("--envs", "2,4", "--workers", "1,4", "--runners", "local", "--repeats", "1")
        self.assertEqual([(r["envs"], r["workers"]) for r in self.rows()], [("2", "1"), ("4", "1"), ("4", "4")])

    def test_a_run_that_fails_is_a_row_and_is_tried_again(self):
        text = self.scale("--envs", "13,4", "--runners", "local", "--repeats", "1", code=1)
        self.assertIn("failed: dray: 13 brings bad luck: take another number", text)
        self.assertEqual([(r["envs"], r["error"][:7]) for r in self.rows()], [("13", "dray: 1"), ("4", "")])
        self.assertIn("- local, 13 environments, repeat 1: dray: 13 brings", (self.out / "scaling.md").read_text())
        self.scale("--envs", "13,4", "--runners", "local", "--repeats", "1", code=1)
        self.assertEqual(self.trained(), ["local 13", "local 4", "local 13"])
        self.assertEqual(len(self.rows()), 2)

    def test_without_ray_the_local_runs_go_on(self):
        self.scale("--envs", "2", "--repeats", "1", code=1)
        local, ray = self.rows()
        self.assertEqual((local["runner"], local["error"]), ("local", ""))
        self.assertIn("no virtual environment", ray["error"])

    def test_an_interrupt_keeps_what_is_done_and_ends_the_run(self):
        os.mkfifo(self.folder / "fifo")
        process = self.start("--envs", "2,99", "--runners", "local", "--repeats", "1")
        self.addCleanup(process.kill)
        with open(self.folder / "fifo") as fifo:
            fifo.read()  # returns once the endless run is there
        process.send_signal(signal.SIGINT)
        text, _ = process.communicate()
        self.assertEqual(process.returncode, 130, text)
        self.assertIn("the same command resumes", text)
        self.assertEqual([r["envs"] for r in self.rows()], ["2"])
        self.assertTrue((self.out / "scaling.md").exists())

    def test_the_runs_of_a_part_take_turns_and_are_gone_on_with(self):
        flags = ("--parts", "two_core", "--repeats")
        self.scale(*flags, "1", ray_address="127.0.0.1:1")
        text = self.scale(*flags, "2", ray_address="127.0.0.1:1")
        self.assertEqual(self.trained(), ["local 64", "ray 64", "ray 64", "local 64"])
        self.assertRegex(text, r"on .+, \d+ cores, \d+ GB\. Numbers are the median")
        self.assertIn("two_core: run 1/4 · local, repeat 1 · already done", text)
        self.assertIn("| local | 2,000 (2,000 - 2,000) |", text)
        self.assertIn("| ray / local | 1.00 (1.00 - 1.00) |", text)
        self.assertIn("\n    train --config configs/dvrptw_64.yaml --device cpu", text)

    def test_asynchronous_runs_are_balanced_once(self):
        self.scale("--parts", "async", "--repeats", "1", ray_address="127.0.0.1:1")
        calibrated = len(self.trained())
        text = self.scale("--parts", "async", "--repeats", "2", ray_address="127.0.0.1:1")
        self.assertEqual(len(self.trained()), calibrated + 3)
        command = self.rows()[0]["command"]
        workers = int(command.split("--num-workers ")[1].split()[0])
        self.assertIn(f"--set ppo.policy_epochs={round(64 / workers)} ", command)
        rollout_s, learn_s = 0.64 / workers, 0.01 * round(64 / workers)
        gain = f"{(rollout_s + learn_s) / max(rollout_s, learn_s):.2f}"
        self.assertIn(f"| asynchronous, lag 1 / synchronous | {gain} ({gain} - {gain}) |", text)

    def test_rows_of_another_machine_are_left_alone(self):
        self.out.mkdir()
        table.write_rows(self.out / "scaling.csv", [row("local", 2, 1.0, 1.0, machine="an abacus")])
        self.assertIn("was measured on an abacus: give another --out", self.scale("--envs", "2", code=1))

    def test_misuse_is_told(self):
        self.assertIn("give whole numbers", self.scale("--envs", "1,x", code=2))
        self.assertIn("choose from local,ray", self.scale("--runners", "cloud", code=2))
        self.assertIn("choose from two_core", self.scale("--parts", "three_core", code=2))
        self.assertIn("each part has its own", self.scale("--parts", "two_core", "--envs", "4", code=2))
        self.assertIn("no such program", self.scale(train=self.folder / "absent", code=1))

    def test_the_real_train_is_understood(self):
        self.scale(
            "--config",
            "cartpole",
            "--envs",
            "4",
            "--workers",
            "2",
            "--runners",
            "local",
            "--repeats",
            "1",
            "--epochs",
            "3",
            "--min-samples",
            "0",
            train=TRAIN,
        )
        (made,) = self.rows()
        self.assertEqual(
            (made["envs"], made["workers"], made["samples_per_epoch"], made["epochs"]), ("4", "2", "512", "2")
        )
        for name in ("samples_per_s", "rollout_samples_per_s", "memory_mb", "rollout_mb"):
            self.assertGreater(float(made[name]), 0, name)


if __name__ == "__main__":
    unittest.main()
