"""Where processes listen, by the kernel's account (what `ss -ltnp` prints)."""

import ipaddress
import os
import pathlib

LISTENS = "0A"


def listening(pids):
    """{(program, address)} of all sockets at which these processes listen; addresses of one machine alone are is_loopback."""
    programs = {inode: program for pid in pids for inode, program in _sockets(pid)}
    found = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        for line in pathlib.Path(table).read_text().splitlines()[1:]:
            words = line.split()
            local, state, inode = words[1], words[3], words[9]
            if state == LISTENS and inode in programs:
                found.add((programs[inode], _address(local.partition(":")[0])))
    return found


def _sockets(pid):
    folder = pathlib.Path(f"/proc/{pid}")
    try:
        program = (folder / "comm").read_text().strip()
        links = [os.readlink(link) for link in (folder / "fd").iterdir()]
    except OSError:  # it has just ended
        return
    for link in links:
        if link.startswith("socket:["):
            yield link[len("socket:[") : -1], program


def _address(written):
    """Four bytes at a time, the last first."""
    raw = bytes.fromhex(written)
    address = ipaddress.ip_address(b"".join(raw[at : at + 4][::-1] for at in range(0, len(raw), 4)))
    return getattr(address, "ipv4_mapped", None) or address
