"""Objects of the engine, owned by Python: one call at a time, none after close, freed when nothing refers to them any more."""

import ctypes as c
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from dray import facade
from dray.error import Error

_handles: "weakref.WeakSet[Handle]" = weakref.WeakSet()


class Handle:
    """Owns one object of the engine. Arrays over the object's memory refer to its handle, so the memory lives as long as they do."""

    def __init__(self, library: Any, destroy: Callable[[Any], Any], name: str) -> None:
        """`destroy` frees the object; messages call it by `name`."""
        self.address = c.c_void_p()  # create functions of the facade write it
        self.lock = threading.RLock()  # held during every call; hold it to keep other threads out between calls
        self._library, self._destroy, self._name = library, destroy, name
        self._calling, self._torn = False, False
        _handles.add(self)

    def call(self, function: Any, *arguments: Any) -> None:
        with self.lock:
            if self._calling:
                raise Error(f"{self._name} is in the middle of a call: a signal handler or a finalizer must not use it")
            if self._torn:
                raise Error(
                    f"another thread was using {self._name} when this process was forked: make it again in this process"
                )
            try:
                self._calling = True
                facade.check(self._library, function(self.address, *arguments))
            finally:
                self._calling = False

    def enter_forked_process(self) -> None:
        """The thread that held the lock is not in this process, and neither are the object's own threads, which freeing it would wait for."""
        self.lock = threading.RLock()
        self._torn, self._calling, self._destroy = self._torn or self._calling, False, _leave

    def __del__(self) -> None:
        if self.address:
            self._destroy(self.address)


class Held:
    """What Python makes of an object of the engine: `_handle` until it is closed."""

    _handle: Handle | None = None
    _name = "this object"  # in messages

    def close(self) -> None:
        """Ends its use. Its memory is freed once no array over it is left."""
        self._handle = None

    @property
    def closed(self) -> bool:
        return self._handle is None

    def _open(self) -> Handle:
        """The handle; kept by the caller, the object outlives a close by another thread."""
        handle = self._handle
        if handle is None:
            raise Error(f"{self._name} is closed: make another")
        return handle

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise Error(f"{self._name} can be neither copied nor pickled: make another where it is needed")


def _leave(_address: Any) -> None:
    pass


def _enter_forked_process() -> None:
    for handle in list(_handles):
        handle.enter_forked_process()


os.register_at_fork(after_in_child=_enter_forked_process)
