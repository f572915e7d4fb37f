"""Engine objects owned by Python: one call at a time, none after close, freed with the last reference."""

import ctypes as c
import os
import threading
import weakref
from collections.abc import Callable
from typing import Any, NoReturn

from dray import facade
from dray.error import Error

_handles: "weakref.WeakSet[Handle]" = weakref.WeakSet()


class Uncopied:
    """An object that exists once."""

    _name = "this object"  # in messages

    def __reduce_ex__(self, _: object) -> NoReturn:
        raise Error(f"{self._name} can be neither copied nor pickled: create another where you need it")


class Handle(Uncopied):
    """Owns one object of the engine. Arrays over its memory keep the handle, and so the memory, alive."""

    def __init__(self, library: Any, destroy: Callable[[Any], Any], name: str) -> None:
        """Creates an empty handle. `destroy` frees the object; `name` appears in messages."""
        self.address = c.c_void_p()  # create functions of the facade write it
        self.lock = threading.RLock()  # held during every call; hold it to keep other threads out between calls
        self._library, self._destroy, self._name = library, destroy, name
        self._calling, self._torn = False, False
        _handles.add(self)

    def call(self, function: Any, *arguments: Any) -> None:
        """Calls a function of the facade with the object as first argument."""
        with self.lock:
            if self._calling:
                raise Error(f"{self._name} is in the middle of a call: a signal handler or a finalizer must not use it")
            if self._torn:
                raise Error(
                    f"another thread was using {self._name} when this process was forked: create it again in this process"
                )
            try:
                self._calling = True
                facade.check(self._library, function(self.address, *arguments))
            finally:
                self._calling = False

    def enter_forked_process(self) -> None:
        """Prepares the handle for a forked process, which lacks the thread that held the lock and the object's own
        threads; freeing the object would wait for them.
        """
        self.lock = threading.RLock()
        self._torn, self._calling, self._destroy = self._torn or self._calling, False, _leave

    def __del__(self) -> None:
        if self.address:
            self._destroy(self.address)


class Held(Uncopied):
    """A Python object that holds an object of the engine in `_handle` until it is closed."""

    _handle: Handle | None = None

    def close(self) -> None:
        """Closes the object. Its memory is freed when no array uses it any more."""
        self._handle = None

    @property
    def closed(self) -> bool:
        return self._handle is None

    def _open(self) -> Handle:
        """Returns the handle. The caller's reference keeps the object alive if another thread closes it."""
        handle = self._handle
        if handle is None:
            raise Error(f"{self._name} is closed: create another")
        return handle


def _leave(_address: Any) -> None:
    pass


def _enter_forked_process() -> None:
    for handle in list(_handles):
        handle.enter_forked_process()


os.register_at_fork(after_in_child=_enter_forked_process)
