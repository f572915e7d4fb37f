"""Gymnasium's spaces as Dray sees them: an observation is a row of float32, an action one number or a row of them.

Observations are flattened in the order of gymnasium.spaces.flatten. Actions that are discrete in every part become one
discrete action: number k is the k-th combination, with the last part changing fastest.
"""

import copy
import itertools
import math
from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

MOST_COMBINATIONS = 4096

Write = Callable[[Any], None]


class Unsupported(Exception):
    """A space, or an environment, that Dray cannot train on; the message names it."""


class Mismatch(Exception):
    """An observation, action mask or outcome that is not of the kind that the environment declared."""


def observation_size(space: gymnasium.Space[Any]) -> int:
    """Returns how many numbers an observation of the space becomes; raises Unsupported for an unsupported one."""
    if isinstance(space, spaces.Box | spaces.MultiBinary):
        return math.prod(space.shape)
    if isinstance(space, spaces.Discrete):
        return int(space.n)
    if isinstance(space, spaces.MultiDiscrete):
        return int(space.nvec.sum())
    if isinstance(space, spaces.Tuple | spaces.Dict):
        return sum(observation_size(part) for _, part in _parts(space))
    raise Unsupported(f"observation space {space} is not supported: {_SUPPORTED}")


def writer(space: gymnasium.Space[Any], row: np.ndarray) -> Write:
    """Returns a function that writes an observation of the space into `row`."""
    if isinstance(space, spaces.Box | spaces.MultiBinary):
        return _write_numbers(space, row)
    if isinstance(space, spaces.Discrete):
        return _write_one_hot(space, row)
    if isinstance(space, spaces.MultiDiscrete):
        return _write_one_hots(space, row)
    writers, at = [], 0
    for key, part in _parts(space):
        size = observation_size(part)
        writers.append((key, writer(part, row[at : at + size])))
        at += size
    return _write_parts(space, writers)


class Actions:
    """An action space: what Dray draws from it, and how that becomes the environment's action."""

    def __init__(self, space: gymnasium.Space[Any]) -> None:
        self.space = space
        self.choices: list[Any] | None = None  # None: a box
        if _all_boxes(space):
            self.low, self.high = _bounds(space)
        else:
            self.choices = _choices(space)

    def described(self) -> dict[str, Any]:
        """Returns what Dray has to know."""
        if self.choices is not None:
            return {"count": len(self.choices)}
        return {"low": [float(value) for value in self.low], "high": [float(value) for value in self.high]}

    def choice(self, index: int) -> Any:
        """Returns a discrete action that the environment may change."""
        assert self.choices is not None
        return copy.deepcopy(self.choices[index])

    def reader(self, row: np.ndarray) -> Callable[[], Any]:
        """Returns a function that makes the environment's action from `row`, which holds a box."""
        space = self.space
        if isinstance(space, spaces.Box):
            shaped, dtype = row.reshape(space.shape), space.dtype
            return shaped.copy if dtype == np.float32 else lambda: shaped.astype(dtype)
        return lambda: spaces.unflatten(space, row.copy())

    def mask_writer(self, row: np.ndarray) -> Write:
        """Returns a function that writes an action mask into `row`: one entry per action, or one per value of each
        part of a MultiDiscrete or MultiBinary space.
        """
        assert self.choices is not None
        count = len(self.choices)
        table = _part_table(self.space)

        def write(mask: Any) -> None:
            given = np.asarray(mask)
            if given.dtype.kind not in "biu":
                raise Mismatch(f"the action mask is of type {given.dtype}, not int8 or bool")
            if given.shape == (count,):
                row[:] = given != 0
            elif table is not None and given.shape == (table.max() + 1,):
                row[:] = (given != 0)[table].all(axis=1)
            else:
                raise Mismatch(f"the action mask has shape {given.shape}, not ({count},)")

        return write


_SUPPORTED = "Box, Discrete, MultiDiscrete, MultiBinary, Tuple and Dict are"


def _parts(space: Any) -> list[tuple[Any, gymnasium.Space[Any]]]:
    return list(space.spaces.items() if isinstance(space, spaces.Dict) else enumerate(space.spaces))


def _write_numbers(space: Any, row: np.ndarray) -> Write:
    shape, dtype, target = space.shape, space.dtype, row.reshape(space.shape)

    def write(observation: Any) -> None:
        # The usual case needs no conversion.
        if observation.__class__ is not np.ndarray or observation.dtype is not dtype or observation.shape != shape:
            observation = np.asarray(observation)
            if observation.dtype.kind not in "fiub":
                raise Mismatch(f"the observation is of type {observation.dtype}, not {dtype}")
            if observation.shape != shape:
                raise Mismatch(f"the observation has shape {observation.shape}, not {shape}")
        target[...] = observation

    return write


def _index(value: Any, start: int, count: int) -> int:
    try:
        index = value.__index__() - start
    except (AttributeError, TypeError):
        raise Mismatch(f"the observation is {value!r}, not an integer") from None
    if not 0 <= index < count:
        raise Mismatch(f"the observation is {value}, not one of {start} to {start + count - 1}")
    return int(index)


def _write_one_hot(space: Any, row: np.ndarray) -> Write:
    start, count = int(space.start), int(space.n)

    def write(observation: Any) -> None:
        index = _index(observation, start, count)
        row[:] = 0
        row[index] = 1

    return write


def _write_one_hots(space: Any, row: np.ndarray) -> Write:
    counts = [int(count) for count in space.nvec.flatten()]
    starts = [int(start) for start in space.start.flatten()]
    offsets = [0, *itertools.accumulate(counts)]

    def write(observation: Any) -> None:
        values = np.asarray(observation)
        if values.shape != space.shape or values.dtype.kind not in "iu":
            raise Mismatch(f"the observation has shape {values.shape} and type {values.dtype}, not {space}")
        row[:] = 0
        for value, start, count, offset in zip(values.flatten(), starts, counts, offsets, strict=False):
            row[offset + _index(value, start, count)] = 1

    return write


def _write_parts(space: Any, writers: list[tuple[Any, Write]]) -> Write:
    kind = Mapping if isinstance(space, spaces.Dict) else (tuple, list)

    def write(observation: Any) -> None:
        if not isinstance(observation, kind) or len(observation) != len(writers):
            raise Mismatch(f"the observation is {_short(observation)}, not of {space}")
        for key, part in writers:
            try:
                part(observation[key])
            except KeyError:
                raise Mismatch(f"the observation has no {key!r}") from None
            except Mismatch as mismatch:
                raise Mismatch(f"{mismatch} (part {key!r})") from None

    return write


def _short(value: Any) -> str:
    text = repr(value).replace("\n", " ")
    return text if len(text) < 60 else text[:60] + "..."


def _all_boxes(space: gymnasium.Space[Any]) -> bool:
    if isinstance(space, spaces.Tuple | spaces.Dict):
        return all(_all_boxes(part) for _, part in _parts(space))
    return isinstance(space, spaces.Box)


def _bounds(space: Any) -> tuple[np.ndarray, np.ndarray]:
    if isinstance(space, spaces.Box):
        if not np.issubdtype(space.dtype, np.floating):
            raise Unsupported(
                f"action space {space} is not supported: a Box of {space.dtype} is not continuous; use MultiDiscrete"
            )
        if not (np.isfinite(space.low).all() and np.isfinite(space.high).all()):
            raise Unsupported(f"action space {space} is not supported: give its Box finite bounds")
        return space.low.flatten(), space.high.flatten()
    bounds = [_bounds(part) for _, part in _parts(space)]
    low, high = zip(*bounds, strict=True) if bounds else ([np.zeros(0)], [np.zeros(0)])
    return np.concatenate(low), np.concatenate(high)


def _choices(space: Any) -> list[Any]:
    count = _combinations(space, space)
    if count > MOST_COMBINATIONS:
        raise Unsupported(
            f"action space {space} is not supported: it has {count:,} combinations of discrete actions, more than {MOST_COMBINATIONS:,}"
        )
    return _all_choices(space)


def _combinations(space: Any, whole: Any) -> int:
    if isinstance(space, spaces.Discrete):
        return int(space.n)
    if isinstance(space, spaces.MultiDiscrete):
        return math.prod(int(count) for count in space.nvec.flatten())
    if isinstance(space, spaces.MultiBinary):
        return int(2 ** math.prod(space.shape))
    if isinstance(space, spaces.Tuple | spaces.Dict):
        return math.prod(_combinations(part, whole) for _, part in _parts(space))
    if isinstance(space, spaces.Box):
        raise Unsupported(f"action space {whole} is not supported: it mixes a Box with discrete parts")
    raise Unsupported(f"action space {whole} is not supported: {_SUPPORTED}")


def _all_choices(space: Any) -> list[Any]:
    if isinstance(space, spaces.Discrete):
        return list(range(int(space.start), int(space.start + space.n)))
    if isinstance(space, spaces.Tuple | spaces.Dict):
        keys = [key for key, _ in _parts(space)]
        rows = itertools.product(*(_all_choices(part) for _, part in _parts(space)))
        return [dict(zip(keys, row, strict=True)) for row in rows] if isinstance(space, spaces.Dict) else list(rows)
    starts, counts = _starts_and_counts(space)
    values = itertools.product(*(range(start, start + count) for start, count in zip(starts, counts, strict=True)))
    return [np.array(row, space.dtype).reshape(space.shape) for row in values]


def _starts_and_counts(space: Any) -> tuple[list[int], list[int]]:
    if isinstance(space, spaces.MultiBinary):
        size = math.prod(space.shape)
        return [0] * size, [2] * size
    return [int(start) for start in space.start.flatten()], [int(count) for count in space.nvec.flatten()]


def _part_table(space: Any) -> np.ndarray | None:
    """Returns, for each combination of a MultiDiscrete or MultiBinary space, the entries of a mask by parts that must
    be allowed; None for other spaces.
    """
    if not isinstance(space, spaces.MultiDiscrete | spaces.MultiBinary):
        return None
    _, counts = _starts_and_counts(space)
    offsets = [0, *itertools.accumulate(counts)][:-1]
    ranges = (range(offset, offset + count) for offset, count in zip(offsets, counts, strict=True))
    return np.array(list(itertools.product(*ranges)))
