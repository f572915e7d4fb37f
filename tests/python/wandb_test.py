"""Runs at W&B, without its servers: what is written offline is read back by wandb's own reader. Arguments: dray/__init__.py, train."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PACKAGES = pathlib.Path(sys.argv.pop(1)).resolve().parents[1]
TRAIN = os.path.abspath(sys.argv.pop(1))
sys.path.insert(0, str(PACKAGES))

REPORTS = "".join(
    json.dumps(
        {
            "epoch": epoch,
            "total_steps": 100 * epoch,
            "progress": epoch / 4,
            "train/kl_k1": 0.1 * epoch,
            "eval/return_mean": None,
        }
    )
    + "\n"
    for epoch in range(1, 5)
)
CONFIG = "env:\n  name: cartpole\nppo:\n  gamma: 0.98\nnetwork:\n  hidden: [64, 64]\n"


def read_back(folder):
    """The project, the settings and the steps with their numbers of every offline run in a run folder."""
    from wandb.proto import wandb_internal_pb2
    from wandb.sdk.internal.datastore import DataStore

    ids, projects, settings, rows = set(), set(), {}, []
    for file in sorted(folder.glob("wandb/offline-run-*/*.wandb")):
        store = DataStore()
        store.open_for_scan(str(file))
        while (data := store.scan_data()) is not None:
            record = wandb_internal_pb2.Record.FromString(data)
            if record.WhichOneof("record_type") == "run":
                ids.add(record.run.run_id)
                projects.add(record.run.project)
                settings.update({update.key: json.loads(update.value_json) for update in record.run.config.update})
            elif record.WhichOneof("record_type") == "history":
                row = {
                    item.key or "/".join(item.nested_key): json.loads(item.value_json) for item in record.history.item
                }
                rows.append((record.history.step.num, row))
        store.close()
    return ids, projects, settings, rows


@unittest.skipUnless(importlib.util.find_spec("wandb"), "wandb is not installed: scripts/setup.sh installs it")
class WandbTest(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.run = self.root / "run"
        self.environment = {
            **os.environ,
            "PYTHONPATH": str(PACKAGES),
            "HOME": str(self.root),
            "WANDB_MODE": "offline",
            "DRAY_PYTHON": sys.executable,
        }

    def write_run(self, reports):
        self.run.mkdir(exist_ok=True)
        (self.run / "config.yaml").write_text(CONFIG)
        (self.run / "metrics.jsonl").write_text("".join(REPORTS.splitlines(keepends=True)[:reports]))

    def send(self, *words, code=0, **environment):
        done = subprocess.run(
            [sys.executable, "-m", "dray.command", "wandb", "--run-dir", self.run, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={**self.environment, **environment},
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        return done.stdout + done.stderr

    def train(self, *words, **environment):
        done = subprocess.run(
            [TRAIN, "--runner", "local", *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env={**self.environment, **environment},
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_every_number_is_at_its_step_and_settings_have_their_types(self):
        self.write_run(4)
        self.assertIn("wandb sync", self.send("--project", "mine"))
        _, projects, settings, rows = read_back(self.run)
        self.assertEqual(projects, {"mine"})
        self.assertEqual((settings["ppo"]["gamma"], settings["network"]["hidden"]), (0.98, [64, 64]))
        self.assertEqual([step for step, _ in rows], [100, 200, 300, 400])
        self.assertAlmostEqual(rows[2][1]["train/kl_k1"], 0.3)
        self.assertNotIn("eval/return_mean", rows[0][1])

    def test_a_second_call_sends_what_is_new_to_the_same_run(self):
        self.write_run(2)
        self.send()
        self.write_run(4)
        self.send()
        ids, _, _, rows = read_back(self.run)
        self.assertEqual(len(ids), 1)
        self.assertEqual([step for step, _ in rows], [100, 200, 300, 400])

    def test_what_went_wrong_is_one_line(self):
        self.assertIn("run has no metrics.jsonl", self.send(code=2))
        self.write_run(1)
        self.assertIn(
            "log in with `wandb login`, or set WANDB_MODE=offline",
            self.send(code=1, WANDB_MODE="online", WANDB_API_KEY=""),
        )
        (self.root / "wandb.py").write_text("raise ImportError('not here')")
        self.assertIn("pip install 'dray[wandb]'", self.send(code=1, PYTHONPATH=f"{self.root}:{PACKAGES}"))

    def test_train_starts_it_and_a_resumed_training_goes_on(self):
        run = (
            "--config",
            "configs/cartpole.yaml",
            "--run-dir",
            self.run,
            "--wandb",
            "mine",
            "--set",
            "evaluation.episodes=2",
        )
        self.train(*run, "--epochs", "3")
        self.train("--resume", self.run, "--epochs", "5")
        reports = [json.loads(line) for line in (self.run / "metrics.jsonl").read_text().splitlines()]
        ids, projects, settings, rows = read_back(self.run)
        self.assertEqual((len(ids), projects, settings["run"]["wandb"]), (1, {"mine"}, "mine"))
        self.assertEqual([step for step, _ in rows], [report["total_steps"] for report in reports])
        self.assertEqual(rows[-1][1]["eval/return_mean"], reports[-1]["eval/return_mean"])

    def test_a_failure_is_one_warning_and_the_training_ends_well(self):
        text = self.train(
            "--config",
            "configs/smoke.yaml",
            "--run-dir",
            self.run,
            "--wandb",
            "mine",
            WANDB_MODE="online",
            WANDB_API_KEY="",
        )
        self.assertEqual(text.count("Warning: nothing goes to W&B for now: dray: W&B cannot be reached"), 1, text)
        self.assertTrue((self.run / "weights.pt").is_file())


if __name__ == "__main__":
    unittest.main()
