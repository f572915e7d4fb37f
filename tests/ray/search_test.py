"""A search over workflows finds the same on Ray as in one process, whatever is killed on the way."""

import csv
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import unittest

import training_on_ray
from training_on_ray import CONFIGS, PATIENCE_S, wait_until

SEARCH = os.path.abspath(sys.argv.pop(1))

# A quarter of a second each on an idle core.
SETTINGS = (
    "env.cage2.max_steps=20",
    "network.hidden=[16]",
    "evaluation.episodes=2",
    "search.episodes=4",
    "search.compliance_at_least=0",
    "run.log_interval=1",
    "run.tensorboard=false",
)
FLAGS = ["--workflows", "4", "--parallel", "2", *(part for setting in SETTINGS for part in ("--set", setting))]


class SearchTest(training_on_ray.TrainingTest):
    def found(self, run):
        """The rows of search.csv without what depends on the clock."""
        with open(self.folder / run / "search.csv") as lines:
            return [{name: value for name, value in row.items() if name != "time (s)"} for row in csv.DictReader(lines)]

    def search_here(self, *flags):
        command = [
            SEARCH,
            "--runner",
            "local",
            "--config",
            CONFIGS / "cage2_workflow.yaml",
            "--run-dir",
            "local",
            *flags,
        ]
        subprocess.run(
            command, cwd=self.folder, env=self.environment(), check=True, capture_output=True, timeout=PATIENCE_S
        )
        return self.found("local")

    def search_on_ray(self, *flags):
        return self.start(*flags, config=CONFIGS / "cage2_workflow.yaml", program=SEARCH)

    def test_it_finds_what_a_local_search_finds(self):
        here = self.search_here(*FLAGS)
        self.assertEqual([row["trial"] for row in here], ["1", "2", "3", "4"])
        self.assertGreater(len({row["workflow"] for row in here}), 1)  # an order may be trained again
        search = self.search_on_ray(*FLAGS)
        self.assertEqual(search.end(), 0, search.output())
        self.assertEqual(self.found("run"), here)
        for name in ("orders.csv", "workflow-004/weights.pt"):
            files = [(self.folder / run / name).read_bytes() for run in ("local", "run")]
            self.assertEqual(*files, name)
        self.assertNotIn("was lost", search.output())

    def test_a_trial_that_is_killed_on_the_way_is_begun_again(self):
        # Longer, to be struck at.
        flags = (*FLAGS, "--set", "env.cage2.max_steps=100", "--set", "ray.heartbeat_interval_s=0.5")
        search = self.search_on_ray(*flags)
        process, folder = wait_until(self.trial_under_way, "a training that has reported")
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)  # it cannot do so itself
        os.kill(process, signal.SIGKILL)
        self.assertEqual(search.end(), 0, search.output())
        self.assertRegex(search.output(), r"workflow-00[1-4] was lost \(.*\); restarting it")
        self.assertEqual(search.output().count("was lost"), 1, search.output())
        self.assertEqual(self.found("run"), self.search_here(*flags))

    def trial_under_way(self):
        """The process of a trial that has written its first metrics, and its folder; None as long as there is none."""
        process = self.ray.actor("workflow-001")
        try:
            opened = [pathlib.Path(os.readlink(link)) for link in pathlib.Path(f"/proc/{process}/fd").iterdir()]
            reports = [path for path in opened if path.name == "metrics.jsonl" and path.stat().st_size > 0]
        except OSError:
            return None
        return (process, reports[0].parent.parent) if reports else None


if __name__ == "__main__":
    unittest.main()
