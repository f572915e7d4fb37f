"""Checks arguments before they reach the engine: C would wrap, truncate or misread values that do not fit."""

import json
import numbers
import operator
import os
import reprlib
from collections.abc import Iterable, Mapping
from typing import Any

import numpy
from numpy.typing import DTypeLike, NDArray

from dray.error import Error


def whole_number(value: Any, name: str, least: int = -(2**63), most: int = 2**63 - 1) -> int:
    """Checks that a value is a whole number within its range."""
    try:
        found = operator.index(value)
    except TypeError:
        raise Error(f"{name}: {shown(value)} is not a whole number") from None
    if not least <= found <= most:
        allowed = f"from {least} to {most}" if least >= 0 else "a number of 64 bits"
        raise Error(f"{name}: {shown(found)} is out of range; it must be {allowed}")
    return found


def number(value: object, name: str) -> float:
    """Checks that a value is a number."""
    try:
        if isinstance(value, numbers.Real):
            return float(value)
    except OverflowError:
        pass
    raise Error(f"{name}: {shown(value)} is not a number")


def c_string(value: Any, name: str) -> bytes:
    """Converts a path or other text to a C string."""
    try:
        string = os.fsencode(value)
    except (TypeError, ValueError):
        raise Error(f"{name}: {shown(value)} is not a text") from None
    if b"\0" in string:
        raise Error(f"{name}: {shown(value)} contains a zero byte")
    return string


def text(value: Any, name: str) -> str:
    """Converts a path or other text to a str that can be passed to a program."""
    return os.fsdecode(c_string(value, name))


def command_words(settings: Mapping[str, Any] | None, words: Iterable[Any]) -> list[str]:
    """Returns the command-line arguments for these settings (a dictionary, or None), followed by further flags."""
    if isinstance(words, (str, bytes)):
        raise Error(f"arguments: must be a list of words, such as ['--seed', '7'], not {shown(words)}")
    try:
        given = list(words)
        for key, value in (settings or {}).items():
            given += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise Error(f"set or arguments: cannot be passed to a command ({_one_line(error)})") from None
    return [text(word, "set or arguments") for word in given]


def as_bytes(data: object, name: str) -> bytes:
    """Checks that a value is bytes."""
    if not isinstance(data, (bytes, bytearray, memoryview)):
        raise Error(f"{name} must be bytes, not {shown(data)}")
    return bytes(data)


def array(values: Any, name: str) -> NDArray[Any]:
    """Converts a value to an array of numbers or booleans of any shape."""
    try:
        given = numpy.asarray(values)
    except (
        Exception
    ) as error:  # rows of different lengths, a tensor on another device, or whatever an object's own conversion raises
        raise Error(f"{name}: cannot be converted to an array ({_one_line(error)})") from None
    if given.dtype.kind not in "biuf":
        raise Error(
            f"{name}: must be numbers, and none too large for 64 bits, not {given.dtype.name} such as {shown(values)}"
        )
    return given


def cast(given: NDArray[Any], kind: DTypeLike) -> NDArray[Any]:
    """Converts an array to `kind`; numbers that do not fit are changed without a warning."""
    with numpy.errstate(over="ignore", invalid="ignore"):
        return given.astype(kind)


def shown(value: object) -> str:
    """Formats a value for a message: one line, limited in length."""
    try:
        return " ".join(reprlib.repr(value).split())
    except Exception:  # an integer of thousands of digits, or an object's own
        return f"a {type(value).__name__}"


def _one_line(error: Exception) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"
