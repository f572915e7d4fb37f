"""Means with intervals, and t tests."""

import dataclasses
import math
import statistics
from collections.abc import Iterable, Sequence


@dataclasses.dataclass(frozen=True)
class Sample:
    mean: float
    std: float  # of single values
    count: float  # infinite for a value that is known

    @classmethod
    def of(cls, values: Iterable[float]) -> "Sample":
        values = list(values)
        return cls(statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else math.nan, len(values))

    @classmethod
    def of_interval(cls, mean: float, ci95: float | None, count: float) -> "Sample":
        """Returns the sample of this mean and half 95 % interval."""
        if ci95 is None or count < 2:
            return cls(mean, math.nan, 1)
        return cls(mean, ci95 * math.sqrt(count) / t_quantile(0.975, count - 1), count)

    @property
    def ci95(self) -> float:
        """Half the 95 % interval of the mean, by Student's t; NaN for a single value."""
        return t_quantile(0.975, self.count - 1) * self.std / math.sqrt(self.count) if self.count > 1 else math.nan


@dataclasses.dataclass(frozen=True)
class Difference:
    mean: float
    ci95: float  # half the 95 % interval
    p: float  # two-sided; not a number when there is nothing to test with


def welch(one: Sample, other: Sample) -> Difference:
    """Compares two means by Welch's t test for unequal variances."""
    mean = one.mean - other.mean
    if one.count < 2 or other.count < 2:
        return Difference(mean, math.nan, math.nan)
    a, b = one.std**2 / one.count, other.std**2 / other.count
    if a + b == 0:
        return Difference(mean, 0.0, 1.0 if mean == 0 else 0.0)
    degrees = (a + b) ** 2 / (a**2 / (one.count - 1) + b**2 / (other.count - 1))
    error = math.sqrt(a + b)
    return Difference(mean, t_quantile(0.975, degrees) * error, 2 * (1 - t_cdf(abs(mean) / error, degrees)))


def paired(ones: Sequence[float], others: Sequence[float]) -> Difference:
    """Compares two series by the paired t test."""
    differences = Sample.of(one - other for one, other in zip(ones, others))
    return (
        welch(differences, Sample(0.0, 0.0, math.inf))
        if differences.count > 1
        else Difference(differences.mean, math.nan, math.nan)
    )


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusts p-values for the number of tests (Holm's step-down method); NaN stays NaN."""
    tested = sorted((p, index) for index, p in enumerate(p_values) if not math.isnan(p))
    adjusted, least = list(p_values), 0.0
    for place, (p, index) in enumerate(tested):
        least = max(least, min(1.0, p * (len(tested) - place)))
        adjusted[index] = least
    return adjusted


def t_cdf(t: float, degrees: float) -> float:
    """Returns P(T <= t) of Student's t distribution."""
    tail = 0.5 * _incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t * t))
    return 1 - tail if t > 0 else tail


def t_quantile(probability: float, degrees: float) -> float:
    """Returns the t with t_cdf(t) = probability, for probabilities of at least one half."""
    low, high = 0.0, 1.0
    while t_cdf(high, degrees) < probability:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if t_cdf(middle, degrees) < probability else (low, middle)
    return high


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """Returns the regularised incomplete beta function I_x(a, b) by its continued fraction (Lentz's method)."""
    if x <= 0 or x >= 1:
        return min(max(x, 0.0), 1.0)
    if x > (a + 1) / (a + b + 2):  # the fraction converges quickly on the other side
        return 1 - _incomplete_beta(b, a, 1 - x)
    scale = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    fraction, c, d = 1.0, 1.0, 0.0
    for step in range(1000):
        m = step // 2
        if step == 0:
            term = 1.0
        elif step % 2 == 0:
            term = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        else:
            term = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return scale * (fraction - 1)
