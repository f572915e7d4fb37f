"""Times CybORG or MiniCAGE with random blue actions; started by scripts/bench/cage2.py in the peers' interpreter.

  cage2_worker.py cyborg|minicage FOLDER bline|meander --envs 25 --steps 100 --seconds 5 --seed 1

A round is one episode in each environment, including resets and sampling of actions. Plays at least one round, until the time is
over. The last line printed is the result as JSON.
"""

import argparse
import json
import pathlib
import random
import sys
import time

BLUE_ACTIONS = {"cyborg": 145, "minicage": 53}
WARM_UP_STEPS = 10


class CybORGEnvs:
    """The challenge's own environments behind their ChallengeWrapper (52 bits, 145 actions), stepped in turn."""

    def __init__(self, folder, red, count):
        sys.path.insert(0, str(folder))
        import CybORG as package
        from CybORG.Agents import B_lineAgent
        from CybORG.Agents.SimpleAgents.Meander import RedMeanderAgent
        from CybORG.Agents.Wrappers import ChallengeWrapper

        scenario = pathlib.Path(package.__file__).parent / "Shared/Scenarios/Scenario2.yaml"
        agent = {"bline": B_lineAgent, "meander": RedMeanderAgent}[red]
        self.envs = [
            ChallengeWrapper(env=package.CybORG(str(scenario), "sim", agents={"Red": agent}), agent_name="Blue")
            for _ in range(count)
        ]

    def episode(self, steps):
        """Returns the sum of all environments' rewards."""
        total = 0.0
        for env in self.envs:
            env.reset()
        for _ in range(steps):
            for env in self.envs:
                observation, reward, _, _ = env.step(random.randrange(BLUE_ACTIONS["cyborg"]))
                total += reward
        if len(observation) != 52:
            raise SystemExit(f"CybORG shows {len(observation)} values instead of 52: is this challenge 2?")
        return total


class MiniCAGEEnvs:
    """All environments in numpy arrays, with MiniCAGE's own vectorised red agents."""

    def __init__(self, folder, red, count):
        sys.path.insert(0, str(folder))
        import numpy
        from mini_CAGE import B_line_minimal, Meander_minimal, SimplifiedCAGE

        self.numpy, self.count = numpy, count
        self.red = {"bline": B_line_minimal, "meander": Meander_minimal}[red]()
        self.env = SimplifiedCAGE(num_envs=count)

    def episode(self, steps):
        total = 0.0
        shown, _ = self.env.reset()
        for _ in range(steps):
            blue = self.numpy.random.randint(0, BLUE_ACTIONS["minicage"], (self.count, 1))
            red = self.red.get_action(observation=shown["Red"]).astype(int)
            shown, rewards, _, _ = self.env.step(blue_action=blue, red_action=red)
            total += float(rewards["Blue"].sum())
        return total


GAMES = {"cyborg": CybORGEnvs, "minicage": MiniCAGEEnvs}


def package_folder(game, folder):
    """Returns the folder for Python's path; `folder` is a repository or the folder of its package."""
    names = {"cyborg": "CybORG/__init__.py", "minicage": "mini_CAGE/__init__.py"}
    for candidate in (folder / "CybORG", folder, folder.parent):
        if (candidate / names[game]).exists():
            return candidate
    raise SystemExit(f"no {names[game]} in {folder}")


def play(game, steps, seconds, count):
    game.episode(min(steps, WARM_UP_STEPS))
    rounds, total, start, cpu_start = 0, 0.0, time.perf_counter(), time.process_time()
    while True:
        total += game.episode(steps)
        rounds += 1
        passed = time.perf_counter() - start
        if passed >= seconds:
            cpu_s = time.process_time() - cpu_start
            return {
                "steps": rounds * steps * count,
                "seconds": passed,
                "cpu_s": cpu_s,
                "mean_return": total / (rounds * count),
                "envs": count,
            }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("red", choices=["bline", "meander"])
    parser.add_argument("--envs", type=int, required=True)
    parser.add_argument("--steps", type=int, required=True)
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    folder = package_folder(arguments.game, arguments.folder.resolve())
    game = GAMES[arguments.game](folder, arguments.red, arguments.envs)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(arguments.seed)
    # The games print other lines; the result is the last one.
    print(json.dumps(play(game, arguments.steps, arguments.seconds, arguments.envs)))


if __name__ == "__main__":
    main()
