"""scripts/bench/cage2.py: its arithmetic, and short runs of it without peers and with stand-ins for them.

Arguments: scripts/bench/cage2.py, the programs cage2_speed and train.
"""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT, SPEED, TRAIN = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
spec = importlib.util.spec_from_file_location("cage2", SCRIPT)
cage2 = importlib.util.module_from_spec(spec)
spec.loader.exec_module(cage2)

# Stands in for CybORG: every step costs one point.
FAKE_CYBORG = {
    "CybORG/__init__.py": "class CybORG:\n    def __init__(self, scenario, mode, agents):\n        assert list(agents) == ['Red']\n",
    "CybORG/Agents/__init__.py": "B_lineAgent = object()\n",
    "CybORG/Agents/SimpleAgents/__init__.py": "",
    "CybORG/Agents/SimpleAgents/Meander.py": "RedMeanderAgent = object()\n",
    "CybORG/Agents/Wrappers/__init__.py": (
        "class ChallengeWrapper:\n"
        "    def __init__(self, env, agent_name):\n        assert agent_name == 'Blue'\n"
        "    def reset(self):\n        return [0] * 52\n"
        "    def step(self, action):\n        assert 0 <= action < 145\n        return [0] * 52, -1.0, False, {}\n"
    ),
}


def run_of(side, repeat, steps_per_s, red="bline"):
    return {
        "red": red,
        "side": side,
        "repeat": repeat,
        "steps": steps_per_s,
        "seconds": 1.0,
        "cpu_s": 0.5,
        "mean_return": -1.0,
    }


class SummaryTest(unittest.TestCase):
    def test_a_ratio_is_taken_within_its_repeat(self):
        runs = [
            run_of("batch", 0, 100),
            run_of("cyborg", 0, 10),
            run_of("batch", 1, 300),
            run_of("cyborg", 1, 10),
            run_of("batch", 2, 200),
            run_of("cyborg", 2, 2),
            run_of("batch", 0, 7, "meander"),
        ]
        table = {(entry["red"], entry["side"]): entry for entry in cage2.summarise(runs)}
        self.assertEqual(table["bline", "cyborg"]["dray_over_this"], {"median": 30, "min": 10, "max": 100})
        self.assertEqual(table["bline", "batch"]["steps_per_s"], {"median": 200, "min": 100, "max": 300})
        self.assertEqual(table["bline", "batch"]["steps_per_cpu_s"], {"median": 400, "min": 200, "max": 600})
        self.assertIsNone(table["bline", "batch"]["dray_over_this"])
        self.assertNotIn(("meander", "cyborg"), table)

    def test_a_workflow_is_counted_by_both_clocks(self):
        workflow = cage2.summarise_workflow(
            [{"repeat": 0, "cores": 2, "episodes": 1200, "seconds": 2.0, "process_s": 3.0, "cpu_s": 4.0}]
        )
        self.assertEqual(workflow["episodes_per_s"]["median"], 600)
        self.assertEqual(workflow["process_episodes_per_s"]["median"], 400)
        self.assertEqual(workflow["episodes_per_cpu_s"]["median"], 300)
        self.assertEqual(workflow["over_original"]["median"], 15)
        self.assertIsNone(cage2.summarise_workflow([]))


class RunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, files):
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def run_script(self, *flags):
        """The printed lines and the numbers of a run that is as short as it can be."""
        out = self.folder / "cage2.json"
        command = [
            sys.executable,
            SCRIPT,
            "--cage2-speed",
            SPEED,
            "--train",
            TRAIN,
            "--seconds",
            "0",
            "--repeats",
            "1",
            "--train-flag=--set",
            "--train-flag=train.episodes=25",
            "--json",
            str(out),
            *flags,
        ]
        ended = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
        return ended.stdout.splitlines(), json.loads(out.read_text())

    def test_without_peers_it_measures_dray_and_says_what_is_missing(self):
        lines, results = self.run_script()
        sides = {(entry["red"], entry["side"]) for entry in results["table"]}
        self.assertEqual(
            sides, {(red, side) for red in ("bline", "meander") for side in ("batch", "game", "workflow", "reduced")}
        )
        for entry in results["table"]:
            self.assertGreater(entry["steps_per_s"]["median"], 0)
        self.assertIn("MiniCAGE: not measured: give its folder with --minicage", lines)
        self.assertIn("CybORG: not measured: give its folder with --cyborg", lines)
        self.assertEqual(results["workflow"]["episodes"], 25)
        self.assertEqual(len([line for line in lines if line.startswith("| B_line | Dray")]), 4)
        self.assertEqual(len([line for line in lines if line.startswith("| by the ")]), 2)
        inputs = {run["side"]: run["inputs"] for run in results["runs"] if "inputs" in run}
        self.assertEqual(inputs, {"batch": 0, "game": 0, "workflow": 77, "reduced": 62})

    def test_a_peer_is_played_and_compared(self):
        self.write(FAKE_CYBORG)
        _, results = self.run_script("--cyborg", str(self.folder))
        peer = {entry["red"]: entry for entry in results["table"] if entry["side"] == "cyborg"}
        self.assertEqual(set(peer), {"bline", "meander"})
        self.assertEqual(peer["bline"]["mean_return"], -100)
        self.assertGreater(peer["bline"]["dray_over_this"]["median"], 0)
        self.assertEqual(results["not_measured"], {"MiniCAGE": "give its folder with --minicage"})

    def test_a_peer_that_does_not_import_is_one_line(self):
        self.write({"mini_CAGE/__init__.py": "import no_such_package\n"})
        lines, results = self.run_script("--minicage", str(self.folder), "--cyborg", str(self.folder))
        self.assertIn("MiniCAGE: not measured: ModuleNotFoundError: No module named 'no_such_package'", lines)
        self.assertIn(f"CybORG: not measured: no CybORG/__init__.py in {self.folder.resolve()}", lines)
        self.assertEqual(len(results["table"]), 8)


if __name__ == "__main__":
    unittest.main()
