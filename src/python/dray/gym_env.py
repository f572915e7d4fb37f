"""Dray's environments for Gymnasium: gymnasium.make("dray/Cage2-v0"). Importing this module registers them."""

from typing import Any

import gymnasium
import numpy
from numpy.typing import NDArray

from dray.batch import Batch
from dray.error import Error
from dray.gym_registration import register_all
from dray.places import PathLike
from dray.vector_env import VectorEnv, spaces


class SingleEnv(gymnasium.Env):
    """One environment, by Gymnasium's interface."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        name: str | None = None,
        config: PathLike | None = None,
        progress: float = 1.0,
        render_mode: str | None = None,
        **settings: Any,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise Error(
                f"render_mode {render_mode!r} is unknown: use 'ansi', or none; pictures: dray evaluate --render FOLDER"
            )
        self.render_mode = render_mode
        self._arguments: dict[str, Any] = {"name": name, "settings": settings, "config": config}
        self._progress = progress
        self._start(seed=int(numpy.random.SeedSequence().generate_state(1)[0]))
        self.observation_space, self.action_space = spaces(self._batch.spec)

    def _start(self, seed: int) -> None:
        batch = Batch(seed=seed, **self._arguments)
        batch.progress(self._progress)
        self._batch, self._fresh = batch, False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[numpy.float32], dict[str, Any]]:
        with self._batch.lock:
            if seed is not None:
                self._start(seed)
            super().reset(seed=seed)
            if not self._fresh:  # else the end of the last episode has begun this one
                self._batch.reset()
            self._fresh = False
            return self._batch.observations[0].copy(), self._info()

    def step(self, action: Any) -> tuple[NDArray[numpy.float32], float, bool, bool, dict[str, Any]]:
        batch = self._batch
        with batch.lock:
            batch.step([action])
            terminated, truncated = bool(batch.terminated[0]), bool(batch.truncated[0])
            self._fresh = terminated or truncated
            info = self._info()
            if self._fresh:
                found = batch.episodes()[0]
                info.update(episode={"r": found["return"], "l": found["length"]}, **found["stats"])
            observation = (batch.final_observations if self._fresh else batch.observations)[0]
            return observation.copy(), float(batch.rewards[0]), terminated, truncated, info

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Returns which actions are allowed now."""
        return self._batch.action_masks()[0].copy()

    def render(self) -> str | None:
        return self._batch.render() if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._batch.close()

    def _info(self) -> dict[str, Any]:
        return {} if self._batch.masks is None else {"action_mask": self.action_masks()}


def _vector_env(name: str, num_envs: int, **arguments: Any) -> VectorEnv:
    """Entry point for gymnasium.make_vec."""
    options = {key: arguments.pop(key) for key in ("config", "copy", "progress") if key in arguments}
    return VectorEnv(name, num_envs, settings=arguments, **options)


register_all()
