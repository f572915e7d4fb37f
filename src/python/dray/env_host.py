"""Environments of one worker, which write what they return into memory shared with the engine."""

import contextlib
import mmap
import os
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from dray import carried_modules, hosted_env
from dray.env_columns import STATE, Columns, real
from dray.env_spaces import Mismatch
from dray.vector_host import VectorHost

_BOOLEANS = frozenset({bool, np.bool_, int})
_REALS = frozenset({float, int, np.float32, np.float64})

_forked = False


def _note_fork() -> None:
    global _forked
    _forked = True


os.register_at_fork(after_in_child=_note_fork)


def described(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Makes one environment and returns what Dray has to know about it."""
    env = hosted_env.make(setup["env"], setup["options"], setup["folder"])
    try:
        observation, info = hosted_env.begin(env, seed=0)
        spec = hosted_env.describe(env, info)
        hosted_env.check_observation(env, observation)
        return {**spec, "why_not_saved": _why_not_saved(env), "modules": carried_modules.collected(setup["folder"])}
    finally:
        env.close()


def host(setup: Mapping[str, Any], memory: mmap.mmap) -> "Host | VectorHost":
    """Makes the environments of a worker, one per row of the columns in `memory`."""
    carried_modules.provide(setup["spec"].get("modules", ""), setup["folder"])
    columns, count = Columns(setup, memory), len(setup["seeds"])

    def make() -> hosted_env.AnyEnv:
        return hosted_env.make(setup["env"], setup["options"], setup["folder"], count)

    env = make()
    if isinstance(env, gymnasium.vector.VectorEnv):
        return VectorHost(setup, columns, env)
    return Host(setup, columns, [env, *(make() for _ in range(count - 1))])


class Host:
    """Several environments, which are stepped one after the other."""

    def __init__(self, setup: Mapping[str, Any], columns: Columns, envs: list[Any]) -> None:
        self._spec, self._columns, self._envs = setup["spec"], columns, envs
        self._seeds: list[int | None] = list(setup["seeds"])
        self._restarting: set[int] = set()
        self._loaded: dict[int, bytes] = {}  # states that are still current: pickling them again would give other bytes
        self._spaces: list[Any] = [None] * len(envs)
        columns.bind(*hosted_env.spaces_of(envs[0]))
        self._find_methods()

    @property
    def row(self) -> int:
        """The environment that is being stepped, reset, saved or loaded."""
        return self._columns.at[0]

    def close(self) -> None:
        for env in self._envs:
            _close(env)

    def reset(self) -> None:
        """Starts an episode in every environment."""
        self._restarting.clear()
        self._loaded.clear()
        for row in range(len(self._envs)):
            self._at(row)
            self._begin_episode(row)

    def step(self) -> None:
        """Steps every environment and starts the next episode of those that end."""
        columns, steps, at, masked = self._columns, self._steps, self._columns.at, self._spec["masked"]
        act, observe, rewards = columns.act, columns.observe, columns.rewards
        columns.clear()
        self._loaded.clear()
        for row in range(len(steps)):
            at[0] = row
            if self._restarting and row in self._restarting:
                self._restart(row)
                continue
            outcome = steps[row](act(row))
            if _forked:
                os._exit(0)
            try:
                observation, reward, terminated, truncated, info = outcome
            except (TypeError, ValueError):
                raise Mismatch("step did not return (observation, reward, terminated, truncated, info)") from None
            if terminated.__class__ not in _BOOLEANS or truncated.__class__ not in _BOOLEANS:
                raise Mismatch(f"terminated is {terminated!r} and truncated is {truncated!r}: both must be bool")
            rewards[row] = reward if reward.__class__ in _REALS else real(reward, "the reward")
            if terminated or truncated:
                columns.terminated[row], columns.truncated[row] = bool(terminated), bool(truncated)
                columns.observe_final[row](observation)
                columns.write_stats(row, info)
                self._begin_episode(row)
            else:
                observe[row](observation)
                if masked:
                    self._write_mask(row, info)

    def save(self) -> bytes:
        """Returns the states of all environments; one that cannot be saved is empty."""
        parts = []
        for row, env in enumerate(self._envs):
            self._at(row)
            state = self._state(row, env)
            parts.append(STATE.pack(0, len(state)) + state)
        return b"".join(parts)

    def _state(self, row: int, env: Any) -> bytes:
        if self._spec["why_not_saved"] or row in self._restarting:
            return b""
        return self._loaded.get(row) or hosted_env.saved(env)

    def load(self, states: bytes) -> None:
        """Restores states; an environment whose state is empty starts a new episode in the next step."""
        self._restarting.clear()
        self._loaded.clear()
        start = 0
        for row, env in enumerate(self._envs):
            self._at(row)
            seed, size = STATE.unpack_from(states, start)
            start += STATE.size
            if size:
                self._loaded[row] = states[start : start + size]
                self._envs[row], self._seeds[row] = hosted_env.restored(env, self._loaded[row]), None
                self._spaces[row] = self._envs[row].observation_space
                if self._envs[row] is not env:
                    _close(env)
            else:
                self._seeds[row] = seed
                self._restarting.add(row)
            start += size
        self._find_methods()

    def _at(self, row: int) -> None:
        self._columns.at[0] = row

    def _find_methods(self) -> None:
        self._steps = [env.step for env in self._envs]
        self._masks = [hosted_env.attribute(env, "action_masks") for env in self._envs]

    def _restart(self, row: int) -> None:
        self._restarting.discard(row)
        self._columns.end_without_step(row)
        self._begin_episode(row)

    def _begin_episode(self, row: int) -> None:
        env = self._envs[row]
        observation, info = hosted_env.begin(env, self._seeds[row])
        self._seeds[row] = None
        if self._spaces[row] is None:
            hosted_env.compare(env, info, self._spec)
        elif (
            env.observation_space is not self._spaces[row]
            and str(env.observation_space) != self._spec["observation_space"]
        ):
            raise Mismatch(
                f"the observation space became {env.observation_space}, it was {self._spec['observation_space']}"
            )
        self._spaces[row] = env.observation_space
        self._columns.observe[row](observation)
        if self._spec["masked"]:
            self._write_mask(row, info)

    def _write_mask(self, row: int, info: Mapping[str, Any]) -> None:
        mask = info.get("action_mask")
        if mask is None:
            if self._masks[row] is None:
                raise Mismatch('info has no "action_mask", which it had at first')
            mask = self._masks[row]()
        self._columns.write_mask[row](mask)


def _close(env: Any) -> None:
    with contextlib.suppress(Exception):
        env.close()


def _why_not_saved(env: Any) -> str:
    if isinstance(env, gymnasium.vector.VectorEnv):
        return "the environments of a VectorEnv have no states of their own"
    try:
        hosted_env.restored(env, hosted_env.saved(env))
    except Exception as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return ""
