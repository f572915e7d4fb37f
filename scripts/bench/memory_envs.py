"""Gymnasium environments that need memory, for memory.py."""

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.classic_control import CartPoleEnv


class CartPoleWithoutVelocities(gymnasium.ObservationWrapper):
    """CartPole-v1, of which only positions are observed: where the cart is and how the pole leans."""

    def __init__(self):
        super().__init__(gymnasium.wrappers.TimeLimit(CartPoleEnv(), 500))
        low, high = self.env.observation_space.low, self.env.observation_space.high
        self.observation_space = spaces.Box(low[[0, 2]], high[[0, 2]], dtype=np.float32)

    def observation(self, observation):
        return observation[[0, 2]]


class Recall(gymnasium.Env):
    """The first of 12 observations shows which of four actions is right in the last step, the only one with a reward."""

    STEPS, CHOICES = 12, 4

    def __init__(self):
        self.observation_space = spaces.Box(0, 1, (self.CHOICES + 1,), np.float32)
        self.action_space = spaces.Discrete(self.CHOICES)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._right, self._step = int(self.np_random.integers(self.CHOICES)), 0
        return self._observation(self._right), {}

    def step(self, action):
        self._step += 1
        ends = self._step == self.STEPS
        reward = float(ends and action == self._right)
        return self._observation(self.CHOICES if self._step == self.STEPS - 1 else None), reward, ends, False, {}

    def _observation(self, shown):
        observation = np.zeros(self.CHOICES + 1, np.float32)
        if shown is not None:
            observation[shown] = 1
        return observation
