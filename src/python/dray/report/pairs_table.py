"""The table of differences between pairs of runs or configurations."""

import math
from collections.abc import Sequence

from dray.report.number_text import NOTHING, estimate, p_value
from dray.report.parts import Table
from dray.report.run_statistics import Difference, holm

SIGNIFICANT = 0.05


def pairs_table(pairs: Sequence[tuple[str, str, Difference]], what: str, value: str) -> Table:
    """Lists the differences with their p-values, single and adjusted for the number of tests."""
    together = holm([difference.p for _, _, difference in pairs])
    rows = [
        [
            f"{one} − {other}",
            estimate(difference.mean, difference.ci95, sign=True),
            p_value(difference.p),
            p_value(adjusted),
            verdict(adjusted),
        ]
        for (one, other, difference), adjusted in zip(pairs, together)
    ]
    reading = (
        "± is the 95 % interval of each difference. Adjusted p: Holm's correction for several tests; "
        "significant below 0.05."
    )
    return Table([what, value, "p", "p, adjusted", "significant"], rows, reading, texts=(4,))


def verdict(p: float) -> str:
    return NOTHING if math.isnan(p) else "yes" if p < SIGNIFICANT else "no"
