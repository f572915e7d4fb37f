"""Standard input, output and error of Dray's Python programs."""

import io
import os
import sys


def prepare() -> None:
    """Opens closed standard streams. A program calls it first, before it opens any file.

    Closed descriptors 0 to 2 are opened on /dev/null: the next files opened would otherwise take their numbers, and what a library
    or a child prints would go into them. A name that is not UTF-8 is printed with escapes.
    """
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number
            os.set_inheritable(descriptor, True)
    sys.stdin = sys.stdin or open(0)  # Python leaves out streams that were closed when it started
    sys.stdout = sys.stdout or open(1, "w")
    sys.stderr = sys.stderr or open(2, "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
