"""Programs that run side by side, and the signal that ends all of them."""

import signal
import subprocess
import threading
from collections.abc import Sequence
from typing import Any


class Interrupted(BaseException):
    """A signal asked this process to end."""

    def __init__(self, number: int) -> None:
        super().__init__(signal.Signals(number).name)
        self.exit_code = 128 + number  # as shells have it
        self.number = number


def raise_interruptions() -> None:
    """Makes SIGINT, SIGTERM and SIGHUP raise Interrupted in the main thread; an ignored SIGTERM or SIGHUP (nohup) stays
    ignored.
    """

    def interrupt(number: int, _frame: object) -> None:
        raise Interrupted(number)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if number == signal.SIGINT or signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, interrupt)


class Fleet:
    """Programs that several threads call. The terminal's Ctrl-C does not reach them; `end` passes it on once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended_by: int | None = None

    def call(self, command: Sequence[str], **options: Any) -> int:
        """Runs a program and returns its exit code. After `end` it runs nothing and returns the signal's code."""
        with self._lock:
            if self._ended_by is not None:
                return 128 + self._ended_by
            process = subprocess.Popen(command, start_new_session=True, **options)
            self._running.add(process)
        code = process.wait()
        with self._lock:
            self._running.discard(process)
        return code

    def end(self, number: int) -> None:
        """Sends the signal to all running programs and prevents further calls."""
        with self._lock:
            self._ended_by = number
            for process in self._running:
                process.send_signal(number)
