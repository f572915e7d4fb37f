"""Proposes settings to try next, by a Gaussian process over the results so far.

The kernel is Matérn 5/2 with a length for each setting. Lengths and noise are not fitted: predictions are averaged over
draws from a prior, weighted by their likelihood, as a few results do not determine them.
"""

import math
import statistics
from collections.abc import Sequence

import numpy

from dray.search_space import Array, Point, SearchSpace

MODELS = 96  # draws of lengths and noise
ANYWHERE, NEAR = 600, 300  # number of candidates in the whole space, and close to the best points
BEST = 3  # number of points that have candidates close to them


def first_points(space: SearchSpace) -> int:
    """Returns how many points are spread over the space before results count."""
    return 2 + 2 * len(space)


def propose(
    space: SearchSpace, tried: Sequence[Point], scores: Sequence[float | None], running: Sequence[Point], seed: int
) -> Point:
    """Returns the next point to try: a new one, unless the space has none left.

    `scores` belong to `tried`; higher is better, and None, a failure, is as bad as the worst. Points that are `running`
    count as if they had turned out as predicted. The same arguments give the same point.
    """
    count = len(tried) + len(running)
    rng = numpy.random.default_rng([seed, count])
    if count < first_points(space) or not tried:
        return _new(space, [_spread(space, count, seed), *rng.random((ANYWHERE, len(space)))], [*tried, *running])[0]
    values = normal_scores(scores)
    best = [space.position(tried[i]) for i in numpy.argsort(-values, kind="stable")[:BEST]]
    points = _new(space, _candidates(space, best, rng), [*tried, *running])
    models = Models(len(space), rng)
    inputs = space.coordinates(tried)
    if running:
        beside = space.coordinates(running)
        values = numpy.append(values, models.mean(inputs, values, beside))
        inputs = [numpy.concatenate(pair) for pair in zip(inputs, beside)]
    return points[int(numpy.argmax(models.improvement(inputs, values, space.coordinates(points))))]


def normal_scores(scores: Sequence[float | None]) -> Array:
    """Returns the quantiles of the normal distribution at the scores' ranks, which outliers do not distort."""
    known = numpy.array([-math.inf if score is None else score for score in scores])
    below = (known[:, None] > known).sum(1)
    equal = (known[:, None] == known).sum(1)
    return numpy.array([statistics.NormalDist().inv_cdf(rank) for rank in (below + equal / 2) / len(scores)])


class Models:
    """Gaussian processes that differ in their lengths and noise."""

    def __init__(self, settings: int, rng: numpy.random.Generator) -> None:
        self._lengths = numpy.exp(rng.normal(math.log(0.5), 0.9, (MODELS, settings)))
        self._noise = numpy.exp(rng.uniform(math.log(1e-3), math.log(0.5), MODELS))

    def mean(self, inputs: Sequence[Array], values: Array, at: Sequence[Array]) -> Array:
        means, _, weights = self._posteriors(inputs, values, at)
        return weights @ means

    def improvement(self, inputs: Sequence[Array], values: Array, at: Sequence[Array]) -> Array:
        """Returns the expected improvement on the best of the inputs, averaged over the models.

        The best is the one with the highest mean: the highest value may have been luck.
        """
        both = [numpy.concatenate(pair) for pair in zip(inputs, at)]
        means, deviations, weights = self._posteriors(inputs, values, both)
        best = means[:, : len(values)].max(1, keepdims=True)
        means, deviations = means[:, len(values) :], deviations[:, len(values) :]
        z = (means - best) / deviations
        below = numpy.vectorize(math.erf)(z / math.sqrt(2)) / 2 + 0.5
        return weights @ (deviations * (z * below + numpy.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)))

    def _posteriors(self, inputs: Sequence[Array], values: Array, at: Sequence[Array]) -> tuple[Array, Array, Array]:
        """Returns means and standard deviations [model, point], and the weight of each model."""
        own = self._kernel(inputs, inputs) + self._noise[:, None, None] * numpy.eye(len(values))
        factors = numpy.linalg.cholesky(own)
        whitened = numpy.linalg.solve(factors, numpy.broadcast_to(values[:, None], (MODELS, len(values), 1)))
        cross = numpy.linalg.solve(factors, self._kernel(inputs, at))
        scale = (whitened**2).mean((1, 2)) + 1e-9  # the most likely variance of the process
        likelihood = -0.5 * len(values) * numpy.log(scale) - numpy.log(factors.diagonal(0, 1, 2)).sum(1)
        weights = numpy.exp(likelihood - likelihood.max())
        variances = scale[:, None] * numpy.maximum(1 - (cross**2).sum(1), 1e-9)
        return (cross * whitened).sum(1), numpy.sqrt(variances), weights / weights.sum()

    def _kernel(self, one: Sequence[Array], other: Sequence[Array]) -> Array:
        squares = [((a[:, None] - b[None]) ** 2).sum(-1) for a, b in zip(one, other)]
        distances = numpy.sqrt(5 * numpy.tensordot(self._lengths**-2, numpy.array(squares), 1))
        return (1 + distances + distances**2 / 3) * numpy.exp(-distances)


def _spread(space: SearchSpace, index: int, seed: int) -> Array:
    """Returns a position of a Latin hypercube: the first points divide each setting evenly."""
    rng, count = numpy.random.default_rng(seed), first_points(space)
    strata = rng.permuted(numpy.tile(numpy.arange(count), (len(space), 1)), axis=1)
    return (strata + rng.random(strata.shape))[:, index % count] / count


def _candidates(space: SearchSpace, best: Sequence[Sequence[float]], rng: numpy.random.Generator) -> list[Array]:
    anywhere = rng.random((ANYWHERE, len(space)))
    start = numpy.array(best)[rng.integers(len(best), size=NEAR)]
    near = numpy.clip(start + rng.normal(0, 1, start.shape) * 10 ** rng.uniform(-2, -0.5, (NEAR, 1)), 0, 1)
    lists = rng.random((NEAR, len(space.grid)))  # mostly the value that the best point has
    near[:, : len(space.grid)] = numpy.where(rng.random(lists.shape) < 0.3, lists, start[:, : len(space.grid)])
    return [*anywhere, *near]


def _new(space: SearchSpace, positions: Sequence[Array], known: Sequence[Point]) -> list[Point]:
    """Returns the points at these positions, each once and without the known ones, unless there are no others."""
    points = {tuple(point.items()): point for point in map(space.point, positions)}
    return [point for key, point in points.items() if point not in known] or list(points.values())
