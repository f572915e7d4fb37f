"""Reserves ports for the servers that this process starts.

A port that is free now may be taken before its server binds it: by another cluster that starts at the same moment. Dray's own clusters therefore claim
a port first. A claim is an abstract unix socket named after the port: the kernel makes it atomically, for all users of the network that the port belongs
to, and takes it back when the process ends, however it ends.
"""

import errno
import pathlib
import random
import socket

from dray.error import Error

LOWEST = 20000
EPHEMERAL = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")

_claims: dict[int, socket.socket] = {}  # the sockets, by port


def claim(port: int) -> bool:
    """Sets a port aside until this process ends; returns whether that succeeded."""
    held = socket.socket(socket.AF_UNIX)
    try:
        held.bind(f"\0dray-port-{port}")
    except OSError:
        held.close()
        return False
    if not is_free(port):
        held.close()
        return False
    _claims[port] = held
    return True


def claim_any(preferred: int | None = None) -> int:
    """Claims the preferred port, or a random one if that is taken, and returns it."""
    if preferred is not None and claim(preferred):
        return preferred
    candidates = list(range(LOWEST, _lowest_ephemeral()))
    random.shuffle(candidates)
    for port in candidates:
        if claim(port):
            return port
    raise Error(f"every port from {min(candidates)} to {max(candidates)} is taken: end other clusters first")


def is_free(port: int) -> bool:
    """Checks that nothing listens at this port on any of the machine's addresses."""
    for family, every_address in ((socket.AF_INET6, "::"), (socket.AF_INET, "")):
        try:
            with socket.socket(family) as probe:
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                probe.bind((every_address, port))
        except OSError as error:
            if error.errno not in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):  # a machine without IPv6
                return False
    return True


def _lowest_ephemeral() -> int:
    """Returns the first port that the kernel assigns by itself; any of those may be in use at any moment."""
    try:
        lowest = int(EPHEMERAL.read_text().split()[0])
    except (OSError, ValueError):
        lowest = 0
    return lowest if lowest > LOWEST + 1000 else 32768
