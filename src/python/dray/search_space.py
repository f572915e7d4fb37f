"""Settings that a sweep varies, and points among them."""

import itertools
import math
import random
from collections.abc import Sequence

import numpy
from numpy.typing import NDArray

Point = dict[str, str]  # values of settings, by path
Array = NDArray[numpy.float64]


def number_of(value: str) -> float | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


class SearchSpace:
    """Lists of values and logarithmic ranges of numbers, by setting.

    A position is a number from 0 to 1 for each setting, lists first. Coordinates are what a model sees: one column for a
    range or a list of numbers, one for each value of any other list.
    """

    def __init__(
        self, grid: Sequence[tuple[str, list[str]]], ranges: Sequence[tuple[str, tuple[float, float]]]
    ) -> None:
        self.grid, self.ranges = [(path, list(dict.fromkeys(values))) for path, values in grid], list(ranges)

    def __len__(self) -> int:
        return len(self.grid) + len(self.ranges)

    @property
    def size(self) -> float:
        """Number of points; infinite with a range."""
        return math.inf if self.ranges else math.prod(len(values) for _, values in self.grid)

    def __contains__(self, point: Point) -> bool:
        return (
            set(point) == {path for path, _ in [*self.grid, *self.ranges]}
            and all(point[path] in values for path, values in self.grid)
            and all(_is_near(point[path], least, most) for path, (least, most) in self.ranges)
        )

    def all_points(self) -> list[Point]:
        """Returns every combination of the lists."""
        names = [path for path, _ in self.grid]
        return [dict(zip(names, values)) for values in itertools.product(*(values for _, values in self.grid))]

    def draw(self, rng: random.Random) -> Point:
        chosen = {path: rng.choice(values) for path, values in self.grid}
        return {
            **chosen,
            **{path: in_range(rng.uniform(math.log(least), math.log(most))) for path, (least, most) in self.ranges},
        }

    def point(self, position: Sequence[float] | Array) -> Point:
        chosen = {
            path: values[min(int(place * len(values)), len(values) - 1)]
            for place, (path, values) in zip(position, self.grid)
        }
        return {
            **chosen,
            **{
                path: in_range(math.log(least) + place * math.log(most / least))
                for place, (path, (least, most)) in zip(position[len(self.grid) :], self.ranges)
            },
        }

    def position(self, point: Point) -> list[float]:
        chosen = [(values.index(point[path]) + 0.5) / len(values) for path, values in self.grid]
        return chosen + [
            math.log(float(point[path]) / least) / math.log(most / least) for path, (least, most) in self.ranges
        ]

    def coordinates(self, points: Sequence[Point]) -> list[Array]:
        """Returns a matrix for each setting, with a row for each point."""
        columns = [_list_columns(values, [point[path] for point in points]) for path, values in self.grid]
        for path, (least, most) in self.ranges:
            logs = numpy.log([[float(point[path]) / least] for point in points])
            columns.append(logs / math.log(most / least))
        return columns


def _is_near(value: str, least: float, most: float) -> bool:
    """Checks that a number is in a range, up to its rounding."""
    number = number_of(value)
    return number is not None and 0.999 * least <= number <= 1.001 * most


def in_range(logarithm: float) -> str:
    return f"{math.exp(logarithm):.4g}"


def _list_columns(values: Sequence[str], chosen: Sequence[str]) -> Array:
    numbers = [number for value in values if (number := number_of(value)) is not None]
    if len(numbers) < len(values) or len(values) == 1:  # any two values are equally far apart
        return numpy.array([[float(value == one) for one in values] for value in chosen]) / math.sqrt(2)
    ranks = {value: rank for rank, (_, value) in enumerate(sorted(zip(numbers, values)))}
    return numpy.array([[ranks[value] / (len(values) - 1)] for value in chosen])  # steps of a list are equally wide
