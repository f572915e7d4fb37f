"""The engine's C facade (src/api/dray.h) by ctypes, as far as a training that is stepped from Python needs it."""

import ctypes as c
import functools
import json
import os
import pathlib

_PACKAGE = pathlib.Path(__file__).resolve().parent


class Error(Exception):
    """One line that says what went wrong, where, and what to do next."""


def actor_library():
    """The library that Ray's workers load: DRAY_ACTOR_LIBRARY, or that of the bundle or build that this package is of."""
    named = os.environ.get("DRAY_ACTOR_LIBRARY")
    if named:
        if not os.path.isfile(named):
            raise Error(f"DRAY_ACTOR_LIBRARY={named}: there is no such file")
        return os.path.realpath(named)
    bundle, repository = _PACKAGE.parent.parent / "lib", _PACKAGE.parents[2]
    for folder in (bundle, repository / "bazel-bin" / "ray_actors"):
        if (folder / "libdray_actors.so").is_file():
            return os.path.realpath(folder / "libdray_actors.so")
    raise Error(
        "the actor library libdray_actors.so was not found: build it (bazel build //ray_actors:libdray_actors.so), "
        "or name it in DRAY_ACTOR_LIBRARY"
    )


class _Bytes(c.Structure):
    _fields_ = [("data", c.c_char_p), ("size", c.c_size_t)]


_Resize = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_size_t)


class _Sink(c.Structure):
    _fields_ = [("self", c.c_void_p), ("resize", _Resize)]


class _Reply:
    """A sink in memory."""

    def __init__(self):
        self._memory, self._size = c.create_string_buffer(0), 0
        self._resize = _Resize(self._grow)  # lives as long as the sink
        self.sink = _Sink(None, self._resize)

    def _grow(self, _, size):
        if size > len(self._memory):
            grown = c.create_string_buffer(size)
            c.memmove(grown, self._memory, self._size)
            self._memory = grown
        self._size = size
        return c.addressof(self._memory)

    @property
    def bytes(self):
        return c.string_at(self._memory, self._size)


@functools.cache
def _engine():
    """libdray.so, the one that the actors' library is linked with. Ray's own library must stay out of this process."""
    actors = pathlib.Path(actor_library())
    for path in (actors.parent / "libdray.so", actors.parent.parent / "src" / "api" / "libdray.so"):
        if path.is_file():
            break
    else:
        raise Error(f"{actors} has no libdray.so beside it: build again")
    try:
        engine = c.CDLL(str(path))
        engine.dray_last_error.restype = c.c_char_p
        engine.dray_role_call.argtypes = [c.c_void_p, c.c_char_p, c.POINTER(_Bytes), c.c_size_t, _Sink]
        engine.dray_role_destroy.argtypes = [c.c_void_p]
        engine.dray_training_create.argtypes = [c.c_int, c.POINTER(c.c_char_p), c.POINTER(c.c_void_p)]
    except (OSError, AttributeError) as error:
        raise Error(f"{path} is not of this version of Dray ({error}): build again") from None
    return engine


class SteppedTraining:
    """The engine's side of a training whose loop turns here; src/cluster/stepped_training.h has its methods."""

    def __init__(self, arguments):
        self._training = c.c_void_p()
        words = (c.c_char_p * len(arguments))(*[word.encode() for word in arguments])
        _check(_engine().dray_training_create(len(arguments), words, c.byref(self._training)))

    def ask(self, method, *arguments):
        passed = (_Bytes * max(1, len(arguments)))(*[_Bytes(one, len(one)) for one in map(_as_bytes, arguments)])
        reply = _Reply()
        _check(_engine().dray_role_call(self._training, method.encode(), passed, len(arguments), reply.sink))
        return reply.bytes

    def ask_json(self, method, *arguments):
        return json.loads(self.ask(method, *arguments))

    def close(self):
        _engine().dray_role_destroy(self._training)
        self._training = c.c_void_p()


def _as_bytes(argument):
    return argument if isinstance(argument, bytes) else str(argument).encode()


def _check(status):
    if status != 0:
        raise Error(_engine().dray_last_error().decode(errors="replace"))
