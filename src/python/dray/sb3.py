"""Dray's environments for Stable-Baselines3, and for MaskablePPO of sb3-contrib.

Example:

    from dray.sb3 import make_sb3
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", make_sb3("cage2", num_envs=25, config="cage2_bline"))
    model.learn(250_000)
"""

from typing import Any

import numpy
from stable_baselines3.common.vec_env import VecEnv

from dray.vector_env import VectorEnv, make_vec


def make_sb3(name: str | None = None, num_envs: int = 1, **settings: Any) -> "Sb3VecEnv":
    """Creates environments for Stable-Baselines3; the arguments are those of dray.make_vec."""
    return Sb3VecEnv(make_vec(name, num_envs, **settings))


class Sb3VecEnv(VecEnv):
    """Environments of dray.make_vec, by the interface of Stable-Baselines3."""

    def __init__(self, envs: VectorEnv) -> None:
        self.envs = envs
        self._seed: int | None = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)

    def reset(self) -> Any:
        observations, _ = self.envs.reset(seed=self._seed)
        self._seed = None
        return observations

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Sets the seed for the next reset."""
        self._seed = seed
        return [seed] * self.num_envs

    def step_async(self, actions: Any) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[Any, Any, Any, list[dict[str, Any]]]:
        observations, rewards, terminated, truncated, told = self.envs.step(self._actions)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in numpy.flatnonzero(terminated | truncated):
            infos[i] = {
                **told["final_info"][i],
                "terminal_observation": told["final_obs"][i],
                "TimeLimit.truncated": bool(truncated[i] and not terminated[i]),
            }
        return observations, rewards, terminated | truncated, infos

    def env_method(self, method_name: str, *arguments: Any, indices: Any = None, **named: Any) -> list[Any]:
        if method_name != "action_masks":
            raise AttributeError(f"{method_name}: these environments have action_masks and nothing else to call")
        return [self.envs.action_masks()[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        return attr_name == "action_masks" or hasattr(self.envs, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"{attr_name}: settings are given to make_sb3")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        return [False] * len(list(self._get_indices(indices)))

    def render(self, mode: str | None = "ansi") -> str:
        return "\n".join(self.envs.render())

    def close(self) -> None:
        self.envs.close()
