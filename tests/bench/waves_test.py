"""scripts/bench/waves.py and waves_replay.py on a made-up competition; arguments: both scripts, waves_play, waves_replay."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import made_up_town

WAVES, REPLAY, PLAY, REPLAY_COMMAND = (os.path.abspath(sys.argv.pop(1)) for _ in range(4))
TEAMS = ("Kleopatra", "Team_sb", "OptiML", "baseline_greedy")


class WavesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.final = self.folder / "quickstart/instances/final"
        self.final.mkdir(parents=True)
        self.configs = []
        for number in range(3):
            (self.final / f"town{number}.txt").write_text(made_up_town.instance_text(f"town{number}"))
            self.configs.append({"instance": f"town{number}.txt", "instance_seed": 0, "static": True})
            self.configs.append({"instance": f"town{number}.txt", "instance_seed": 70 + number, "static": False})
        (self.final / "configs.json").write_text(json.dumps(self.configs))
        self.results = self.folder / "quickstart/results"
        greedy = self.play_greedily()
        for team in TEAMS:
            (self.results / team).mkdir(parents=True)
            for number, day in greedy.items():
                text = f"--- Controller ---\nCost of solution: {day['cost']}\nSolution:\n{json.dumps(day['epochs'])}\n"
                (self.results / team / f"run_dynamic_{number}.out").write_text(text)

    def play_greedily(self):
        """Days by their number in the competition's list."""
        numbers = [number for number, config in enumerate(self.configs) if not config["static"]]
        lines = [
            {"instance": str(self.final / config["instance"]), "seed": config["instance_seed"], "epochs": {}}
            for config in map(self.configs.__getitem__, numbers)
        ]
        days, out = self.folder / "greedy.jsonl", self.folder / "greedy.out.jsonl"
        days.write_text("".join(json.dumps(line) + "\n" for line in lines))
        words = [PLAY, "--days", days, "--policy", "greedy", "--rounds", "50", "--threads", "1", "--out", out]
        subprocess.run(words, check=True, capture_output=True)
        return dict(zip(numbers, map(json.loads, out.read_text().splitlines()), strict=True))

    def run_script(self, script, *arguments):
        words = [sys.executable, script, "--quickstart", self.folder / "quickstart", "--waves-replay", REPLAY_COMMAND]
        return subprocess.run([str(word) for word in [*words, *arguments]], capture_output=True, text=True)

    def test_every_plan_is_replayed_at_its_cost(self):
        done = self.run_script(REPLAY)
        self.assertEqual(done.returncode, 0, done.stderr)
        for team in TEAMS:
            self.assertRegex(done.stdout, rf"\| {team} \| 3 of 3 \| 0 \| [\d,.]+ \| 0 \|")

    def test_a_wrong_cost_is_found(self):
        path = self.results / "OptiML" / "run_dynamic_1.out"
        path.write_text(path.read_text().replace("solution: ", "solution: 1"))
        done = self.run_script(REPLAY)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stdout, r"\| OptiML \| 3 of 3 \| 0 \| [\d,.]+ \| 1 \|")

    def test_days_are_played_checked_and_compared(self):
        arguments = (
            "--waves-play",
            PLAY,
            "--policy",
            "greedy",
            "--rounds",
            "50",
            "--out",
            self.folder / "played.jsonl",
        )
        done = self.run_script(WAVES, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("mean cost ", done.stdout)
        self.assertIn("of 3 days, all checked", done.stdout)
        # The same policy played the "teams".
        self.assertRegex(done.stdout, r"\| Kleopatra, the winner \| [\d,.]+ \| \+0 ± 0 \| 0 of 3 \|")
        before = (self.folder / "played.jsonl").read_text()
        again = self.run_script(WAVES, *arguments)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual((self.folder / "played.jsonl").read_text(), before)


if __name__ == "__main__":
    unittest.main()
