"""Environments for tests of src/envs/python: a well-behaved one, and everything that an environment can do wrong."""

import contextlib
import os
import signal
import time

import gymnasium
import numpy as np
from gymnasium import spaces


class Walk(gymnasium.Env):
    """A random walk: the action pushes it, chance shakes it. Ends beyond 3, truncated after `limit` steps."""

    episode_stats = ("furthest",)

    def __init__(self, limit=20):
        self.observation_space = spaces.Box(-np.inf, np.inf, (2,), np.float32)
        self.action_space = spaces.Discrete(3, start=-1)
        self.limit = limit
        self.x, self.time, self.furthest = 0.0, 0, 0.0

    def _seen(self):
        return np.array([self.x, self.time], np.float32)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x, self.time, self.furthest = float(self.np_random.normal()), 0, 0.0
        return self._seen(), {}

    def step(self, action):
        assert action in (-1, 0, 1), action
        self.x += action + 0.5 * float(self.np_random.normal())
        self.time += 1
        self.furthest = max(self.furthest, abs(self.x))
        ended, cut = abs(self.x) > 3, self.time >= self.limit
        return self._seen(), -abs(self.x), ended, cut, {"furthest": self.furthest}


class Masked(Walk):
    """Only the action that the parity of the step allows: 0 or 1, in words of `by`."""

    def __init__(self, by="info"):
        super().__init__()
        self.action_space = spaces.Discrete(2)
        if by == "method":
            self.action_masks = self._mask
        self.by = by

    def _mask(self):
        return np.array([self.time % 2 == 0, self.time % 2 == 1])

    def _info(self):
        return {"action_mask": self._mask().astype(np.int8)} if self.by == "info" else {}

    def reset(self, *, seed=None, options=None):
        observation, _ = super().reset(seed=seed)
        return observation, self._info()

    def step(self, action):
        assert action == self.time % 2, (action, self.time)
        observation, reward, ended, cut, info = super().step(0)
        return observation, reward, ended, cut, {**info, **self._info()}


class Stateful(Walk):
    """Cannot be pickled, but saves itself."""

    def __init__(self):
        super().__init__()
        self.handle = open(os.devnull)  # noqa: SIM115

    def get_state(self):
        return self.x, self.time, self.furthest, self.np_random.bit_generator.state

    def set_state(self, state):
        self.x, self.time, self.furthest, generator = state
        self.np_random.bit_generator.state = generator

    def close(self):
        self.handle.close()


class Unsaved(Walk):
    """Cannot be saved at all."""

    def __init__(self):
        super().__init__()
        self.handle = open(os.devnull)  # noqa: SIM115

    def close(self):
        self.handle.close()


class Bad(Walk):
    """Does what `how` says in step `at` of its episode, unless the file `unless` exists; only once if it makes that file."""

    episode_stats = ()

    def __init__(self, how, at=3, unless=None, once=False):
        super().__init__(limit=10)
        self.how, self.at, self.unless, self.once = how, at, unless, once
        self.resets = 0

    def _active(self):
        if self.once:
            with contextlib.suppress(FileExistsError), open(self.unless, "x"):
                return True
        return not (self.unless and os.path.exists(self.unless))

    def reset(self, *, seed=None, options=None):
        start = super().reset(seed=seed)
        self.resets += 1
        if self.resets > 1 and self._active():
            if self.how == "raise in reset":
                raise RuntimeError("no reset today")
            if self.how == "other space":
                self.observation_space = spaces.Box(-1, 1, (3,), np.float32)
        return start

    def step(self, action):
        observation, reward, _, cut, info = super().step(action)
        done = False
        if self.time == self.at and self._active():
            observation, reward, done = getattr(self, "_" + self.how.replace(" ", "_"), self._nothing)(
                observation, reward
            )
        return observation, reward, done, cut, info

    def _nothing(self, observation, reward):
        return observation, reward, False

    def _nan(self, observation, reward):
        return observation * np.nan, reward, False

    def _nan_reward(self, observation, reward):
        return observation, float("nan"), False

    def _shape(self, observation, reward):
        return np.zeros(3, np.float32), reward, False

    def _text(self, observation, reward):
        return "left", reward, False

    def _reward(self, observation, reward):
        return observation, None, False

    def _terminated(self, observation, reward):
        return observation, reward, "yes"

    def _raise(self, observation, reward):
        raise ZeroDivisionError("division by zero")

    def _leave(self, observation, reward):
        raise SystemExit(3)

    def _exit(self, observation, reward):
        os._exit(7)

    def _kill(self, observation, reward):
        os.kill(os.getpid(), signal.SIGSEGV)

    def _hang(self, observation, reward):
        time.sleep(600)

    def _fork(self, observation, reward):
        os.fork()
        return observation, reward, False

    def _print(self, observation, reward):
        print("printed by the environment", flush=True)
        os.write(1, b"written by the environment\n")
        return observation, reward, False


class Wide(gymnasium.Env):
    """Observes and acts in spaces of its own."""

    def __init__(self, observation, action):
        self.observation_space, self.action_space = SPACES[observation], SPACES[action]
        self.observation_space.seed(1)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return self.observation_space.sample(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        return self.observation_space.sample(), 0.0, False, False, {}


SPACES = {
    "box": spaces.Box(-1, 1, (2, 3), np.float32),
    "pixels": spaces.Box(0, 255, (2, 2), np.uint8),
    "endless box": spaces.Box(-np.inf, np.inf, (2,), np.float32),
    "discrete": spaces.Discrete(4, start=2),
    "multidiscrete": spaces.MultiDiscrete([2, 3]),
    "multibinary": spaces.MultiBinary(3),
    "tuple": spaces.Tuple([spaces.Discrete(2), spaces.MultiDiscrete([2, 2])]),
    "dict": spaces.Dict({"b": spaces.Discrete(3), "a": spaces.Tuple([spaces.Box(-1, 1, (2,)), spaces.MultiBinary(2)])}),
    "boxes": spaces.Dict({"b": spaces.Box(-1, 1, (2,)), "a": spaces.Box(0, 2, (1,))}),
    "mixed": spaces.Tuple([spaces.Discrete(2), spaces.Box(-1, 1, (2,))]),
    "huge": spaces.MultiDiscrete([100, 100]),
    "text": spaces.Text(5),
    "sequence": spaces.Sequence(spaces.Discrete(2)),
    "graph": spaces.Graph(spaces.Discrete(2), None),
}


class Count(gymnasium.Env):
    """Without chance: ends after `length` steps of action 1, is truncated after 7; shows, masks and reports how many."""

    episode_stats = ("ones",)

    def __init__(self, length=3, nested=False):
        self.observation_space = spaces.Box(0, 9, (1, 2), np.float32)
        if nested:
            self.observation_space = spaces.Dict({"all": self.observation_space, "odd": spaces.Discrete(2)})
        self.action_space = spaces.Discrete(2)
        self.length, self.nested = length, nested
        self.ones = self.time = 0

    def _seen(self):
        numbers = np.array([[self.ones, self.time]], np.float32)
        return {"all": numbers, "odd": self.time % 2} if self.nested else numbers

    def _info(self):
        return {"action_mask": np.array([self.time % 3 > 0, True], np.int8), "ones": self.ones}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.ones = self.time = 0
        return self._seen(), self._info()

    def step(self, action):
        self.ones += action
        self.time += 1
        return self._seen(), float(self.ones), self.ones >= self.length, self.time >= 7, self._info()


def counts(num_envs, mode="SameStep", processes=False, nested=False):
    """Several of Count as one VectorEnv."""
    kind = gymnasium.vector.AsyncVectorEnv if processes else gymnasium.vector.SyncVectorEnv
    envs = kind([lambda: Count(nested=nested)] * num_envs, autoreset_mode=mode)
    envs.episode_stats = Count.episode_stats
    return envs


def two(mode="SameStep"):
    return counts(2, mode)


class BadVector(gymnasium.vector.SyncVectorEnv):
    """Several of Count that do what `how` says in step 3."""

    def __init__(self, num_envs, how):
        super().__init__([Count] * num_envs, autoreset_mode="SameStep")
        self.how, self.steps = how, 0

    def step(self, actions):
        observations, rewards, terminated, truncated, infos = super().step(actions)
        self.steps += 1
        if self.steps == 3:
            if self.how == "raise":
                raise ZeroDivisionError("division by zero")
            if self.how == "shape":
                observations = observations[:1]
            elif self.how == "reward":
                rewards = 1.0
            elif self.how == "mask":
                del infos["action_mask"]
            elif self.how == "final":
                terminated = np.ones_like(terminated)
                infos.pop("final_obs", None)
        return observations, rewards, terminated, truncated, infos


def broken():
    raise OSError("no such world")


def number():
    return 3
