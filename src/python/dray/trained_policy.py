"""A trained policy that acts on numpy arrays: without Ray, without torch, by the engine's own networks.

    policy = dray.load_policy("runs/cage2-1")             # or load_policy(pretrained="cage2_mixture"), which comes with Dray
    envs = policy.make_vec(num_envs=8)                    # what it was trained on
    observations, info = envs.reset(seed=1)
    actions = policy.act(observations, info.get("action_mask"))
"""

import ctypes as c
import json

import numpy

from dray import arguments, facade, places
from dray.facade import Error, Reply
from dray.handle import Handle, Held
from dray.network import Network


def load_policy(path=None, *, pretrained=None):
    """By a run folder, whose newest checkpoint it is, by a checkpoint's file, or by the name of one that comes with Dray."""
    if (path is None) == (pretrained is None):
        raise Error("load_policy wants the folder of a run or a checkpoint's file, or pretrained=NAME")
    return TrainedPolicy(path if pretrained is None else _pretrained(pretrained))


def _pretrained(name):
    files = {path.stem: path for path in sorted((places.configs() / "pretrained").glob("*.ckpt"))}
    if not isinstance(name, str) or name not in files:
        raise Error(f"there is no pretrained policy {arguments.shown(name)}; there are {', '.join(files)}")
    return files[name]


def add_policy_arguments(parser):
    """Flags of a program that wants a policy; chosen_policy reads them."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--run-dir", metavar="RUN", help="the run, by its newest checkpoint, or a checkpoint's file")
    which.add_argument("--pretrained", metavar="NAME", help="a policy that comes with Dray, such as cage2_mixture")


def chosen_policy(words):
    return words.run_dir or _pretrained(words.pretrained)


def pack_policy(path):
    """The bytes of a checkpoint that has the policy alone, without what a training needs to resume."""
    library, reply = facade.environments(), Reply()
    facade.check(library, library.dray_policy_pack(arguments.c_string(path, "path"), reply.sink))
    return reply.bytes


class TrainedPolicy(Held):
    """Threads may share it: calls take turns."""

    _name = "this policy"

    def __init__(self, path):
        self._library = facade.environments()
        handle = Handle(self._library, self._library.dray_policy_destroy, self._name)
        facade.check(self._library, self._library.dray_policy_load(arguments.c_string(path, "path"), c.byref(handle.address)))
        self._handle = handle
        spec = json.loads(self._answer(self._library.dray_policy_describe))
        self.env, self.version, self.discrete = spec["env"], spec["version"], spec["discrete"]
        self.observation_size, self.outputs_size = spec["observation_size"], spec["outputs"]
        self.masked, self._network = spec["masked"], spec["network"]
        self._settings, self._spread = spec["settings"], numpy.exp(numpy.array(spec["log_std"], numpy.float32))

    def make_vec(self, num_envs=1, copy=True):
        """Environments as it was trained on. Needs Gymnasium."""
        from dray.vector_env import VectorEnv

        return VectorEnv(self.env, num_envs, copy=copy, yaml=self._settings)

    def outputs(self, observations):
        """Logits of discrete actions, else the means of their values; a row for each observation."""
        rows = numpy.atleast_2d(arguments.array(observations, "observations"))
        if rows.ndim != 2 or rows.shape[1] != self.observation_size:
            found = rows.shape[1] if rows.ndim == 2 else f"an array of {rows.ndim} dimensions"
            raise Error(f"observations of {self.env} have {self.observation_size} numbers here, not {found}")
        rows = numpy.ascontiguousarray(arguments.cast(rows, numpy.float32))
        _must_be_finite(rows, "observations: row {} has a number that is not finite, or too large for 32 bits")
        given = numpy.empty((len(rows), self.outputs_size), numpy.float32)
        self._open().call(self._library.dray_policy_outputs, rows.ctypes.data, len(rows), given.ctypes.data)
        _must_be_finite(given, "observations: the network overflows on the numbers of row {}; they are too large")
        return given

    def network(self):
        """What it computes by, for other programs."""
        numbers = numpy.frombuffer(self._answer(self._library.dray_policy_parameters), numpy.float32)
        return Network(self._network, self.observation_size, numbers)

    def probabilities(self, observations, masks=None):
        """Of discrete actions; those that `masks` forbids have none."""
        if not self.discrete:
            raise Error(f"the actions of {self.env} are not discrete: they have no probabilities; act gives or draws them")
        logits = self._allowed(self.outputs(observations), masks).astype(float)
        weights = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True)

    def act(self, observations, masks=None, rng=None):
        """An action for each observation: the likeliest, as `evaluate` plays; with a numpy Generator, one drawn."""
        if rng is not None and not isinstance(rng, numpy.random.Generator):
            raise Error(f"rng: {arguments.shown(rng)} is not a numpy Generator; numpy.random.default_rng(seed) makes one")
        if not self.discrete:
            if masks is not None:
                raise Error(f"the actions of {self.env} are not discrete: they have no masks")
            means = self.outputs(observations)
            return means if rng is None else means + self._spread * rng.standard_normal(means.shape, numpy.float32)
        logits = self._allowed(self.outputs(observations), masks)
        return (logits if rng is None else logits + rng.gumbel(size=logits.shape)).argmax(axis=1)

    def _allowed(self, logits, masks):
        """Without those that `masks` forbids."""
        if masks is None:
            return logits
        given = numpy.atleast_2d(arguments.array(masks, "masks"))
        if given.shape != logits.shape:
            raise Error(f"masks: have the shape {given.shape}, not {logits.shape}: a row for each observation, a value for each action")
        allowed = given != 0
        if given.dtype != bool and not (allowed == given).all():
            raise Error("masks: must be true or false, or 1 or 0")
        if not allowed.any(axis=1).all():
            raise Error(f"masks: row {int(numpy.flatnonzero(~allowed.any(axis=1))[0])} allows no action")
        return numpy.where(allowed, logits, -numpy.inf)

    def _answer(self, function):
        reply = Reply()
        self._open().call(function, reply.sink)
        return reply.bytes


def _must_be_finite(rows, message):
    finite = numpy.isfinite(rows)
    if not finite.all():
        raise Error(message.format(int(numpy.flatnonzero(~finite.all(axis=1))[0])))
