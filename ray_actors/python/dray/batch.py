"""A batch of Dray's environments, stepped in place: numpy arrays over the engine's own memory. Needs numpy alone.

    batch = Batch("cage2", count=64, settings={"red": "meander"})
    batch.reset()
    for _ in range(100):
        batch.actions[:] = choose(batch.observations, batch.masks)
        batch.step()                       # observations, masks, rewards, terminated, truncated now say what came of it

An environment whose episode ends begins its next one within the same step: its row of `observations` is the new episode's first,
that of `final_observations` the old one's last.
"""

import ctypes as c
import json
import pathlib

import numpy

from dray import facade, places
from dray.facade import Bytes, Error, Reply

_MEMORY = ("action_indices", "action_values", "observations", "masks", "rewards", "terminated", "truncated", "final_observations")


class _Memory(c.Structure):
    _fields_ = [(name, c.c_void_p) for name in _MEMORY]


def names():
    """Of all environments."""
    library, reply = facade.environments(), Reply()
    facade.check(library, library.dray_envs_names(reply.sink))
    return json.loads(reply.bytes)


def trained_by(path):
    """What a YAML file of settings trains: the environment, how many, and what ends the run."""
    library, reply = facade.environments(), Reply()
    facade.check(library, library.dray_envs_config(str(path).encode(), reply.sink))
    return json.loads(reply.bytes)


def presets():
    """Every preset's file by its name: of the package, the bundle or the repository."""
    return {path.stem: path for path in sorted(places.configs().glob("*.yaml"))}


def preset(name):
    """The file of a preset ("cage2_bline") or of a run folder's settings; a path to a YAML file stays what it is."""
    path = pathlib.Path(name)
    if path.is_dir():
        path /= "config.yaml"
    if path.is_file():
        return path.resolve()
    if name in presets():
        return presets()[name]
    raise Error(f"there is no preset {name}, and no such file; presets: {', '.join(presets())}")


class Batch:
    """`settings` are those of env.<name> (configs/REFERENCE.md), `config` a preset, YAML file or run folder that they change; or
    all of it as the text of one, `yaml`."""

    def __init__(self, name=None, count=1, seed=0, settings=None, config=None, yaml=None):
        if not name and not config and not yaml:
            raise Error(f"name an environment ({', '.join(names())}), or a config that does")
        self._library, self._envs = facade.environments(), c.c_void_p()
        text = yaml or _yaml(name, settings or {}, config)
        self._check(self._library.dray_envs_create(Bytes.of(text.encode()), seed, count, c.byref(self._envs)))
        self.seed = seed
        self.spec = json.loads(self._answer(self._library.dray_envs_describe))
        self.discrete = "actions" in self.spec
        self._view()

    def _view(self):
        memory = _Memory()
        self._library.dray_envs_memory(self._envs, c.byref(memory))
        count, size = self.spec["envs"], self.spec["observation_size"]
        outputs = self.spec["actions"] if self.discrete else len(self.spec["low"])

        def array(field, kind, *shape):
            address = getattr(memory, field)
            if not address:
                return None
            view = numpy.ctypeslib.as_array(c.cast(address, c.POINTER(kind)), shape)
            return view.view(numpy.bool_) if kind is c.c_uint8 else view

        self.actions = array("action_indices", c.c_int32, count) if self.discrete else array("action_values", c.c_float, count, outputs)
        self.observations = array("observations", c.c_float, count, size)
        self.final_observations = array("final_observations", c.c_float, count, size)
        self.masks = array("masks", c.c_uint8, count, outputs)  # None: all actions are always allowed
        self.rewards = array("rewards", c.c_float, count)
        self.terminated = array("terminated", c.c_uint8, count)
        self.truncated = array("truncated", c.c_uint8, count)

    def reset(self):
        """Begins an episode in every environment."""
        self._check(self._library.dray_envs_reset(self._envs))

    def step(self):
        """Carries out `actions`."""
        if self._library.dray_envs_step(self._envs) != 0:
            self._check(1)

    def episodes(self):
        """Those that ended since the last call: dictionaries of env, return, length and the task's own stats."""
        return json.loads(self._answer(self._library.dray_envs_episodes))

    def progress(self, share):
        """The share of a training that is done, 0 to 1, which schedules of the task follow."""
        self._check(self._library.dray_envs_progress(self._envs, share))

    def render(self, index=0):
        """The present state in words."""
        return self._answer(self._library.dray_envs_render, index).decode()

    def save(self):
        """The whole state, as bytes."""
        return self._answer(self._library.dray_envs_save)

    def load(self, state):
        self._check(self._library.dray_envs_load(self._envs, Bytes.of(state)))

    def close(self):
        """The arrays must not be touched afterwards."""
        if getattr(self, "_envs", None):
            self._library.dray_envs_destroy(self._envs)
            self._envs = c.c_void_p()

    def __del__(self):
        self.close()

    def _answer(self, function, *arguments):
        reply = Reply()
        self._check(function(self._envs, *arguments, reply.sink))
        return reply.bytes

    def _check(self, status):
        facade.check(self._library, status)


def _yaml(name, settings, config):
    """JSON is YAML."""
    document = {"include": str(preset(config))} if config else {}
    if name:
        document["env"] = {"name": name, **({name: settings} if settings else {})}
    elif settings:
        raise Error("settings belong to an environment: name it, too")
    return json.dumps(document, default=_plain)


def _plain(value):
    if isinstance(value, numpy.generic):
        return value.item()
    if isinstance(value, (numpy.ndarray, tuple)):
        return list(value)
    if isinstance(value, pathlib.Path):
        return str(value)
    raise Error(f"a setting cannot be {value!r}")
