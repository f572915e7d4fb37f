"""Plays CybORG with a policy of Dray; started by scripts/bench/cage2_original.py in CybORG's interpreter.

  cage2_original_worker.py settings RUN                                                    the run's env.cage2 as JSON
  cage2_original_worker.py play RUN --cyborg FOLDER --red bline --steps 30 --episodes 100 --seed 1

`play` prints the return of each episode on its own line.
"""

import argparse
import json
import pathlib
import random
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/python"))
from dray.cage2_adapter import ACTIONS, Cage2Adapter, action_name  # noqa: E402
from dray.error import Error  # noqa: E402
from dray.policy import load_policy, read_config  # noqa: E402


def settings_of(run):
    """Returns env.cage2 of a run, if it can be played here."""
    env = read_config(run)["env"]
    if env["name"] != "cage2":
        raise SystemExit(f"error: {run} is a run of {env['name']}, not of cage2")
    settings = env["cage2"]
    if settings.get("green") not in (False, "off", None):
        raise SystemExit(
            "error: this run was trained with env.cage2.green: on; the challenge evaluates without green, and so does this script"
        )
    workflow = settings.get("workflow") or {}
    if workflow.get("enabled") and not workflow.get("order"):
        raise SystemExit(
            "error: this run draws a workflow order for each episode; train one with a fixed order to compare"
        )
    return settings


def make_game(folder, red, wrapper):
    """Makes CybORG like the challenge's evaluation.py: reset() returns 52 bits, step(action) returns bits, reward, done, info."""
    sys.path.insert(0, str(folder / "CybORG"))
    import CybORG as package
    from CybORG.Agents import B_lineAgent, SleepAgent
    from CybORG.Agents.SimpleAgents.Meander import RedMeanderAgent
    from CybORG.Agents.Wrappers import ChallengeWrapper

    scenario = pathlib.Path(package.__file__).parent / "Shared/Scenarios/Scenario2.yaml"
    agent = {"bline": B_lineAgent, "meander": RedMeanderAgent, "sleep": SleepAgent}[red]
    game = package.CybORG(str(scenario), "sim", agents={"Red": agent})
    if wrapper == "cardiff":
        read_as_the_winner_does()
    return ChallengeWrapper(env=game, agent_name="Blue")


def read_as_the_winner_does():
    """The winner's wrapper differs in one place: connections beside a decoy that was just placed are shown as a scan."""
    from CybORG.Agents.Wrappers import BlueTableWrapper

    stock = BlueTableWrapper._interpret_connections

    def interpret(self, activity):
        shown = stock(self, activity)
        return "Scan" if shown == "None" and any("Connections" in item for item in activity) else shown

    BlueTableWrapper._interpret_connections = interpret


def check_numbering(game):
    """Checks that CybORG's action numbers, which it derives from the scenario, are those of the adapter."""
    layer = game
    while not hasattr(layer, "possible_actions"):
        layer = layer.env
    names = [str(action) for action in layer.possible_actions]
    expected = [action_name(action) for action in range(ACTIONS)]
    if names != expected:
        raise SystemExit(
            f"error: CybORG has {len(names)} actions, and not those of challenge 2's Scenario2: which commit is this?"
        )


def play(game, adapter, policy, steps):
    """Plays one episode and returns its return."""
    total = 0.0
    observation = adapter.reset(game.reset())
    for _ in range(steps):
        bits, reward, _, _ = game.step(adapter.take(policy.best_action(observation, adapter.mask())))
        observation = adapter.observe(bits)
        total += reward
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["settings", "play"])
    parser.add_argument("run", type=pathlib.Path)
    parser.add_argument("--cyborg", type=pathlib.Path)
    parser.add_argument("--red", choices=["bline", "meander", "sleep"])
    parser.add_argument("--steps", type=int)
    parser.add_argument("--episodes", type=int)
    parser.add_argument("--seed", type=int)
    arguments = parser.parse_args()
    settings = settings_of(arguments.run)
    if arguments.what == "settings":
        return print(json.dumps(settings))
    game = make_game(arguments.cyborg, arguments.red, settings.get("wrapper", "stock"))
    adapter, policy = Cage2Adapter(settings), load_policy(arguments.run)
    random.seed(arguments.seed)  # CybORG's only source of randomness
    game.reset()
    check_numbering(game)
    for _ in range(arguments.episodes):
        print(f"return {play(game, adapter, policy, arguments.steps):.1f}", flush=True)


if __name__ == "__main__":
    try:
        main()
    except Error as error:
        sys.exit(f"error: {error}")
