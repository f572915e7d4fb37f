"""The engine's C facade (src/api/dray.h) by ctypes: libraries, bytes in and out, errors."""

import ctypes as c
import functools
from typing import Any

from dray import places
from dray.error import Error


class Bytes(c.Structure):
    _fields_ = [("data", c.c_char_p), ("size", c.c_size_t)]

    @classmethod
    def of(cls, data: bytes) -> "Bytes":
        """Wraps bytes, which must outlive the call."""
        return cls(data, len(data))


_Resize = c.CFUNCTYPE(c.c_void_p, c.c_void_p, c.c_size_t)


class Sink(c.Structure):
    _fields_ = [("self", c.c_void_p), ("resize", _Resize)]


class Reply:
    """A sink that collects bytes in memory."""

    def __init__(self) -> None:
        self._memory, self._size = c.create_string_buffer(0), 0
        self._resize = _Resize(self._grow)  # lives as long as the sink
        self.sink = Sink(None, self._resize)

    def _grow(self, _: Any, size: int) -> int:
        if size > len(self._memory):
            grown = c.create_string_buffer(size)
            c.memmove(grown, self._memory, self._size)
            self._memory = grown
        self._size = size
        return c.addressof(self._memory)

    @property
    def bytes(self) -> bytes:
        return c.string_at(self._memory, self._size)


_loaded: list[str] = []  # libdray.so or libdray_envs.so


def load(path: str) -> Any:
    """Opens libdray.so or libdray_envs.so.

    A process can load one of them: both register their settings with the same Protobuf library.
    """
    if _loaded and _loaded[0] != path:
        raise Error(
            "this process has Dray's environments without its learner: create the training before the environments, "
            "or use a process for each"
        )
    try:
        library = c.CDLL(path)
        library.dray_last_error.restype = c.c_char_p
    except (OSError, AttributeError) as error:
        raise Error(f"{path} does not belong to this version of Dray ({error}): build again") from None
    _loaded[:] = [path]
    return library


@functools.cache
def environments() -> Any:
    """Returns the library with dray_envs_* and dray_policy_*: the engine if it is loaded, else libdray_envs.so."""
    library = load(_loaded[0] if _loaded else places.library("libdray_envs.so", "DRAY_ENVS_LIBRARY"))
    try:
        for name in (
            "create",
            "describe",
            "reset",
            "step",
            "episodes",
            "render",
            "save",
            "load",
            "names",
            "config",
            "progress",
        ):
            getattr(library, f"dray_envs_{name}").restype = c.c_int
        library.dray_envs_create.argtypes = [Bytes, c.c_uint64, c.c_int64, c.POINTER(c.c_void_p)]
        library.dray_envs_memory.argtypes = [c.c_void_p, c.c_void_p]
        library.dray_envs_memory.restype = None
        for name in ("describe", "episodes", "save"):
            getattr(library, f"dray_envs_{name}").argtypes = [c.c_void_p, Sink]
        library.dray_envs_render.argtypes = [c.c_void_p, c.c_int, Sink]
        for name in ("reset", "step"):
            getattr(library, f"dray_envs_{name}").argtypes = [c.c_void_p]
        library.dray_envs_progress.argtypes = [c.c_void_p, c.c_double]
        library.dray_envs_load.argtypes = [c.c_void_p, Bytes]
        library.dray_envs_names.argtypes = [Sink]
        library.dray_envs_config.argtypes = [c.c_char_p, Sink]
        library.dray_envs_destroy.argtypes = [c.c_void_p]
        library.dray_envs_destroy.restype = None
        library.dray_policy_load.argtypes = [c.c_char_p, c.POINTER(c.c_void_p)]
        library.dray_policy_describe.argtypes = [c.c_void_p, Sink]
        library.dray_policy_outputs.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t, c.c_void_p]
        library.dray_policy_begin.argtypes = [c.c_void_p, c.c_void_p, c.c_size_t]
        library.dray_policy_parameters.argtypes = [c.c_void_p, Sink]
        library.dray_policy_pack.argtypes = [c.c_char_p, Sink]
        library.dray_policy_destroy.argtypes = [c.c_void_p]
        library.dray_policy_destroy.restype = None
    except AttributeError as error:
        raise Error(f"{_loaded[0]} does not belong to this version of Dray ({error}): build again") from None
    return library


def check(library: Any, status: int) -> None:
    """Raises the engine's last error unless `status` is 0."""
    if status != 0:
        raise Error(library.dray_last_error().decode(errors="replace"))
