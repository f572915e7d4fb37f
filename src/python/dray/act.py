"""A trained policy as a program: reads one state per line and prints one action per line, as JSON.

    dray act --run-dir runs/defender < states.jsonl > actions.jsonl

Each input line has the policy's observation and, if the task forbids some actions, a mask of those allowed:

    {"observation": [0, 1, 0], "mask": [true, true, false]}

A policy with memory remembers earlier lines; "begins": true starts a new episode.

Each output line has the most likely action and all probabilities; for continuous actions, the action's values. A line that cannot be
answered gets an "error" instead, and the next one is read. A line has at most 1 MiB and 32 levels of nesting.

    {"action": 1, "probabilities": [0.2, 0.8, 0.0]}
"""

import argparse
import json
import re
import sys
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from dray.error import Error, fail
from dray.policy import Policy, add_policy_arguments, chosen_policy, load_policy

MOST_BYTES = 1 << 20
_MOST_DEPTH = 32
_TEXT_OR_BRACKET = re.compile(r'"(?:[^"\\]+|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


def answer(policy: Policy, line: bytes) -> dict[str, Any]:
    """Answers one line of input."""
    try:
        return _answer(policy, *_parsed(line))
    except Error as error:
        return {"error": str(error)}


def lines(file: BinaryIO) -> Iterator[bytes]:
    """Yields the lines of a binary file, each cut off after MOST_BYTES."""
    while line := file.readline(MOST_BYTES + 1):
        yield line
        while len(line) > MOST_BYTES and not line.endswith(b"\n"):
            line = file.readline(MOST_BYTES + 1)


def _parsed(line: bytes) -> tuple[list[Any], list[Any] | None, bool]:
    if len(line.rstrip(b"\r\n")) > MOST_BYTES:
        raise Error(f"the line is longer than {MOST_BYTES} bytes")
    observation, mask, begins = None, None, False
    try:
        text = line.decode()
        _check_depth(text)
        state = json.loads(text)
        observation, mask, begins = state["observation"], state.get("mask"), state.get("begins", False)
    except (ValueError, TypeError, KeyError, AttributeError):  # not UTF-8, not JSON, not an object, no observation
        pass
    if not isinstance(observation, list) or not isinstance(mask, (list, type(None))) or not isinstance(begins, bool):
        raise Error(
            'expected {"observation": [numbers], "mask": [true or false for each action], "begins": true or false}'
        )
    return observation, mask, begins


def _check_depth(text: str) -> None:
    depth = 0
    for found in _TEXT_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(found[0], 0)
        if depth > _MOST_DEPTH:
            raise Error(f"lists are nested deeper than {_MOST_DEPTH}")


def _answer(policy: Policy, observation: list[Any], mask: list[Any] | None, begins: bool) -> dict[str, Any]:
    if len(observation) != policy.observation_size:
        raise Error(f"observation has {len(observation)} numbers, the policy observes {policy.observation_size}")
    if mask is not None and (len(mask) != policy.outputs_size or not any(mask)):
        raise Error(f"mask needs {policy.outputs_size} values, at least one of them true")
    observation, mask = [observation], None if mask is None else [mask]
    if begins:
        policy.reset()
    if not policy.discrete:
        return {"action": policy.act(observation, mask)[0].tolist()}
    probabilities = policy.probabilities(observation, mask)[0]
    return {"action": int(probabilities.argmax()), "probabilities": [round(p, 6) for p in probabilities.tolist()]}


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="dray act", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add_policy_arguments(parser)
    arguments = parser.parse_args(words)
    try:
        policy = load_policy(chosen_policy(arguments))
    except Error as error:
        fail(error)
    for line in lines(sys.stdin.buffer):
        if line.strip():
            print(json.dumps(answer(policy, line)), flush=True)


if __name__ == "__main__":
    main()
