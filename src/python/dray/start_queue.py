"""Makes heads that start at the same time wait for one another: Ray gives up when its parts answer too slowly.

A slot is an abstract unix socket, as in ports.py: it is free again when its process ends, however that comes about.
"""

import os
import socket
import time
from collections.abc import Callable

POLL_S = 0.1
NAME = f"dray-start-{os.getuid()}"


def slots() -> int:
    """Returns the number of heads that may start at the same time: one per core."""
    return os.cpu_count() or 1


def try_to_enter() -> socket.socket | None:
    """Returns the open socket of a free slot, to be closed once the head is up; None if all are taken."""
    for number in range(slots()):
        slot = socket.socket(socket.AF_UNIX)
        try:
            slot.bind(f"\0{NAME}-{number}")
            return slot
        except OSError:
            slot.close()
    return None


def enter(say_waiting: Callable[[bool], object]) -> socket.socket:
    """Waits for a slot. Calls `say_waiting` with whether it has to wait."""
    slot = try_to_enter()
    say_waiting(slot is None)
    while slot is None:
        time.sleep(POLL_S)
        slot = try_to_enter()
    return slot
