"""scripts/bench/waves_controller.py against a stand-in for the competition's controller; arguments: it, waves_serve, waves_replay."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import made_up_town
import numpy as np

CONTROLLER, SERVE, REPLAY = (os.path.abspath(sys.argv.pop(1)) for _ in range(3))
SEED = 7
HOUR = 3600


def section(text, title, columns):
    """Returns the last numbers of each line of a section of the instance."""
    lines = text.split(f"{title}\n")[1].splitlines()[: made_up_town.CUSTOMERS + 1]
    return np.array([[int(word) for word in line.split()][-columns:] for line in lines])


class Day:
    """Draws requests and describes them as the competition's environment does, and believes all routes."""

    def __init__(self, text):
        self.travel = section(text, "EDGE_WEIGHT_SECTION", made_up_town.CUSTOMERS + 1)
        self.windows = section(text, "TIME_WINDOW_SECTION", 2)
        self.services = section(text, "SERVICE_TIME_SECTION", 1)[:, 0]
        self.demands = section(text, "\nDEMAND_SECTION", 1)[:, 0]
        self.random = np.random.default_rng(SEED)
        first, last = (int((f(self.windows[1:, 0]) - HOUR) // HOUR) for f in (np.min, np.max))
        self.epochs = list(range(first, last + 1))
        self.requests = [(0, self.windows[0], 0, 0)]  # the depot
        self.open = []

    def observation(self, epoch):
        leaves = (epoch + 1) * HOUR
        drawn = [self.random.integers(made_up_town.CUSTOMERS, size=100) + 1 for _ in range(4)]
        for place, window, demand, service in zip(*drawn):
            window, demand, service = self.windows[window], self.demands[demand], self.services[service]
            begins = max(leaves + self.travel[0, place], window[0])
            if begins <= window[1] and begins + service + self.travel[place, 0] <= self.windows[0, 1]:
                self.open.append(len(self.requests))
                self.requests.append((int(place), window, int(demand), int(service)))
        shown = [0, *self.open]
        chosen = [self.requests[request] for request in shown]
        return {
            "current_epoch": epoch,
            "planning_starttime": leaves,
            "epoch_instance": {
                "request_idx": shown,
                "customer_idx": [place for place, _, _, _ in chosen],
                "time_windows": [[max(int(time) - leaves, 0) for time in window] for _, window, _, _ in chosen],
                "demands": [demand for _, _, demand, _ in chosen],
                "service_times": [service for _, _, _, service in chosen],
            },
        }


class WavesControllerTest(unittest.TestCase):
    def play(self, folder, *arguments):
        """Returns the routes of each epoch, as text to number."""
        text = made_up_town.instance_text("town")
        (folder / "town.txt").write_text(text)
        command = [
            sys.executable,
            CONTROLLER,
            "--instance",
            folder / "town.txt",
            "--serve",
            SERVE,
            "--seconds",
            "0.2",
            *arguments,
        ]
        day, played = Day(text), {}
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as solver:

            def tell(answer):
                solver.stdin.write(json.dumps(answer) + "\n")
                solver.stdin.flush()

            self.assertEqual(json.loads(solver.stdout.readline())["action"], "reset")
            tell({"observation": day.observation(day.epochs[0]), "info": {}})
            for epoch in day.epochs:
                asked = json.loads(solver.stdout.readline())
                self.assertEqual(asked["action"], "step")
                played[str(epoch)] = asked["data"]
                gone = {request for route in asked["data"] for request in route}
                day.open = [request for request in day.open if request not in gone]
                last = epoch == day.epochs[-1]
                observation = None if last else day.observation(epoch + 1)
                tell({"observation": observation, "reward": 0, "done": last, "info": {"error": None}})
            self.assertEqual(solver.wait(), 0)
        self.assertFalse(day.open, "in the last epoch, all must go")
        return played

    def test_its_routes_are_accepted_in_the_same_day(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for policy in ("conditional", "lazy"):
                played = self.play(folder, "--policy", policy)
                self.assertGreater(len(played), 2)
                days = folder / "days.jsonl"
                days.write_text(json.dumps({"instance": "town.txt", "seed": SEED, "epochs": played}) + "\n")
                done = subprocess.run([REPLAY, "--days", days], capture_output=True, text=True)
                self.assertEqual(done.stdout, "1 day: 1 accepted, 0 rejected, 0 cost mismatches\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
