"""The part of the engine's C facade (src/api/dray.h) that a training stepped from Python needs, by ctypes."""

import ctypes as c
import functools
import json
import os
import pathlib
from collections.abc import Sequence
from typing import Any

from dray import facade, places
from dray.arguments import c_string
from dray.facade import Bytes, Error, Reply, Sink
from dray.handle import Handle, Held


def actor_library() -> str:
    """Returns the path of the library that Ray's workers load."""
    return places.library("libdray_actors.so", "DRAY_ACTOR_LIBRARY")


@functools.cache
def _engine() -> Any:
    """Loads the libdray.so that the actors' library is linked with. Ray's own library must not enter this process."""
    actors = pathlib.Path(actor_library())
    for path in (actors.parent / "libdray.so", actors.parent.parent / "src" / "api" / "libdray.so"):
        if path.is_file():
            break
    else:
        raise Error(f"{actors} has no libdray.so beside it: build again")
    engine = facade.load(os.path.realpath(path))
    try:
        engine.dray_role_call.argtypes = [c.c_void_p, c.c_char_p, c.POINTER(Bytes), c.c_size_t, Sink]
        engine.dray_role_destroy.argtypes = [c.c_void_p]
        engine.dray_training_create.argtypes = [c.c_int, c.POINTER(c.c_char_p), c.POINTER(c.c_void_p)]
    except AttributeError as error:
        raise Error(f"{path} does not belong to this version of Dray ({error}): build again") from None
    return engine


class SteppedTraining(Held):
    """Engine side of a training whose loop runs in Python; src/cluster/stepped_training.h lists its methods."""

    _name = "this training"

    def __init__(self, words: Sequence[str]) -> None:
        """Creates the training from the command-line arguments of `train`."""
        engine = _engine()
        passed = (c.c_char_p * len(words))(*[c_string(word, "arguments") for word in words])
        handle = Handle(engine, engine.dray_role_destroy, self._name)
        facade.check(engine, engine.dray_training_create(len(words), passed, c.byref(handle.address)))
        self._handle = handle

    def ask(self, method: str, *arguments: object) -> bytes:
        """Calls a method and returns its reply."""
        passed = (Bytes * max(1, len(arguments)))(*[Bytes.of(one) for one in map(_as_bytes, arguments)])
        reply = Reply()
        self._open().call(_engine().dray_role_call, method.encode(), passed, len(arguments), reply.sink)
        return reply.bytes

    def ask_json(self, method: str, *arguments: object) -> Any:
        """Calls a method and returns its reply, parsed as JSON."""
        return json.loads(self.ask(method, *arguments))


def _as_bytes(argument: object) -> bytes:
    return argument if isinstance(argument, bytes) else str(argument).encode()
