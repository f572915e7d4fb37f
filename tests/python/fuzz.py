"""Tries many damaged inputs, numbered: the same number is the same input. Each program of tests/python named *_fuzz_test.py has a target, a
function of a random.Random, which may raise dray.Error and nothing else.

    bazel test //tests/python:policy_fuzz_test                  # some hundred inputs, or thousands
    bazel run //tests/python:policy_fuzz_test -- 100000         # as many as you like
    bazel run //tests/python:policy_fuzz_test -- 100000 70000   # from number 70,000 on
"""

import os
import random
import subprocess
import sys

PROGRAM = os.path.abspath(sys.argv[0])  # before it may change its folder
NUMBERS = (
    "0",
    "-1",
    "1",
    "2147483647",
    "-2147483648",
    "4294967296",
    "18446744073709551615",
    "1e308",
    "1e-320",
    ".nan",
    ".inf",
    "0.5",
    "65536",
    "1000000",
    "9" * 400,
)
WORDS = (
    "true",
    "null",
    "[]",
    "{}",
    "[[[[]]]]",
    "'",
    '"',
    "&a",
    "*a",
    "!!binary x",
    "\0",
    "\ud7ff",
    "attention",
    "relu",
    "cartpole",
    "include",
    "-",
    ":",
    "# ",
    "<<: *a",
)


def main(target, count, inputs=()):
    """`inputs`: what the program's own arguments begin with; behind them stand a count and a first number."""
    words = sys.argv[1 + len(inputs) :]
    if words[:1] == ["--try"]:
        return _try(target, *map(int, words[1:]))
    count, first = [*map(int, words), *(count, 0)[len(words) :]]
    command = [sys.executable, PROGRAM, *inputs, "--try", str(first), str(first + count)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    told = done.stdout.splitlines()
    if done.returncode != 0:
        sys.exit(f"input {told[-1] if told else 'none'}: ended with {done.returncode} (a negative number is a signal)")
    print(f"{count} inputs: {told[-1]}")


def _try(target, first, end):
    """Says which input is tried before it is, since a signal leaves no time."""
    from dray import Error

    refused = 0
    for number in range(first, end):
        print(number, flush=True)
        try:
            target(random.Random(number))
        except Error as error:
            assert "\n" not in str(error), f"more than a line: {error}"
            assert "out of memory" not in str(error), f"asks for too much memory: {error}"
            refused += 1
    print(f"{refused} refused, {end - first - refused} taken")


def damaged_bytes(rng, data):
    """A few edits: bits, bytes, lengths, parts cut out, doubled or appended."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(6):
            case 0 if at < len(data):
                data[at] ^= 1 << rng.randrange(8)
            case 1 if at < len(data):
                data[at] = rng.choice((0, 1, 127, 128, 255))
            case 2:
                data[at : at + 8] = rng.choice(
                    (0, 1, 2**31, 2**32, 2**62, 2**63, 2**64 - 1, len(data), len(data) + 1)
                ).to_bytes(8, "little")
            case 3:
                del data[at : at + rng.choice((1, 8, 100, len(data)))]
            case 4:
                data[at:at] = data[at : at + rng.choice((1, 8, 100))]
            case 5:
                data += rng.randbytes(rng.choice((1, 8, 100)))
    return bytes(data)


def damaged_text(rng, text):
    """A few edits: other numbers, other words, lines cut out or doubled, characters lost."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        lines = text.split("\n")
        i = rng.randrange(len(lines))
        match rng.randrange(6):
            case 0:
                head, mark, _ = lines[i].partition(":")
                lines[i] = f"{head}{mark} {rng.choice(NUMBERS)}"
            case 1:
                head, mark, _ = lines[i].partition(":")
                lines[i] = f"{head}{mark} {rng.choice(WORDS)}"
            case 2:
                del lines[i]
            case 3:
                lines.insert(rng.randrange(len(lines)), lines[i])
            case 4:
                lines[i] = rng.choice((" " * rng.randrange(8), "- ", "\t")) + lines[i].strip()
            case 5:
                at = rng.randrange(len(lines[i]) + 1)
                lines[i] = lines[i][:at] + rng.choice((*NUMBERS, *WORDS, "")) + lines[i][at + rng.randrange(3) :]
        text = "\n".join(lines)
    return text


def any_value(rng, depth=0):
    """Something of any type that a caller could pass."""
    import numpy

    simple = (
        None,
        True,
        0,
        -1,
        1,
        2**31,
        2**32,
        2**63,
        2**64,
        10**400,
        0.9,
        float("nan"),
        float("inf"),
        "",
        "1",
        "cage2",
        "a\0b",
        "\ud800",
        b"",
        b"\xff",
        object(),
        object,
        1j,
        (),
        {},
        set(),
        range(3),
        slice(1),
        numpy.float32(1),
        numpy.zeros(0),
        numpy.zeros((2, 3)),
        numpy.array("x"),
        numpy.array(None),
        numpy.datetime64("2020-01-01"),
        numpy.zeros(2, "i4,f4"),
        numpy.ma.masked,
        memoryview(b"abc"),
        lambda: 0,
    )
    match rng.randrange(8) if depth < 3 else 0:
        case 6:
            return [any_value(rng, depth + 1) for _ in range(rng.randrange(4))]
        case 7:
            return {
                rng.choice(("a", 1, None, "run.seed", "scale.num_envs")): any_value(rng, depth + 1)
                for _ in range(rng.randrange(3))
            }
        case _:
            return rng.choice(simple)
