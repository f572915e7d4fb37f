"""The metrics of a run, and their names at Ray's Prometheus endpoint."""

import dataclasses
import pathlib
import re

from dray import places

REFERENCE = places.configs() / "METRICS.md"

# After one of these parts of a name comes an index: actor/<name>/busy_s, episode/stat/<name>, env/<name>/stat/<name>.
INDEXED_PARTS = ("actor", "env", "stat")

_ROW = re.compile(r"\| `([^`]+)` \| (.*?) \| (.*) \|")


@dataclasses.dataclass(frozen=True)
class Metric:
    """A row of configs/METRICS.md."""

    name: str
    unit: str
    help: str

    @property
    def description(self) -> str:
        """Text that Prometheus shows beside the name; it has no field for units."""
        return f"{self.help} ({self.unit})" if self.unit else self.help


@dataclasses.dataclass(frozen=True)
class Gauge:
    """The gauge of a metric, with tags for the indices in the metric's name."""

    name: str
    tags: tuple  # ((key, value), ...)
    row: str  # the name of the metric's row in the table

    @property
    def endpoint_name(self) -> str:
        """Name at the endpoint: Ray puts its own name in front."""
        return "ray_" + self.name


def gauge_of(metric_name: str) -> Gauge:
    """Returns the gauge of a metric: train/kl_k1 → dray_train_kl_k1; actor/shard-3/busy_s → dray_actor_busy_s with the
    tag actor="shard-3".
    """
    fixed, row, tags = [], [], []
    index_of = None
    for part in metric_name.split("/"):
        if index_of is None:
            fixed.append(part)
            row.append(part)
            index_of = part if part in INDEXED_PARTS else None
        else:
            tags.append((index_of, part))
            row.append("<name>")
            index_of = None
    name = re.sub(r"[^a-zA-Z0-9_]", "_", "_".join(["dray", *fixed]))
    return Gauge(name, tuple(tags), "/".join(row))


def read_metrics(reference: pathlib.Path = REFERENCE) -> dict[str, Metric]:
    """Returns the rows of configs/METRICS.md by name, in the order of the file."""
    metrics = {}
    for line in pathlib.Path(reference).read_text().splitlines():
        if row := _ROW.fullmatch(line):
            name, unit, text = row.groups()
            metrics[name] = Metric(name, unit.strip(), text.replace("\\|", "|"))
    if not metrics:
        raise ValueError(f"{reference} has no rows: regenerate it with scripts/generate.sh")
    return metrics
