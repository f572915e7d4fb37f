"""Dray's environments as a Gymnasium VectorEnv.

    import dray

    envs = dray.make_vec("cage2", num_envs=64, red="meander", interface="reduced")
    observations, info = envs.reset(seed=1)
    observations, rewards, terminated, truncated, info = envs.step(actions)

An episode's end and the next one's start are one step (AutoresetMode.SAME_STEP): info["final_obs"] has the old one's last
observation and info["final_info"] its return and length, in the rows that info["_final_obs"] names. Where actions may be forbidden,
info["action_mask"] and action_masks() say which are allowed.
"""

import time
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy
from gymnasium.vector import AutoresetMode
from numpy.typing import ArrayLike, NDArray

from dray.batch import Batch
from dray.places import PathLike


def make_vec(
    name: str | None = None,
    num_envs: int = 1,
    *,
    config: PathLike | None = None,
    copy: bool = True,
    progress: float = 1.0,
    **settings: Any,
) -> "VectorEnv":
    """Creates environments.

    `settings` are those of env.<name> in configs/REFERENCE.md; `config` is a preset ("cage2_bline"), a YAML file or a
    run folder that they change. With copy=False, reset and step return the engine's own memory, which the next step
    overwrites: faster, for callers who copy it anyway. A reset with a seed starts with new memory; arrays returned
    before keep their values.
    """
    return VectorEnv(name, num_envs, config=config, copy=copy, progress=progress, settings=settings)


def spaces(spec: Mapping[str, Any]) -> tuple[Any, Any]:
    """Returns the observation and action space of one environment."""
    observed = gymnasium.spaces.Box(-numpy.inf, numpy.inf, (spec["observation_size"],), numpy.float32)
    if "actions" in spec:
        return observed, gymnasium.spaces.Discrete(spec["actions"])
    return observed, gymnasium.spaces.Box(
        numpy.array(spec["low"], numpy.float32), numpy.array(spec["high"], numpy.float32)
    )


class VectorEnv(gymnasium.vector.VectorEnv):
    """Environments of Dray by Gymnasium's vector interface."""

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.SAME_STEP}
    render_mode = "ansi"
    batch: Batch

    def __init__(
        self,
        name: str | None,
        num_envs: int,
        config: PathLike | None = None,
        copy: bool = True,
        progress: float = 1.0,
        settings: Mapping[str, Any] | None = None,
        yaml: str | None = None,
    ) -> None:
        self._arguments: dict[str, Any] = {
            "name": name,
            "count": num_envs,
            "settings": settings,
            "config": config,
            "yaml": yaml,
        }
        self._copy, self._progress = copy, progress
        self._start(seed=int(numpy.random.SeedSequence().generate_state(1)[0]))
        self.num_envs = self.batch.spec["envs"]
        self.single_observation_space, self.single_action_space = spaces(self.batch.spec)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, self.num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, self.num_envs)
        self.metadata = dict(self.metadata)
        self._begun = time.perf_counter()

    def _start(self, seed: int) -> None:
        batch = Batch(seed=seed, **self._arguments)
        batch.progress(self._progress)
        self.batch = batch

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[numpy.float32], dict[str, Any]]:
        """Resets all environments. A seed restarts their random streams; without one they continue."""
        if seed is not None and not isinstance(seed, (int, numpy.integer)):
            raise ValueError("give one seed for all environments: each has its own random stream")
        with self.batch.lock:
            if seed is not None:
                self._start(int(seed))
            batch = self.batch
            batch.reset()
            return self._given(batch.observations), self._info(batch)

    def step(
        self, actions: ArrayLike
    ) -> tuple[
        NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]
    ]:
        batch, given = self.batch, self._given
        with batch.lock:
            batch.step(actions)
            info = self._info(batch)
            if batch.any_ended():
                self._tell_of_episodes(batch, info)
            return (
                given(batch.observations),
                given(batch.rewards),
                given(batch.terminated),
                given(batch.truncated),
                info,
            )

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Returns which actions are allowed now, [num_envs, actions]."""
        return self._given(self.batch.action_masks())

    def set_progress(self, share: float) -> None:
        """Sets how much of a training is done, 0 to 1, for schedules of the task such as its exploration."""
        self.batch.progress(share)
        self._progress = share

    def render(self) -> tuple[str, ...]:
        return tuple(self.batch.render(i) for i in range(self.num_envs))

    def close_extras(self, **_: Any) -> None:
        if "batch" in self.__dict__:  # else it could not be made
            self.batch.close()

    def _given(self, array: NDArray[Any]) -> NDArray[Any]:
        return array.copy() if self._copy else array

    def _info(self, batch: Batch) -> dict[str, Any]:
        return {} if batch.masks is None else {"action_mask": self._given(batch.masks)}

    def _tell_of_episodes(self, batch: Batch, info: dict[str, Any]) -> None:
        ended = batch.terminated | batch.truncated
        episode = {
            "r": numpy.zeros(self.num_envs),
            "l": numpy.zeros(self.num_envs, int),
            "t": numpy.zeros(self.num_envs),
        }
        elapsed = time.perf_counter() - self._begun
        final = numpy.full(self.num_envs, None, object)
        for found in batch.episodes():
            i = found["env"]
            episode["r"][i], episode["l"][i], episode["t"][i] = found["return"], found["length"], elapsed
            final[i] = {"episode": {"r": found["return"], "l": found["length"], "t": elapsed}, **found["stats"]}
        info.update(
            final_obs=self._given(batch.final_observations),
            _final_obs=ended,
            final_info=final,
            _final_info=ended,
            episode=episode,
            _episode=ended,
        )
