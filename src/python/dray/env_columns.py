"""Memory shared with the engine: a row for each environment of a worker."""

import mmap
import struct
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from dray.env_spaces import Actions, Mismatch, Write, writer

STATE = struct.Struct("<QQ")  # before each saved state: the seed for a new episode, and the length


class Columns:
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
        self._stat_names = spec["episode_stats"]
        self._stats = array("stats", np.float64, len(self._stat_names))
        self._indices = items("actions", "i", rows)
        self._values = array("actions", np.float32, values)
        self.observations = array("observations", np.float32, size)
        self._finals = array("final_observations", np.float32, size)
        self._masks = array("masks", np.uint8, masks)
        self._ended = bytes(rows)

    def bind(self, space: gymnasium.Space[Any], action_space: gymnasium.Space[Any]) -> None:
        """Prepares one function per row for all that is read and written: observations of `space`, actions of the other."""
        actions = Actions(action_space)
        self.observe: list[Write] = [writer(space, row) for row in self.observations]
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

    def write_stats(self, row: int, info: Mapping[str, Any]) -> None:
        """Writes the statistics of an episode, from the info of its last step."""
        for place, name in enumerate(self._stat_names):
            if name not in info:
                raise Mismatch(f'info of the last step has no "{name}", which episode_stats names')
            self._stats[row, place] = real(info[name], f'info["{name}"]')

    def end_without_step(self, row: int) -> None:
        """Ends an episode that cannot be continued, as if its time limit were reached."""
        self.rewards[row], self.truncated[row] = 0, 1
        self._finals[row] = self.observations[row]


def real(value: Any, what: str) -> float:
    """Returns a number that an environment returned; `what` names it in an error."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Mismatch(f"{what} is {value!r}, not a number") from None
