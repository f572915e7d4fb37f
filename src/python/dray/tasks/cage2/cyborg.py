"""CAGE challenge 2 with CybORG's calls, played by Dray's step-exact game: a thousand times as fast.

    from dray.cyborg import ChallengeEnv, evaluate

    env = ChallengeEnv(red="B_line")             # in place of ChallengeWrapper(env=CybORG(...), agent_name="Blue")
    bits = env.reset()
    bits, reward, done, info = env.step(3)       # "Analyse Enterprise0"
    print(env.get_table())

    evaluate(agent, episodes=100)                # the challenge's evaluation.py: B_line, Meander and Sleep for 30, 50 and 100 steps

An agent has get_action(observation, action_space) and may have end_episode(). docs/cage2_for_cyborg_users.md has more.
"""

import statistics
from collections.abc import Callable
from typing import Any, Protocol

import numpy
from numpy.typing import ArrayLike, NDArray

from dray.batch import Batch
from dray.tasks.cage2.adapter import ACTIONS, HOSTS, action_name

REDS = {"B_line": "bline", "Meander": "meander", "Sleep": "sleep"}
LENGTHS = (30, 50, 100)

# Four bits for each host: what happened on it, and how far red has come, as blue can tell.
_ACTIVITY = {(0, 0): "None", (1, 0): "Scan", (1, 1): "Exploit"}
_COMPROMISED = {(0, 0): "No", (1, 0): "Unknown", (0, 1): "User", (1, 1): "Privileged"}


def blue_table(bits: ArrayLike) -> list[tuple[str, str, str]]:
    """Returns the rows of CybORG's BlueTable for blue's 52 bits: host, activity, compromised."""
    rows = numpy.asarray(bits, int).reshape(len(HOSTS), 4)
    return [(host, _ACTIVITY[tuple(row[:2])], _COMPROMISED[tuple(row[2:])]) for host, row in zip(HOSTS, rows)]


class Agent(Protocol):
    """A defender with the challenge's interface. It may also have end_episode()."""

    def get_action(self, observation: NDArray[numpy.float32], action_space: int) -> int: ...


class ChallengeEnv:
    """The game with CybORG's calls.

    `red` is B_line, Meander or Sleep; further settings are those of env.cage2 (configs/REFERENCE.md), such as
    release="leaderboard" for the rules of the challenge. Rewards are blue's.
    """

    def __init__(self, red: str = "B_line", max_steps: int = 100, seed: int | None = None, **settings: Any) -> None:
        if red not in REDS:
            raise ValueError(f"red is one of {', '.join(REDS)}, not {red}")
        seed = int(numpy.random.SeedSequence().generate_state(1)[0]) if seed is None else seed
        self._batch = Batch(
            "cage2", seed=seed, settings={**settings, "red": REDS[red], "max_steps": max_steps, "interface": "raw"}
        )
        if self._batch.spec["observation_size"] != 4 * len(HOSTS):
            raise ValueError("the challenge's observation is 52 bits: ChallengeEnv takes no settings that add to it")
        self.possible_actions = [action_name(action) for action in range(ACTIONS)]
        self._begun = False
        self._last: int | None = None

    def reset(self) -> NDArray[numpy.float32]:
        batch = self._batch
        with batch.lock:
            if not self._begun:  # else the last episode's end has begun this one
                batch.reset()
            self._begun, self._last = False, None
            self._bits = batch.observations[0].copy()
            return self._bits

    def step(self, action: int) -> tuple[NDArray[numpy.float32], float, bool, dict[str, Any]]:
        batch = self._batch
        with batch.lock:
            batch.step([action])
            self._begun = bool(batch.terminated[0] or batch.truncated[0])
            self._bits = (batch.final_observations if self._begun else batch.observations)[0].copy()
            self._last = int(batch.actions[0])
            return self._bits, round(float(batch.rewards[0]), 6), self._begun, {}

    def get_action_space(self, agent: str = "Blue") -> int:
        return ACTIONS

    def get_last_action(self, agent: str = "Blue") -> str | None:
        """Returns the name of blue's last action; None before the first."""
        return None if self._last is None else self.possible_actions[self._last]

    def get_table(self) -> str:
        """Returns what blue knows of every host, as text."""
        rows = [("Hostname", "Activity", "Compromised"), *blue_table(self._bits)]
        return "\n".join(f"{host:13}{activity:10}{compromised}" for host, activity, compromised in rows)


def evaluate(
    agent: Agent, episodes: int = 100, seed: int = 0, say: Callable[[str], object] = print, **settings: Any
) -> dict[tuple[str, int], tuple[float, float]]:
    """Follows the challenge's protocol.

    Returns (mean, standard deviation) of the episodes' total rewards by (red, steps).
    """
    scores = {}
    for steps in LENGTHS:
        for red in REDS:
            env, totals = ChallengeEnv(red, steps, seed, **settings), []
            for _ in range(episodes):
                totals.append(_played(agent, env))
            scores[red, steps] = statistics.mean(totals), statistics.stdev(totals) if episodes > 1 else 0.0
            say(
                "Average reward for: {}, steps: {} is: {:.2f} with a standard deviation of {:.2f}".format(
                    red, steps, *scores[red, steps]
                )
            )
    return scores


def _played(agent: Agent, env: ChallengeEnv) -> float:
    observation, done, total = env.reset(), False, 0.0
    while not done:
        observation, reward, done, _ = env.step(agent.get_action(observation, env.get_action_space()))
        total += reward
    if hasattr(agent, "end_episode"):
        agent.end_episode()
    return total
