"""A Gymnasium VectorEnv as the environments of one worker."""

import contextlib
from collections.abc import Iterable, Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import concatenate, create_empty_array, iterate

from dray import hosted_env
from dray.env_columns import STATE, Columns
from dray.env_spaces import Mismatch


class VectorHost:
    """The environments of one VectorEnv, which steps all of them in one call.

    They are seeded together, by the seed of the first, and cannot be saved one by one.
    """

    row = -1  # an error is one of all environments

    def __init__(
        self, setup: Mapping[str, Any], columns: Columns, env: gymnasium.vector.VectorEnv[Any, Any, Any]
    ) -> None:
        self._spec, self._columns, self._env = setup["spec"], columns, env
        self._seed: int | None = setup["seeds"][0]
        self._restarting = False
        self._resets_rows = hosted_env.is_disabled(env)
        self._actions = create_empty_array(env.single_action_space, env.num_envs)
        self._rewards = np.asarray(columns.rewards)
        self._terminated, self._truncated = np.asarray(columns.terminated), np.asarray(columns.truncated)
        columns.at[0] = self.row
        columns.bind(*hosted_env.spaces_of(env))

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self._env.close()

    def reset(self) -> None:
        """Starts an episode in every environment."""
        self._restarting = False
        self._begin_all()

    def step(self) -> None:
        """Steps every environment; those that end begin their next episode."""
        if self._restarting:
            self._restart()
            return
        columns, env = self._columns, self._env
        chosen = [columns.act(row) for row in range(env.num_envs)]
        outcome = env.step(concatenate(env.single_action_space, chosen, self._actions))
        try:
            observations, rewards, terminated, truncated, infos = outcome
        except (TypeError, ValueError):
            raise Mismatch("step did not return (observations, rewards, terminations, truncations, infos)") from None
        self._rewards[:] = self._column("rewards", rewards, "fiub")
        self._terminated[:] = self._column("terminations", terminated, "b")
        self._truncated[:] = self._column("truncations", truncated, "b")
        ended = np.flatnonzero(self._terminated | self._truncated)
        if not self._resets_rows:
            self._end(ended, infos.get("final_obs"), infos.get("final_info", {}))
        elif ended.size:
            observations, infos = self._reset_rows(ended, observations, infos)
        self._observe(observations)
        self._mask(infos)

    def save(self) -> bytes:
        """Returns an empty state for every environment."""
        return STATE.pack(0, 0) * self._env.num_envs

    def load(self, states: bytes) -> None:
        """Lets every environment begin a new episode in the next step."""
        self._restarting = True
        self._seed, _ = STATE.unpack_from(states)

    def _restart(self) -> None:
        for row in range(self._env.num_envs):
            self._columns.end_without_step(row)
        self._terminated[:] = 0
        self._restarting = False
        self._begin_all()

    def _begin_all(self) -> None:
        observations, infos = hosted_env.begin(self._env, self._seed)
        self._seed = None
        hosted_env.compare(self._env, infos, self._spec)
        self._observe(observations)
        self._mask(infos)

    def _reset_rows(self, ended: np.ndarray, observations: Any, infos: Mapping[str, Any]) -> tuple[Any, Any]:
        """Resets the environments whose episodes have ended; returns all observations, and masks of all environments."""
        self._end(ended, observations, infos)
        rows = np.zeros(self._env.num_envs, bool)
        rows[ended] = True
        masks = infos.get("action_mask")
        observations, begun = hosted_env.begin(self._env, None, options={"reset_mask": rows})
        if masks is None or "action_mask" not in begun:
            return observations, begun
        masks = np.array(masks)
        masks[ended] = np.asarray(begun["action_mask"])[ended]
        return observations, {"action_mask": masks}

    def _end(self, ended: Iterable[int], observations: Any, infos: Mapping[str, Any]) -> None:
        finals = None
        for row in ended:
            if finals is None:
                finals = self._rows(observations, "final_obs")
            self._columns.observe_final[row](finals[row])
            named = {name: infos[name][row] for name in self._spec["episode_stats"] if name in infos}
            self._columns.write_stats(row, named)

    def _observe(self, observations: Any) -> None:
        space = self._env.single_observation_space
        if isinstance(space, gymnasium.spaces.Box):
            shape = (self._env.num_envs, *space.shape)
            given = np.asarray(observations)
            if given.dtype.kind not in "fiub" or given.shape != shape:
                raise Mismatch(
                    f"the observations are {given.dtype} of shape {given.shape}, not {space.dtype} of {shape}"
                )
            self._columns.observations[:] = given.reshape(len(given), -1)
            return
        for row, observation in enumerate(self._rows(observations, "the observations")):
            self._columns.observe[row](observation)

    def _rows(self, observations: Any, what: str) -> list[Any]:
        """Returns one observation per environment, of a batch or of an array of objects as SyncVectorEnv's final_obs."""
        if isinstance(observations, np.ndarray) and observations.dtype == object:
            return list(observations)
        try:
            return list(iterate(self._env.observation_space, observations))
        except (TypeError, ValueError, KeyError) as error:
            raise Mismatch(f"{what} cannot be divided among the environments: {error}") from None

    def _mask(self, infos: Mapping[str, Any]) -> None:
        if not self._spec["masked"]:
            return
        masks = infos.get("action_mask")
        if masks is None:
            method = hosted_env.attribute(self._env, "action_masks")
            if method is None:
                raise Mismatch('infos have no "action_mask", which they had at first')
            masks = method()
        if len(masks) != self._env.num_envs:
            raise Mismatch(f"there are {len(masks)} action masks for {self._env.num_envs} environments")
        for write, mask in zip(self._columns.write_mask, masks, strict=True):
            write(mask)

    def _column(self, what: str, values: Any, kinds: str) -> np.ndarray:
        column = np.asarray(values)
        if column.shape != (self._env.num_envs,) or column.dtype.kind not in kinds:
            raise Mismatch(f"the {what} are {column.dtype} of shape {column.shape}, not one for each environment")
        return column
