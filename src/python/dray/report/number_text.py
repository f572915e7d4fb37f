"""Formats numbers for pages."""

import math
from collections.abc import Sequence

MINUS, NOTHING = "\u2212", "–"


def number(value: float | None, digits: int = 4) -> str:
    """Formats a number with thousands separators, and with `digits` significant digits below a thousand."""
    if value is None or isinstance(value, float) and not math.isfinite(value):
        return NOTHING
    size = abs(value)
    if isinstance(value, int) or value == round(value) and size < 1e15:
        text = f"{value:,.0f}"
    elif size >= 10 ** (digits - 1):
        text = f"{value:,.1f}" if size < 1e5 else f"{value:,.0f}"
    elif size < 1e-4:
        text = f"{value:.{digits - 1}g}"
    else:
        text = f"{value:,.{max(0, digits - 1 - math.floor(math.log10(size)))}f}"
        text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", MINUS)


def decimals_of(interval: float | None) -> int:
    """Returns how many decimals to show beside an interval of this half width."""
    if interval is None or not math.isfinite(interval) or interval <= 0:
        return 2
    return min(6, max(1 if interval < 100 else 0, 1 - math.floor(math.log10(interval))))


def fixed(value: float | None, decimals: int, sign: bool = False) -> str:
    if value is None or not math.isfinite(value):
        return NOTHING
    return f"{value:{'+' if sign else ''},.{decimals}f}".replace("-", MINUS)


def alike(values: Sequence[float | None], digits: int = 4) -> list[str]:
    """Formats numbers that stand side by side: all with the decimals that the largest needs."""
    sizes = [abs(value) for value in values if value is not None and math.isfinite(value)]
    if len(sizes) < 2 or max(sizes) < 1e-4 or all(size == round(size) for size in sizes):
        return [number(value) for value in values]
    decimals = max(0, digits - 1 - math.floor(math.log10(max(sizes))))
    return [fixed(value, decimals) for value in values]


def estimate(mean: float | None, ci95: float | None, sign: bool = False) -> str:
    """Formats a mean with its interval, -894.3 ± 28.3; without an interval, the mean alone."""
    if ci95 is None or not math.isfinite(ci95):
        return fixed(mean, 2, sign)
    decimals = decimals_of(ci95)
    return f"{fixed(mean, decimals, sign)} ± {fixed(ci95, decimals)}"


def percent(share: float | None, decimals: int = 0) -> str:
    return NOTHING if share is None else f"{100 * share:,.{decimals}f} %".replace("-", MINUS)


def p_value(p: float) -> str:
    if math.isnan(p):
        return NOTHING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def duration(seconds: float | None) -> str:
    if seconds is None or not math.isfinite(seconds):
        return NOTHING
    if seconds < 1:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 100:
        return f"{seconds:.1f} s"
    minutes, hours = round(seconds) // 60, round(seconds) // 3600
    if hours == 0:
        return f"{minutes} min {round(seconds) % 60:02d} s"
    return f"{hours:,} h {minutes % 60:02d} min"


def clock_unit(seconds: float) -> tuple[str, int]:
    """Returns the unit for a time axis of this length, and the number of seconds in it."""
    return ("s", 1) if seconds < 300 else ("min", 60) if seconds < 4 * 3600 else ("h", 3600)


def counted(count: float, one: str, many: str | None = None) -> str:
    return f"{number(count)} {one if count == 1 else many or one + 's'}"


UNITS = {"min": "min", "s": "s", "ms": "ms", "pct": "%", "steps": "steps", "mb": "MB"}


def split_unit(key: str) -> tuple[str, str]:
    """Splits the unit from the end of a statistic's key: cost_min is ("cost", "min")."""
    words, _, last = key.rpartition("_")
    return (words, UNITS[last]) if words and last in UNITS else (key, "")
