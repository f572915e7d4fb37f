"""A trained policy that acts on numpy arrays: without Ray, without torch, by the engine's own networks.

    policy = dray.load_policy("runs/cage2-1")
    envs = policy.make_vec(num_envs=8)                    # what it was trained on
    observations, info = envs.reset(seed=1)
    actions = policy.act(observations, info.get("action_mask"))
"""

import ctypes as c
import json
import os

import numpy

from dray import facade
from dray.facade import Error, Reply


def load_policy(path):
    """By a run folder, whose newest checkpoint it is, or by a checkpoint's file."""
    return TrainedPolicy(path)


class TrainedPolicy:
    def __init__(self, path):
        self._library, self._policy = facade.environments(), c.c_void_p()
        facade.check(self._library, self._library.dray_policy_load(os.fsencode(path), c.byref(self._policy)))
        reply = Reply()
        facade.check(self._library, self._library.dray_policy_describe(self._policy, reply.sink))
        spec = json.loads(reply.bytes)
        self.env, self.version, self.discrete = spec["env"], spec["version"], spec["discrete"]
        self.observation_size, self.outputs_size = spec["observation_size"], spec["outputs"]
        self._settings, self._spread = spec["settings"], numpy.exp(numpy.array(spec["log_std"], numpy.float32))

    def make_vec(self, num_envs=1, copy=True):
        """Environments as it was trained on. Needs Gymnasium."""
        from dray.vector_env import VectorEnv

        return VectorEnv(self.env, num_envs, copy=copy, yaml=self._settings)

    def outputs(self, observations):
        """Logits of discrete actions, else the means of their values; a row for each observation."""
        rows = numpy.ascontiguousarray(numpy.atleast_2d(observations), numpy.float32)
        if rows.shape[1] != self.observation_size:
            raise Error(f"observations of {self.env} have {self.observation_size} numbers here, not {rows.shape[1]}")
        given = numpy.empty((len(rows), self.outputs_size), numpy.float32)
        facade.check(self._library, self._library.dray_policy_outputs(self._policy, rows.ctypes.data, len(rows), given.ctypes.data))
        return given

    def probabilities(self, observations, masks=None):
        """Of discrete actions; those that `masks` forbids have none."""
        if not self.discrete:
            raise Error(f"the actions of {self.env} are not discrete: act draws them")
        logits = self._allowed(self.outputs(observations), masks).astype(float)
        weights = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def act(self, observations, masks=None, rng=None):
        """An action for each observation: the likeliest, as `evaluate` plays; with a numpy Generator, one drawn."""
        if not self.discrete:
            means = self.outputs(observations)
            return means if rng is None else means + self._spread * rng.standard_normal(means.shape, numpy.float32)
        if rng is None:
            return self._allowed(self.outputs(observations), masks).argmax(axis=1)
        gumbel = rng.gumbel(size=(len(numpy.atleast_2d(observations)), self.outputs_size))
        return (self._allowed(self.outputs(observations), masks) + gumbel).argmax(axis=1)

    def _allowed(self, logits, masks):
        return logits if masks is None else numpy.where(numpy.atleast_2d(masks), logits, -numpy.inf)

    def __del__(self):
        if getattr(self, "_policy", None):
            self._library.dray_policy_destroy(self._policy)
            self._policy = c.c_void_p()
