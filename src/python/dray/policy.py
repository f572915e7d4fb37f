"""A trained policy that acts on numpy arrays, without Ray and without torch: the engine's own networks compute it.

policy = dray.load_policy("runs/cage2-1")             # or load_policy(pretrained="cage2_mixture"), which comes with Dray
envs = policy.make_vec(num_envs=8)                    # the environments it was trained on
observations, info = envs.reset(seed=1)
actions = policy.act(observations, info.get("action_mask"))
"""

import argparse
import ctypes as c
import json
import pathlib
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import ArrayLike, NDArray

from dray import arguments, facade, places
from dray.error import Error, UsageError
from dray.facade import Reply
from dray.handle import Handle, Held
from dray.network import Network
from dray.places import PathLike

if TYPE_CHECKING:
    from dray.vector_env import VectorEnv


def load_policy(path: PathLike | None = None, *, pretrained: str | None = None) -> "Policy":
    """Loads the newest checkpoint of a run folder, a checkpoint file, or a policy that comes with Dray."""
    if (path is None) == (pretrained is None):
        raise Error("load_policy needs a run folder or a checkpoint file, or pretrained=NAME")
    return Policy(_pretrained(pretrained) if path is None else path)


def read_config(run_dir: PathLike) -> dict[str, Any]:
    """Reads config.yaml of a run folder. Needs PyYAML."""
    import yaml

    path = pathlib.Path(run_dir) / "config.yaml"
    if not path.is_file():
        raise Error(f"{path}: no such file; give the folder of a run that train wrote (--run-dir)")
    config: dict[str, Any] = yaml.safe_load(path.read_text())
    return config


def _pretrained(name: object) -> pathlib.Path:
    files = {path.stem: path for path in sorted((places.configs() / "pretrained").glob("*.ckpt"))}
    if not isinstance(name, str) or name not in files:
        raise UsageError(f"there is no pretrained policy {arguments.shown(name)}; available: {', '.join(files)}")
    return files[name]


def add_policy_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the flags that select a policy; chosen_policy reads them."""
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--run-dir", metavar="RUN", help="a run, for its newest checkpoint, or a checkpoint file")
    which.add_argument("--pretrained", metavar="NAME", help="a policy that comes with Dray, such as cage2_mixture")


def chosen_policy(words: argparse.Namespace) -> PathLike:
    """Returns the path that the flags of add_policy_arguments select."""
    if words.run_dir and not pathlib.Path(words.run_dir).exists():
        raise UsageError(f"--run-dir {words.run_dir}: no such folder or file; name a run's folder or a checkpoint")
    return words.run_dir or _pretrained(words.pretrained)


def pack_policy(path: PathLike) -> bytes:
    """Returns a checkpoint with the policy alone, without the state a training needs to resume."""
    library, reply = facade.environments(), Reply()
    facade.check(library, library.dray_policy_pack(arguments.c_string(path, "path"), reply.sink))
    return reply.bytes


class Policy(Held):
    """A policy loaded from a run folder or a checkpoint file. Threads may share it: calls take turns."""

    _name = "this policy"

    def __init__(self, path: PathLike) -> None:
        self._library = facade.environments()
        handle = Handle(self._library, self._library.dray_policy_destroy, self._name)
        facade.check(
            self._library, self._library.dray_policy_load(arguments.c_string(path, "path"), c.byref(handle.address))
        )
        self._handle = handle
        spec = json.loads(self._answer(self._library.dray_policy_describe))
        self.env: str = spec["env"]
        self.version: int = spec["version"]
        self.discrete: bool = spec["discrete"]
        self.observation_size: int = spec["observation_size"]
        self.outputs_size: int = spec["outputs"]
        self.masked: bool = spec["masked"]
        self._network, self._settings = spec["network"], spec["settings"]
        self.memory: int = self._network["memory"]
        self._rows = 0  # of the last call, for a policy with memory
        self._spread = numpy.exp(numpy.array(spec["log_std"], numpy.float32))

    @classmethod
    def of_run(cls, run_dir: PathLike) -> "Policy":
        """Loads the newest checkpoint of a run folder."""
        return cls(run_dir)

    def make_vec(self, num_envs: int = 1, copy: bool = True) -> "VectorEnv":
        """Creates environments with the settings the policy was trained on. Needs Gymnasium."""
        from dray.vector_env import VectorEnv

        return VectorEnv(self.env, num_envs, copy=copy, yaml=self._settings)

    def reset(self, rows: ArrayLike | None = None) -> None:
        """Begins episodes: of all rows, or of those where `rows` is true.

        A policy with memory (`memory` is not 0) goes on from call to call, row by row, while the number of rows stays the same.
        """
        begins = numpy.ones(self._rows, bool) if rows is None else arguments.array(rows, "rows").astype(bool)
        if begins.shape != (self._rows,):
            raise Error(
                f"rows: have the shape {begins.shape}, not ({self._rows},), a value for each row of the last call"
            )
        begins = numpy.ascontiguousarray(begins, numpy.uint8)
        self._open().call(self._library.dray_policy_begin, begins.ctypes.data, len(begins))

    def outputs(self, observations: ArrayLike) -> NDArray[numpy.float32]:
        """Returns the logits of discrete actions, else the means of the action values; one row per observation.

        Of a policy with memory, each call is a step of the episodes; see `reset`.
        """
        rows = numpy.atleast_2d(arguments.array(observations, "observations"))
        if rows.ndim != 2 or rows.shape[1] != self.observation_size:
            found = rows.shape[1] if rows.ndim == 2 else f"an array of {rows.ndim} dimensions"
            raise Error(f"observations of {self.env} have {self.observation_size} numbers here, not {found}")
        rows = numpy.ascontiguousarray(arguments.cast(rows, numpy.float32))
        _must_be_finite(rows, "observations: row {} has a number that is not finite, or too large for 32 bits")
        given = numpy.empty((len(rows), self.outputs_size), numpy.float32)
        self._rows = len(rows)
        self._open().call(self._library.dray_policy_outputs, rows.ctypes.data, len(rows), given.ctypes.data)
        _must_be_finite(given, "observations: the network overflows on the numbers of row {}; they are too large")
        return given

    def network(self) -> Network:
        """Returns the network with its parameters, for export to other programs."""
        numbers = numpy.frombuffer(self._answer(self._library.dray_policy_parameters), numpy.float32)
        return Network(self._network, self.observation_size, numbers)

    def probabilities(self, observations: ArrayLike, masks: ArrayLike | None = None) -> NDArray[numpy.float64]:
        """Returns the probabilities of discrete actions; 0 for actions that `masks` forbids."""
        if not self.discrete:
            raise Error(f"the actions of {self.env} are not discrete: they have no probabilities; use act")
        logits = self._allowed(self.outputs(observations), masks).astype(float)
        weights = numpy.exp(logits - logits.max(axis=1, keepdims=True))
        likely: NDArray[numpy.float64] = weights / weights.sum(axis=1, keepdims=True)
        return likely

    def act(
        self, observations: ArrayLike, masks: ArrayLike | None = None, rng: numpy.random.Generator | None = None
    ) -> NDArray[Any]:
        """Returns an action for each observation: the most probable, as `evaluate` plays, or a sample drawn with `rng`."""
        if rng is not None and not isinstance(rng, numpy.random.Generator):
            raise Error(
                f"rng: {arguments.shown(rng)} is not a numpy Generator; numpy.random.default_rng(seed) makes one"
            )
        if not self.discrete:
            if masks is not None:
                raise Error(f"the actions of {self.env} are not discrete: they have no masks")
            means = self.outputs(observations)
            return means if rng is None else means + self._spread * rng.standard_normal(means.shape, numpy.float32)
        logits = self._allowed(self.outputs(observations), masks)
        return (logits if rng is None else logits + rng.gumbel(size=logits.shape)).argmax(axis=1)

    def best_action(self, observation: ArrayLike, mask: ArrayLike | None = None) -> int:
        """Returns the most probable action of one observation, among those that `mask` allows [all]."""
        return int(self.act(observation, mask)[0])

    def _allowed(self, logits: NDArray[numpy.float32], masks: ArrayLike | None) -> NDArray[numpy.float32]:
        """Sets the logits of actions that `masks` forbids to minus infinity."""
        if masks is None:
            return logits
        given = numpy.atleast_2d(arguments.array(masks, "masks"))
        if given.shape != logits.shape:
            raise Error(
                f"masks: have the shape {given.shape}, not {logits.shape}: a row for each observation, "
                "a value for each action"
            )
        allowed = given != 0
        if given.dtype != bool and not (allowed == given).all():
            raise Error("masks: must be true or false, or 1 or 0")
        if not allowed.any(axis=1).all():
            raise Error(f"masks: row {int(numpy.flatnonzero(~allowed.any(axis=1))[0])} allows no action")
        return numpy.where(allowed, logits, -numpy.inf)

    def _answer(self, function: Any) -> bytes:
        reply = Reply()
        self._open().call(function, reply.sink)
        return reply.bytes


def _must_be_finite(rows: NDArray[numpy.float32], message: str) -> None:
    finite = numpy.isfinite(rows)
    if not finite.all():
        raise Error(message.format(int(numpy.flatnonzero(~finite.all(axis=1))[0])))
