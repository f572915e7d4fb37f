"""Dray's environments one by one for Gymnasium: gymnasium.make("dray/Cage2-v0"). Importing this module makes them known."""

import gymnasium
import numpy

from dray.batch import Batch
from dray.gym_ids import ids
from dray.vector_env import VectorEnv, spaces


class SingleEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, name=None, config=None, progress=1.0, render_mode=None, **settings):
        self.render_mode = render_mode
        self._arguments, self._progress = {"name": name, "settings": settings, "config": config}, progress
        self._start(seed=int(numpy.random.SeedSequence().generate_state(1)[0]))
        self.observation_space, self.action_space = spaces(self._batch.spec)

    def _start(self, seed):
        batch = Batch(seed=seed, **self._arguments)
        batch.progress(self._progress)
        self._batch, self._fresh = batch, False

    def reset(self, *, seed=None, options=None):
        with self._batch.lock:
            if seed is not None:
                self._start(seed)
            super().reset(seed=seed)
            if not self._fresh:  # else the end of the last episode has begun this one
                self._batch.reset()
            self._fresh = False
            return self._batch.observations[0].copy(), self._info()

    def step(self, action):
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

    def action_masks(self):
        """Which actions are allowed now."""
        return self._batch.action_masks()[0].copy()

    def render(self):
        return self._batch.render() if self.render_mode == "ansi" else None

    def close(self):
        self._batch.close()

    def _info(self):
        return {} if self._batch.masks is None else {"action_mask": self.action_masks()}


def _vector_env(name, num_envs, **arguments):
    """For gymnasium.make_vec."""
    options = {key: arguments.pop(key) for key in ("config", "copy", "progress") if key in arguments}
    return VectorEnv(name, num_envs, settings=arguments, **options)


def register():
    for name, identifier in ids().items():
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier,
                entry_point="dray.gym_env:SingleEnv",
                vector_entry_point="dray.gym_env:_vector_env",
                kwargs={"name": name},
                disable_env_checker=True,
                order_enforce=False,
            )


register()
