"""Environments and peers for own_envs.py, which starts this file as a separate process for each run of a peer.

Prints one line of JSON: steps and seconds of training, without imports, set-up and the first rollout.
"""

import argparse
import json
import os
import pathlib
import time

import gymnasium
import numpy as np
from gymnasium import spaces

BUSY_S = 50e-6
# The settings of every library: 8 environments, 64-64 networks.
ENVS, ROLLOUT, MINIBATCH, EPOCHS = 8, 128, 256, 4
OVERHEAD_ENVS = 16
LEARNING_RATE, GAMMA, LAMBDA, CLIP, ENTROPY, VALUE, GRAD_NORM = 2.5e-4, 0.99, 0.95, 0.2, 0.01, 0.5, 0.5


class Busy(gymnasium.Env):
    """Computes for 50 µs of processor time in every step. Episodes have 200 steps."""

    def __init__(self):
        self.observation_space = spaces.Box(-1, 1, (8,), np.float32)
        self.action_space = spaces.Discrete(4)
        self._observation = np.zeros(8, np.float32)
        self._steps = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._steps = 0
        return self._observation, {}

    def step(self, action):
        until = time.process_time() + BUSY_S
        while time.process_time() < until:
            pass
        self._steps += 1
        return self._observation, 1.0, False, self._steps >= 200, {}


def make(name):
    return Busy() if name == "busy" else gymnasium.make("CartPole-v1", disable_env_checker=True)


def plain(name, steps):
    """Steps environments one after the other in a loop: the processor time that they need themselves."""
    envs = [make(name) for _ in range(OVERHEAD_ENVS)]
    for number, env in enumerate(envs):
        env.reset(seed=number)
    turns = _turns(steps)
    begun = time.process_time()
    for actions in turns:
        for env, action in zip(envs, actions.tolist(), strict=True):
            _, _, terminated, truncated, _ = env.step(action)
            if terminated or truncated:
                env.reset()
    return OVERHEAD_ENVS * len(turns), time.process_time() - begun


def engine(name, steps):
    """Steps as many environments through Dray's engine and one worker: the processor time of both processes."""
    from dray import Batch

    settings = {"env": {"cartpole": "gym:CartPole-v1", "busy": "own_envs_worker:Busy"}[name]}
    settings |= {"folder": str(pathlib.Path(__file__).parent), "workers": 1}
    batch = Batch("python", count=OVERHEAD_ENVS, settings=settings)
    batch.reset()
    turns = _turns(steps)
    begun = time.process_time() + _children_s()
    for actions in turns:
        batch.actions[:] = actions
        batch.step()
    return OVERHEAD_ENVS * len(turns), time.process_time() + _children_s() - begun


def _turns(steps):
    return np.random.default_rng(0).integers(0, 2, (steps // OVERHEAD_ENVS, OVERHEAD_ENVS))


def _children_s():
    """Returns the processor time of this process's children so far."""
    children = pathlib.Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    ticks = 0
    for child in children:
        after_name = pathlib.Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        ticks += int(after_name[11]) + int(after_name[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def sb3(name, steps):
    """Stable-Baselines3 with SubprocVecEnv."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.vec_env import SubprocVecEnv

    torch.set_num_threads(1)

    class Clock(BaseCallback):
        begun = None

        def _on_step(self):
            if self.begun is None and self.num_timesteps >= ENVS * ROLLOUT:
                self.begun = time.perf_counter()
            return True

    model = PPO(
        "MlpPolicy",
        SubprocVecEnv([lambda: make(name)] * ENVS),
        n_steps=ROLLOUT,
        batch_size=MINIBATCH,
        n_epochs=EPOCHS,
        learning_rate=LEARNING_RATE,
        gamma=GAMMA,
        gae_lambda=LAMBDA,
        clip_range=CLIP,
        ent_coef=ENTROPY,
        vf_coef=VALUE,
        max_grad_norm=GRAD_NORM,
        device="cpu",
    )
    clock = Clock()
    model.learn(steps + ENVS * ROLLOUT, callback=clock)
    taken = model.num_timesteps - ENVS * ROLLOUT
    seconds = time.perf_counter() - clock.begun
    model.get_env().close()
    return taken, seconds


def async_vector(name, steps):
    """A single-file PPO in the manner of CleanRL over Gymnasium's AsyncVectorEnv."""
    import torch
    from torch import nn

    torch.set_num_threads(1)
    envs = gymnasium.vector.AsyncVectorEnv(
        [lambda: make(name)] * ENVS, autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP
    )
    size, actions = envs.single_observation_space.shape[0], envs.single_action_space.n

    def network(outputs):
        return nn.Sequential(nn.Linear(size, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs))

    actor, critic = network(actions), network(1)
    parameters = [*actor.parameters(), *critic.parameters()]
    optimiser = torch.optim.Adam(parameters, LEARNING_RATE, eps=1e-5)
    seen = torch.zeros(ROLLOUT, ENVS, size)
    drawn, log_probs, rewards, ends, values = (torch.zeros(ROLLOUT, ENVS) for _ in range(5))
    observation = torch.as_tensor(envs.reset(seed=0)[0])

    def collect(observation):
        for step in range(ROLLOUT):
            with torch.no_grad():
                chance = torch.distributions.Categorical(logits=actor(observation))
                action = chance.sample()
                values[step] = critic(observation).flatten()
            seen[step], drawn[step], log_probs[step] = observation, action, chance.log_prob(action)
            next_seen, reward, terminated, truncated, _ = envs.step(action.numpy())
            rewards[step] = torch.as_tensor(reward, dtype=torch.float32)
            ends[step] = torch.as_tensor(terminated | truncated, dtype=torch.float32)
            observation = torch.as_tensor(next_seen)
        return observation

    def advantages(observation):
        result, running = torch.zeros_like(rewards), torch.zeros(ENVS)
        with torch.no_grad():
            after = critic(observation).flatten()
        for step in reversed(range(ROLLOUT)):
            going = 1 - ends[step]
            running = rewards[step] + GAMMA * after * going - values[step] + GAMMA * LAMBDA * going * running
            result[step], after = running, values[step]
        return result

    def learn(advantage):
        flat = [
            column.reshape(ROLLOUT * ENVS, -1).squeeze(-1)
            for column in (seen, drawn, log_probs, advantage, advantage + values)
        ]
        for _ in range(EPOCHS):
            for rows in torch.randperm(ROLLOUT * ENVS).split(MINIBATCH):
                states, action, before, gain, target = (column[rows] for column in flat)
                chance = torch.distributions.Categorical(logits=actor(states))
                ratio = (chance.log_prob(action) - before).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                policy = -torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                value = (critic(states).flatten() - target).square().mean()
                loss = policy + VALUE * value - ENTROPY * chance.entropy().mean()
                optimiser.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(parameters, GRAD_NORM)
                optimiser.step()

    observation = collect(observation)
    taken, begun = 0, time.perf_counter()
    while taken < steps:
        learn(advantages(observation))
        observation = collect(observation)
        taken += ROLLOUT * ENVS
    seconds = time.perf_counter() - begun
    envs.close()
    return taken, seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("library", choices=["plain", "engine", "sb3", "async_vector"])
    parser.add_argument("env", choices=["cartpole", "busy"])
    parser.add_argument("steps", type=int)
    given = parser.parse_args()
    taken, seconds = globals()[given.library](given.env, given.steps)
    print(json.dumps({"steps": taken, "seconds": seconds}))
