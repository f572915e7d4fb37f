"""Environments of one worker, which write what they return into memory shared with the engine."""

import contextlib
import mmap
import os
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

from dray import carried_modules, hosted_env
from dray.env_spaces import Actions, Mismatch, Write, writer

_STATE = struct.Struct("<QQ")  # before each state: the seed for a new episode, and the length
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
        observation, info = _reset(env, 0)
        spec = hosted_env.describe(env, info)
        writer(env.observation_space, np.zeros(spec["observation_size"], np.float32))(observation)
        return {**spec, "why_not_saved": _why_not_saved(env), "modules": carried_modules.collected(setup["folder"])}
    finally:
        env.close()


class Host:
    """Several environments, one per row of the columns in `memory`."""

    def __init__(self, setup: Mapping[str, Any], memory: mmap.mmap) -> None:
        self._spec = setup["spec"]
        self._columns = _Columns(setup, memory)
        self._seeds: list[int | None] = list(setup["seeds"])
        self._restarting: set[int] = set()
        carried_modules.provide(self._spec.get("modules", ""), setup["folder"])
        self._loaded: dict[int, bytes] = {}  # states that are still current: pickling them again would give other bytes
        self._envs = [hosted_env.make(setup["env"], setup["options"], setup["folder"]) for _ in self._seeds]
        self._spaces: list[Any] = [None] * len(self._envs)
        self._columns.bind(self._envs[0])
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
            rewards[row] = reward if reward.__class__ in _REALS else _real(reward, "the reward")
            if terminated or truncated:
                columns.terminated[row], columns.truncated[row] = bool(terminated), bool(truncated)
                columns.observe_final[row](observation)
                self._write_stats(row, info)
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
            parts.append(_STATE.pack(0, len(state)) + state)
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
            seed, size = _STATE.unpack_from(states, start)
            start += _STATE.size
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
        observation, info = _reset(env, self._seeds[row])
        self._seeds[row] = None
        if self._spaces[row] is None:
            self._compare(env, info)
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

    def _compare(self, env: Any, info: Mapping[str, Any]) -> None:
        for key, value in hosted_env.describe(env, info).items():
            if value != self._spec[key]:
                raise Mismatch(f"its {key.replace('_', ' ')} is {value}, that of the run is {self._spec[key]}")

    def _write_mask(self, row: int, info: Mapping[str, Any]) -> None:
        mask = info.get("action_mask")
        if mask is None:
            if self._masks[row] is None:
                raise Mismatch('info has no "action_mask", which it had at first')
            mask = self._masks[row]()
        self._columns.write_mask[row](mask)

    def _write_stats(self, row: int, info: Mapping[str, Any]) -> None:
        for place, name in enumerate(self._spec["episode_stats"]):
            if name not in info:
                raise Mismatch(f'info of the last step has no "{name}", which episode_stats names')
            self._columns.stats[row, place] = _real(info[name], f'info["{name}"]')


class _Columns:
    """Views of the shared memory."""

    def __init__(self, setup: Mapping[str, Any], memory: mmap.mmap) -> None:
        spec, places = setup["spec"], setup["columns"]
        rows, size = len(setup["seeds"]), spec["observation_size"]
        values = len(spec["actions"].get("low", []))
        masks = spec["actions"].get("count", 0) if spec["masked"] else 0
        whole = memoryview(memory)

        def items(name: str, item: Any, count: int) -> Any:  # a memoryview sets single numbers faster than an array
            return whole[places[name] : places[name] + count * struct.calcsize(item)].cast(item)

        def array(name: str, dtype: Any, width: int) -> np.ndarray:
            return np.ndarray((rows, width), dtype, memory, places[name])

        self.at = items("at", "i", 1)
        self.rewards = items("rewards", "f", rows)
        self.terminated, self.truncated = items("terminated", "B", rows), items("truncated", "B", rows)
        self.stats = array("stats", np.float64, len(spec["episode_stats"]))
        self._indices = items("actions", "i", rows)
        self._values = array("actions", np.float32, values)
        self._observations = array("observations", np.float32, size)
        self._finals = array("final_observations", np.float32, size)
        self._masks = array("masks", np.uint8, masks)
        self._ended = bytes(rows)

    def bind(self, env: Any) -> None:
        """Prepares one function per row for all that is read and written."""
        space, actions = env.observation_space, Actions(env.action_space)
        self.observe: list[Write] = [writer(space, row) for row in self._observations]
        self.observe_final: list[Write] = [writer(space, row) for row in self._finals]
        self.write_mask: list[Write] = [actions.mask_writer(row) for row in self._masks] if self._masks.size else []
        indices = self._indices
        if actions.choices is None:
            readers = [actions.reader(row) for row in self._values]
            self.act = lambda row: readers[row]()
        elif isinstance(actions.choices[0], int):
            choices = actions.choices
            self.act = lambda row: choices[indices[row]]
        else:
            self.act = lambda row: actions.choice(indices[row])

    def clear(self) -> None:
        self.terminated[:] = self._ended
        self.truncated[:] = self._ended

    def end_without_step(self, row: int) -> None:
        """Ends an episode that cannot be continued, as if its time limit were reached."""
        self.rewards[row], self.truncated[row] = 0, 1
        self._finals[row] = self._observations[row]


def _reset(env: Any, seed: int | None) -> tuple[Any, Mapping[str, Any]]:
    start = env.reset() if seed is None else env.reset(seed=seed)
    if not isinstance(start, tuple) or len(start) != 2 or not isinstance(start[1], Mapping):
        raise Mismatch("reset did not return (observation, info)")
    return start


def _close(env: Any) -> None:
    with contextlib.suppress(Exception):
        env.close()


def _real(value: Any, what: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Mismatch(f"{what} is {value!r}, not a number") from None


def _why_not_saved(env: Any) -> str:
    try:
        hosted_env.restored(env, hosted_env.saved(env))
    except Exception as error:
        return " ".join(f"{type(error).__name__}: {error}".split())
    return ""
