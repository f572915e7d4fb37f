"""The notes that Ray leaves for drivers (`ray_current_cluster`), and which of them to trust.

Whoever answers at an address that we took from a note is sent the token, and may run code here. Ray's default folder can
be written by everyone on the machine, and a port that a cluster has left can be taken by anyone.
"""

import os
import pathlib
import socket
import stat

from dray import temp_folders

NAME = "ray_current_cluster"
LONGEST = 300  # letters of an address
LISTENS = "0A"  # the state, in the kernel's table of connections
ROOT = 0


def places() -> list[pathlib.Path]:
    """Returns where a note may lie: that of scripts/cluster.sh first, then that of a plain `ray start`."""
    root = temp_folders.root()
    return [temp_folders.of_user(root) / "ray" / NAME, root / "ray" / NAME]


def read(file: pathlib.Path) -> tuple[str, str]:
    """Returns the address in a note and, in words, why not to trust the note; ("", "") if there is no note."""
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return "", ""
    except OSError as error:
        return "", f"cannot be read ({error.strerror})"
    with open(descriptor, errors="replace") as note:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            return "", "is not a file"
        if about.st_uid not in (os.geteuid(), ROOT):
            return "", f"was written by another user ({about.st_uid})"
        return note.read(LONGEST).strip(), ""


def why_not_to_trust(file: pathlib.Path, address: str) -> str:
    """Returns why not to trust the address, in words.

    Empty if this user or root listens there, or if nobody else could have written the note.
    """
    host, _, port = address.rpartition(":")
    if not is_this_machine(host.strip("[]")):
        return "" if closed_to_others(file) else f"names {address}, another machine, and others can write where it lies"
    return "" if listeners(int(port)) in _trusted() else f"names {address}, where another user listens"


def started_by_this_user(address: str) -> bool:
    """Checks that a process of this user listens at the address, on this machine."""
    host, _, port = address.rpartition(":")
    return is_this_machine(host.strip("[]")) and listeners(int(port)) == {os.geteuid()}


def _trusted() -> list[set[int]]:
    return [{os.geteuid()}, {ROOT}, {os.geteuid(), ROOT}]


def listeners(port: int) -> set[int]:
    """Returns the ids of the users whose processes listen at a port of this machine."""
    users = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = pathlib.Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            _, local, _, state, _, _, _, user, *_ = line.split()
            if state == LISTENS and int(local.rpartition(":")[2], 16) == port:
                users.add(int(user))
    return users


def closed_to_others(file: pathlib.Path) -> bool:
    """Checks that only this user and root can have written the file."""
    path = pathlib.Path(os.path.realpath(file))
    for part in [*reversed(path.parents), path]:
        about = part.stat()
        if about.st_uid not in (os.geteuid(), ROOT):
            return False
        if stat.S_ISDIR(about.st_mode) and not about.st_mode & (stat.S_IXGRP | stat.S_IXOTH):
            return True  # nobody else gets any further
        shared = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        # In /tmp others can add files, but not replace those of other users.
        if shared and (part == path.parent or not about.st_mode & stat.S_ISVTX):
            return False
    return True


def is_this_machine(ip: str) -> bool:
    """Checks that the address is one of this machine's: only those can be bound."""
    family = socket.AF_INET6 if ":" in ip else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            probe.bind((ip, 0))
        return True
    except OSError:
        return False
