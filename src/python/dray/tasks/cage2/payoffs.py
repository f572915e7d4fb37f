"""What defenders get against attackers, and the mixtures that neither side can improve on."""

import dataclasses
from collections.abc import Mapping, Sequence

import numpy
from numpy.typing import NDArray

ROUNDS = 20_000  # of fictitious play
LEAST_SHARE = 0.005  # smaller ones are dropped


@dataclasses.dataclass(frozen=True)
class Equilibrium:
    """Shares of both sides, and what the defenders get with them."""

    blues: Mapping[str, float]
    reds: Mapping[str, float]
    value: float


def equilibrium(payoffs: NDArray[numpy.float64], blues: Sequence[str], reds: Sequence[str]) -> Equilibrium:
    """Returns the equilibrium of the zero-sum game in which blue chooses a row, red a column, and blue gets the entry.

    By fictitious play: each side answers all past choices of the other with its best reply.
    """
    against_rows, against_columns = numpy.zeros(len(blues)), numpy.zeros(len(reds))
    rows, columns = numpy.zeros(len(blues)), numpy.zeros(len(reds))
    row = column = 0
    for _ in range(ROUNDS):
        rows[row] += 1
        columns[column] += 1
        against_columns += payoffs[row]
        against_rows += payoffs[:, column]
        row, column = int(against_rows.argmax()), int(against_columns.argmin())
    of_blues, of_reds = rows / ROUNDS, columns / ROUNDS
    return Equilibrium(_shares(of_blues, blues), _shares(of_reds, reds), float(of_blues @ payoffs @ of_reds))


def uniform(names: Sequence[str]) -> dict[str, float]:
    return {name: 1 / len(names) for name in names}


def mixture_text(shares: Mapping[str, object]) -> str:
    """Returns a mixture as settings have it: shares, and what each is of."""
    return ", ".join(f"{share:.6f} {name}" for name, share in shares.items())


def _shares(found: NDArray[numpy.float64], names: Sequence[str]) -> dict[str, float]:
    kept = numpy.where(found < LEAST_SHARE, 0, found)
    kept /= kept.sum()
    return {name: float(share) for name, share in zip(names, kept, strict=True) if share > 0}
