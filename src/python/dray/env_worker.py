"""Hosts Python environments for the engine, as a process that src/envs/python starts.

Commands arrive as single bytes on standard input, some followed by a payload; each is answered on descriptor 3. Steps
themselves pass through memory shared with the engine, descriptor 4: columns with a row for each environment, at the
offsets that the engine names. Whatever environments print goes to standard error.
"""

import json
import mmap
import os
import select
import struct
import sys
import threading
import time
import traceback
from collections.abc import Callable
from typing import Any

_REPLIES, _MEMORY = 3, 4
_GRACE_S = 2.0  # for environments to close once the engine has gone
_LENGTH = struct.Struct("<Q")


def main() -> None:
    commands = os.dup(0)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)  # an environment that reads its input must not read commands
    for descriptor in (_REPLIES, _MEMORY):
        os.set_inheritable(descriptor, False)
    os.register_at_fork(after_in_child=lambda: _leave_to_parent(commands))
    threading.Thread(target=_end_with_engine, args=(commands,), daemon=True).start()
    _Worker(commands).serve()


def _leave_to_parent(commands: int) -> None:
    """Takes an environment's forked child out of the conversation with the engine."""
    for descriptor in (commands, _REPLIES):
        os.close(descriptor)


def _end_with_engine(commands: int) -> None:
    """Ends this process soon after the engine, even in the middle of a long step."""
    hangup = select.poll()
    hangup.register(commands, 0)
    hangup.poll()
    time.sleep(_GRACE_S)
    os._exit(1)


class _Worker:
    """The environments, and the answer to each command."""

    def __init__(self, commands: int) -> None:
        self._commands = commands
        self._host: Any = None
        self._answers: dict[bytes, Callable[[], bytes | None]] = {
            b"A": self._ask,
            b"B": self._begin,
            b"R": lambda: self._host.reset(),
            b"S": lambda: self._host.step(),
            b"V": lambda: self._host.save(),
            b"L": lambda: self._host.load(self._payload()),
        }

    def serve(self) -> None:
        while command := os.read(self._commands, 1):
            try:
                data = self._answers[command]()
            except BaseException as error:  # also SystemExit: an environment must not end the worker unnoticed
                self._reply(b"E", json.dumps(self._described(error)).encode())
            else:
                if data is None:
                    os.write(_REPLIES, b".")
                else:
                    self._reply(b"D", data)
        if self._host:
            self._host.close()
        os._exit(0)

    def _payload(self) -> bytes:
        (size,) = _LENGTH.unpack(self._read(_LENGTH.size))
        return self._read(size)

    def _read(self, size: int) -> bytes:
        parts = []
        while size > 0:
            part = os.read(self._commands, min(size, 1 << 20))
            if not part:
                os._exit(0)
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _reply(self, kind: bytes, data: bytes) -> None:
        rest = memoryview(kind + _LENGTH.pack(len(data)) + data)
        while rest:
            rest = rest[os.write(_REPLIES, rest) :]

    def _ask(self) -> bytes:
        return json.dumps(_hosting().described(json.loads(self._payload()))).encode()

    def _begin(self) -> None:
        setup = json.loads(self._payload())
        if self._host:
            self._host.close()
        self._host = None
        self._host = _hosting().host(setup, mmap.mmap(_MEMORY, setup["bytes"]))

    def _described(self, error: BaseException) -> dict[str, Any]:
        """Returns an exception as the engine reports it."""
        own = _own_message(error)
        frames = traceback.extract_tb(error.__traceback__)
        what = own or " ".join("".join(traceback.format_exception_only(error)).split())
        return {
            "usage": bool(own) and self._host is None,
            "row": self._host.row if self._host else -1,
            "what": what,
            "where": "" if own or not frames else f"{frames[-1].filename}:{frames[-1].lineno}, in {frames[-1].name}",
            "traceback": "" if own else "".join(traceback.format_exception(error)),
        }


def _hosting() -> Any:
    """Imports what needs Gymnasium, so that its absence is an answer like any other."""
    from dray import env_host

    return env_host


def _own_message(error: BaseException) -> str:
    """Returns the message of an error that Dray found itself, or of missing packages; empty for any other."""
    if isinstance(error, ModuleNotFoundError) and error.name in ("gymnasium", "numpy"):
        return f"{sys.executable} has no {error.name}: install it there, or set DRAY_PYTHON to a Python that has it"
    spaces = sys.modules.get("dray.env_spaces")
    return str(error) if spaces and isinstance(error, (spaces.Unsupported, spaces.Mismatch)) else ""


if __name__ == "__main__":
    main()
