"""Exports a run's metrics at Ray's Prometheus endpoint.

Ray exports the gauges of Python workers but not those of C++ ones, so the C++ driver makes this class an actor
(ray::PyActorClass{"dray.metrics_bridge", "MetricsBridge"}) and sends it every report.
"""

import logging
import math
import threading
import time
from typing import Any

import ray.util.metrics

from dray import metrics_table

# Ray exports a gauge once each time it is set, and forgets it two export intervals later. Its shortest interval is a
# second: set that often, a gauge stays up as long as this process lives, and no longer.
REPEAT_S = 1.0

_log = logging.getLogger(__name__)


class MetricsBridge:
    """Exports one run's numbers as gauges, each tagged with the run and its environment.

    A number stays at the endpoint until the next one, until retire(), or until this actor dies; then it is gone within
    two of Ray's export intervals (20 s unless RAY_metrics_report_interval_ms says otherwise).
    """

    def __init__(self, run: str, environment: str) -> None:
        self._run_tags = {"run": run, "environment": environment}
        self._descriptions = _descriptions()
        self._gauges: dict[str, Any] = {}
        self._shown: dict[str, tuple[Any, float, dict[str, str]]] = {}  # metric name → (gauge, value, tags)
        self._lock = threading.Lock()
        threading.Thread(target=self._repeat, name="repeat gauges", daemon=True).start()

    def record(self, epoch: int, names: list, values: list) -> int:
        """Exports a report and returns how many of its numbers are at the endpoint.

        A number that is not finite is not known: it is left out, and an earlier one of that name taken down. Names
        that are absent keep their last number: an evaluation is not in every report.
        """
        if len(names) != len(values):
            raise ValueError(f"metrics bridge: {len(names)} names but {len(values)} values in epoch {epoch}")
        numbers = {"epoch": epoch, **dict(zip(names, values))}
        with self._lock:
            for name, value in numbers.items():
                if math.isfinite(value):
                    self._show(name, float(value))
                else:
                    self._shown.pop(name, None)
        return sum(math.isfinite(value) for value in values)

    def retire(self) -> int:
        """Stops exporting the run's numbers and returns how many there were.

        Ray cannot withdraw a gauge, but forgets it.
        """
        with self._lock:
            count = len(self._shown)
            self._shown.clear()
        return count

    def _show(self, name: str, value: float) -> None:
        target = metrics_table.gauge_of(name)
        if target.name not in self._gauges:
            tag_keys = (*self._run_tags, *(key for key, _ in target.tags))
            description = self._descriptions.get(target.row, "")
            self._gauges[target.name] = ray.util.metrics.Gauge(target.name, description, tag_keys)
        gauge, tags = self._gauges[target.name], {**self._run_tags, **dict(target.tags)}
        self._shown[name] = gauge, value, tags
        gauge.set(value, tags=tags)

    def _repeat(self) -> None:
        while True:
            time.sleep(REPEAT_S)
            with self._lock:
                for gauge, value, tags in self._shown.values():
                    gauge.set(value, tags=tags)


def _descriptions() -> dict[str, str]:
    # A node may hold this package without the table; the numbers matter more than their descriptions.
    try:
        return {name: metric.description for name, metric in metrics_table.read_metrics().items()}
    except (OSError, ValueError) as error:
        _log.warning("metrics bridge: no descriptions for Prometheus: %s", error)
        return {}
