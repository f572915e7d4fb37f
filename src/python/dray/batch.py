"""A batch of Dray's environments, stepped in place: numpy arrays over the engine's memory. Needs only numpy.

    batch = Batch("cage2", count=64, settings={"red": "meander"})
    batch.reset()
    for _ in range(100):
        batch.step(choose(batch.observations, batch.masks))
        # observations, masks, rewards, terminated, truncated now say what came of it

An environment whose episode ends begins its next one within the same step: its row of `observations` is the new episode's first,
that of `final_observations` the old one's last.

Threads may share a batch: calls take turns. Whoever also needs the arrays unchanged between two calls holds `batch.lock`. Arrays stay
valid after `close`, with what they had then.
"""

import ctypes as c
import json
import pathlib
from collections.abc import Mapping
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

from dray import arguments, facade, places
from dray.facade import Bytes, Error, Reply
from dray.handle import Handle, Held
from dray.places import PathLike

_MEMORY = (
    "action_indices",
    "action_values",
    "observations",
    "masks",
    "rewards",
    "terminated",
    "truncated",
    "final_observations",
)


_ARRAYS = ("actions", "observations", "final_observations", "masks", "rewards", "terminated", "truncated")


class _Memory(c.Structure):
    _fields_ = [(name, c.c_void_p) for name in _MEMORY]


class _Column:
    """Memory of a batch, as numpy takes it. Arrays keep this object, and with it the batch's memory, alive."""

    def __init__(self, handle: Handle, address: int, kind: str, shape: tuple[int, ...]) -> None:
        self.handle = handle
        self.__array_interface__ = {
            "version": 3,
            "data": (address, False),
            "typestr": numpy.dtype(kind).str,
            "shape": shape,
        }


def names() -> list[str]:
    """Returns the names of all environments."""
    library, reply = facade.environments(), Reply()
    facade.check(library, library.dray_envs_names(reply.sink))
    return json.loads(reply.bytes)


def trained_by(path: PathLike) -> dict[str, Any]:
    """Returns what a YAML file trains: the environment, the number of environments and the limits of the run."""
    library, reply = facade.environments(), Reply()
    facade.check(library, library.dray_envs_config(arguments.c_string(path, "path"), reply.sink))
    return json.loads(reply.bytes)


def presets() -> dict[str, pathlib.Path]:
    """Returns the presets' files by name: those of the package, the bundle or the repository."""
    return {path.stem: path for path in sorted(places.configs().glob("*.yaml"))}


def preset(name: PathLike) -> pathlib.Path:
    """Returns the file of a preset ("cage2_bline") or the settings of a run folder; a path to a YAML file is returned
    unchanged.
    """
    path = pathlib.Path(arguments.text(name, "config"))
    if path.is_dir():
        path /= "config.yaml"
    if path.is_file():
        return path.resolve()
    if str(path) in presets():
        return presets()[str(path)]
    raise Error(f"there is no preset {path}, and no such file; presets: {', '.join(presets())}")


class Batch(Held):
    """Environments that step together.

    `settings` are those of env.<name> (configs/REFERENCE.md); `config` is a preset, YAML file or run folder that they
    change. `yaml` is a whole configuration as text.
    """

    _name = "this batch of environments"

    def __init__(
        self,
        name: str | None = None,
        count: int = 1,
        seed: int = 0,
        settings: Mapping[str, Any] | None = None,
        config: PathLike | None = None,
        yaml: str | None = None,
    ) -> None:
        if name is not None and not isinstance(name, str):
            raise Error(f"name: {arguments.shown(name)} is not the name of an environment")
        if not name and config is None and not yaml:
            raise Error(f"name an environment ({', '.join(names())}), or a config that names one")
        count = arguments.whole_number(count, "num_envs")  # the engine knows the range
        self.seed = arguments.whole_number(seed, "seed", 0, 2**64 - 1)
        text = _encoded(yaml or _yaml(name, settings or {}, config))
        self._library = facade.environments()
        handle = Handle(self._library, self._library.dray_envs_destroy, self._name)
        facade.check(
            self._library, self._library.dray_envs_create(Bytes.of(text), self.seed, count, c.byref(handle.address))
        )
        self._handle = handle
        self.spec = json.loads(self._answer(self._library.dray_envs_describe))
        self.discrete = "actions" in self.spec
        self._view(handle)

    def _view(self, handle: Handle) -> None:
        memory = _Memory()
        self._library.dray_envs_memory(handle.address, c.byref(memory))
        count, size = self.spec["envs"], self.spec["observation_size"]
        outputs = self.spec["actions"] if self.discrete else len(self.spec["low"])

        def array(field: str, kind: str, *shape: int) -> Any:
            address = getattr(memory, field)
            return numpy.asarray(_Column(handle, address, kind, shape)) if address else None

        self.actions = (
            array("action_indices", "i8", count) if self.discrete else array("action_values", "f4", count, outputs)
        )
        self.observations = array("observations", "f4", count, size)
        self.final_observations = array("final_observations", "f4", count, size)
        self.masks = array("masks", "?", count, outputs)  # None: all actions are always allowed
        self.rewards = array("rewards", "f4", count)
        self.terminated = array("terminated", "?", count)
        self.truncated = array("truncated", "?", count)

    @property
    def lock(self) -> Any:
        """A lock that keeps other threads from calling while it is held."""
        return self._open().lock

    def reset(self) -> None:
        """Begins an episode in every environment."""
        self._open().call(self._library.dray_envs_reset)

    def step(self, actions: ArrayLike | None = None) -> None:
        """Performs these actions, one per environment; without `actions`, those written to the array `actions`."""
        handle = self._open()
        if actions is None:
            return handle.call(self._library.dray_envs_step)
        with handle.lock:
            self._write(actions)
            handle.call(self._library.dray_envs_step)

    def _write(self, actions: ArrayLike) -> None:
        to, given = self.actions, arguments.array(actions, "actions")
        if given.shape != to.shape:
            if given.shape != (*to.shape, 1):
                raise Error(f"actions: have the shape {given.shape}, not {to.shape}: one action for each environment")
            given = given.reshape(to.shape)
        if given.dtype.kind == "f":
            given = self._fitting(given)
        to[...] = given  # the engine checks the range

    def _fitting(self, given: NDArray[Any]) -> NDArray[Any]:
        taken = arguments.cast(given, self.actions.dtype)
        if self.discrete and not (taken == given).all():
            i = int(numpy.flatnonzero(taken != given)[0])
            raise Error(f"environment {i}: there is no action {given[i]}; they are 0 to {self.spec['actions'] - 1}")
        return taken

    def any_ended(self) -> bool:
        """Checks whether an episode ended in the last step. Searching bytes takes a fifth of the time of any()."""
        return b"\1" in self.terminated.tobytes() or b"\1" in self.truncated.tobytes()

    def episodes(self) -> list[dict[str, Any]]:
        """Returns the episodes that ended since the last call: dictionaries of env, return, length and the task's
        stats.
        """
        return json.loads(self._answer(self._library.dray_envs_episodes))

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Returns which actions are allowed now, [count, actions]."""
        if self.masks is not None:
            return self.masks
        if not self.discrete:
            raise Error(f"the actions of {self.spec['name']} are not discrete: they have no masks")
        return numpy.ones((self.spec["envs"], self.spec["actions"]), numpy.bool_)

    def progress(self, share: float) -> None:
        """Sets how much of a training is done, 0 to 1, for schedules of the task."""
        self._open().call(self._library.dray_envs_progress, arguments.number(share, "progress"))

    def render(self, index: int = 0) -> str:
        """Returns the current state as text."""
        last = self.spec["envs"] - 1
        return self._answer(self._library.dray_envs_render, arguments.whole_number(index, "index", 0, last)).decode()

    def save(self) -> bytes:
        """Returns the whole state as bytes."""
        return self._answer(self._library.dray_envs_save)

    def load(self, state: bytes) -> None:
        """Restores a state of `save`."""
        self._open().call(self._library.dray_envs_load, Bytes.of(arguments.as_bytes(state, "a saved state")))

    def close(self) -> None:
        super().close()
        for name in _ARRAYS:
            self.__dict__.pop(name, None)

    def __getattr__(self, name: str) -> Any:
        if name in _ARRAYS:
            self._open()  # raises: it has its arrays until it is closed
        raise AttributeError(f"a Batch has no {name!r}")

    def _answer(self, function: Any, *given: Any) -> bytes:
        reply = Reply()
        self._open().call(function, *given, reply.sink)
        return reply.bytes


def _yaml(name: str | None, settings: Mapping[str, Any], config: PathLike | None) -> str:
    """Returns the configuration as JSON, which is also YAML."""
    document: dict[str, Any] = {"include": str(preset(config))} if config is not None else {}
    if name:
        document["env"] = {"name": name, **({name: settings} if settings else {})}
    elif settings:
        raise Error("settings need the name of their environment")
    try:
        return json.dumps(document, default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise Error(f"settings: {error}") from None


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except (AttributeError, UnicodeEncodeError):
        raise Error(f"yaml: {arguments.shown(text)} is not a text") from None


def _plain(value: object) -> Any:
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, (numpy.ndarray, tuple)):
        return list(value)
    if isinstance(value, pathlib.Path):
        return str(value)
    raise Error(f"a setting cannot be {value!r}")
