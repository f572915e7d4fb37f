"""Runs the engine's commands as child processes: keyword arguments become flags, a failure becomes an Error."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from typing import Any

from dray import places
from dray.arguments import command_words, shown, text
from dray.error import Error

_BY_KEYWORD = ("train", "evaluate")  # commands whose flags are keyword arguments in Python
_UNKNOWN_FLAG = re.compile(r"--(\S+): unknown flag; (?:did you mean --(\S+)\?)?")


def flags(given: Mapping[str, Any]) -> list[str]:
    """Returns the flags for keyword arguments: num_envs=16 is --num-envs 16, and so on.

    A list is joined by commas, True is a flag without a value, None and False leave it out; `set` is a dictionary of
    settings.
    """
    words: list[Any] = command_words(given.get("set"), [])
    for name, value in given.items():
        if name == "set" or value is None or value is False:
            continue
        words.append("--" + name.replace("_", "-"))
        if isinstance(value, (list, tuple)):
            words.append(",".join(map(str, value)))
        elif isinstance(value, Mapping):
            raise Error(f"{name}: {shown(value)} is not the value of a flag; set={{...}} takes settings")
        elif value is not True:
            words.append(value if isinstance(value, (str, bytes)) or hasattr(value, "__fspath__") else str(value))
    return [text(word, "arguments") for word in words]


def run(name: str, words: Sequence[str]) -> str:
    """Runs a command to its end and returns what it printed."""
    command = [places.program(name), *words]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, env=places.environment())
    if done.returncode != 0:
        raise failure(name, done.returncode, done.stderr)
    return done.stdout


def failure(name: str, code: int, errors: str) -> Error:
    """Returns the Error of a command that failed: its last own line on standard error, where environments print, too."""
    lines = errors.strip().splitlines()
    lines = [line for line in lines if line.startswith("dray: ")] or lines
    if not lines:
        return Error(f"{name} was ended by signal {-code}" if code < 0 else f"{name} ended with status {code}")
    message = lines[-1].removeprefix("dray: ")
    if name in _BY_KEYWORD and (unknown := _UNKNOWN_FLAG.match(message)):
        argument, near = ((flag or "").replace("-", "_") for flag in unknown.groups())
        hint = f"did you mean {near}?" if near else f"arguments are the flags of {name}, see dray {name} --help"
        return Error(f"dray.{name}: unknown argument {argument}; {hint}")
    return Error(message)
