"""scripts/bench/cage2_original.py: its arithmetic, and a short run with stand-ins for CybORG and evaluate.

Arguments: scripts/bench/cage2_original.py, libdray_envs.so.
"""

import importlib.util
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT, LIBRARY = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
os.environ["DRAY_ENVS_LIBRARY"] = LIBRARY
spec = importlib.util.spec_from_file_location("cage2_original", SCRIPT)
original = importlib.util.module_from_spec(spec)
spec.loader.exec_module(original)

sys.path.insert(0, str(pathlib.Path("src/python").resolve()))
from dray import places  # noqa: E402
from dray.cage2_adapter import Cage2Adapter  # noqa: E402
from dray.policy import load_policy  # noqa: E402

# Stands in for CybORG: the cost of a step tells which action was played, and nothing ever happens.
FAKE_CYBORG = {
    "CybORG/__init__.py": "class CybORG:\n    def __init__(self, scenario, mode, agents):\n        assert list(agents) == ['Red']\n",
    "CybORG/Agents/__init__.py": "B_lineAgent = SleepAgent = object()\n",
    "CybORG/Agents/SimpleAgents/__init__.py": "",
    "CybORG/Agents/SimpleAgents/Meander.py": "RedMeanderAgent = object()\n",
    "CybORG/Agents/Wrappers/__init__.py": (
        "from dray.cage2_adapter import ACTIONS, action_name\n"
        "class ChallengeWrapper:\n"
        "    def __init__(self, env, agent_name):\n"
        "        self.possible_actions = [action_name(action) for action in range(ACTIONS)]\n"
        "    def reset(self):\n        return [0] * 52\n"
        "    def step(self, action):\n        return [0] * 52, -1.0 - action % 5, False, {}\n"
    ),
}
# As configs/cage2_mixture.yaml, which the pretrained policy was trained with.
SETTINGS = {"release": "leaderboard", "green": "off", "interface": "reduced", "observe_history": True}


def scores(returns, sem=0.0):
    """What evaluate prints; `returns`: by the number of steps."""
    return {
        red: {"returns": {str(steps): {"mean": returns[steps], "sem": sem} for steps in original.STEPS}}
        for red in original.REDS
    }


def returns_of_the_policy():
    """Returns of the pretrained policy in the stand-in, by the number of steps."""
    adapter, policy = Cage2Adapter(SETTINGS), load_policy(pretrained="cage2_mixture")
    observation, total, returns = adapter.reset([0] * 52), 0.0, {}
    for step in range(1, max(original.STEPS) + 1):
        total += -1.0 - adapter.take(policy.best_action(observation, adapter.mask())) % 5
        observation = adapter.observe([0] * 52)
        if step in original.STEPS:
            returns[step] = total
    return returns


class ArithmeticTest(unittest.TestCase):
    def compare(self, shift, spread=1.0):
        dray = {(red, steps): (-10.0, 0.0) for red in original.REDS for steps in original.STEPS}
        returns = {cell: [-10 + shift.get(cell, 0.0) + spread * noise for noise in (-1, 1) * 50] for cell in dray}
        return original.compare(dray, returns)

    def test_a_difference_is_counted_in_standard_errors(self):
        self.assertAlmostEqual(original.difference_z((-10, 3), (-20, 4)), -2)
        self.assertEqual(original.difference_z((-1, 0), (-1, 0)), 0)
        self.assertEqual(original.difference_z((-1, 0), (-1.1, 0)), -math.inf)

    def test_one_cell_far_off_or_all_somewhat_off_is_a_failure(self):
        self.assertTrue(self.compare({})["agree"])
        self.assertTrue(self.compare({("bline", 30): 0.3})["agree"])  # 3 standard errors
        self.assertFalse(self.compare({("bline", 30): 0.4})["agree"])
        everywhere = {(red, steps): 0.2 for red in original.REDS for steps in original.STEPS}
        self.assertFalse(self.compare(everywhere)["agree"])

    def test_cells_without_chance_must_be_equal_and_do_not_count_in_the_mean_square(self):
        still = self.compare({}, spread=0)
        self.assertTrue(still["agree"])
        self.assertEqual(still["rms_z"], 0)
        self.assertFalse(self.compare({("sleep", 30): -1.0}, spread=0)["agree"])


class RunTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.clone = self.folder / "clone"
        for name, text in FAKE_CYBORG.items():
            path = self.clone / "CybORG" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        git = ["git", "-C", str(self.clone), "-c", "user.name=test", "-c", "user.email=test@example.com"]
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "a stand-in"]):
            subprocess.run(git + words, check=True)
        self.run_dir = self.folder / "run"
        self.run_dir.mkdir()
        (self.run_dir / "config.yaml").write_text(json.dumps({"env": {"name": "cage2", "cage2": SETTINGS}}))
        (self.run_dir / "checkpoints").mkdir()
        shutil.copy(
            places.configs() / "pretrained/cage2_mixture.ckpt", self.run_dir / "checkpoints/epoch_00000001.ckpt"
        )
        self.returns = returns_of_the_policy()

    def run_script(self, returns, *flags):
        program = self.folder / "evaluate"
        program.write_text(f"#!/bin/sh\necho '{json.dumps({'scores': scores(returns)})}'\n")
        program.chmod(0o755)
        command = [
            sys.executable,
            SCRIPT,
            "--run-dir",
            self.run_dir,
            "--cyborg",
            self.clone,
            "--python",
            sys.executable,
            "--evaluate",
            program,
            "--episodes",
            "30",
            *flags,
        ]
        return subprocess.run([str(word) for word in command], capture_output=True, text=True)

    def test_the_policy_s_actions_are_played_in_the_commit_s_files(self):
        numbers = self.folder / "numbers.json"
        result = self.run_script(self.returns, "--commit", "HEAD", "--json", numbers)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertLess(self.returns[50], -60)  # other actions than Sleep
        self.assertIn(
            f"| Meander | 50 | {self.returns[50]:.2f} ± 0.00 | {self.returns[50]:.2f} ± 0.00 | +0.00 |", result.stdout
        )
        self.assertIn("release leaderboard", result.stdout)
        self.assertEqual(len(json.loads(numbers.read_text())["cells"]), 9)

    def test_other_scores_than_dray_s_fail(self):
        result = self.run_script({steps: total + 1 for steps, total in self.returns.items()}, "--commit", "HEAD")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("THEY DIFFER", result.stdout)

    def test_too_few_episodes_for_a_verdict_are_refused(self):
        result = self.run_script(self.returns, "--commit", "HEAD", "--episodes", "29")
        self.assertEqual(result.returncode, 2)
        self.assertIn("must be at least 30", result.stderr)

    def test_what_is_missing_is_said_in_one_line(self):
        result = self.run_script(self.returns)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stderr, r"^error: --cyborg .*: commit 606813b is not to be had .*clone https.*\n$")
        shutil.rmtree(self.run_dir / "checkpoints")
        result = self.run_script(self.returns, "--commit", "HEAD")
        self.assertRegex(result.stderr, r"^error: .*/run.*checkpoint.*\n$")
        (self.run_dir / "config.yaml").write_text("env: {name: cartpole}")
        self.assertRegex(self.run_script(self.returns).stderr, "^error: .* is a run of cartpole, not of cage2\n$")


if __name__ == "__main__":
    unittest.main()
