"""A Grafana dashboard of every metric in configs/METRICS.md, as the metrics bridge exports them.

scripts/generate.sh writes it.
"""

import json
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dray import metrics_table
from dray.metrics_table import Metric

# Rows of panels. A panel is a title and its metrics; "time/*" is what no panel above has taken of that beginning. A new
# metric without a place of its own comes up under "Other".
LAYOUT = {
    "Progress": [
        ("Share done", ["progress"]),
        ("Epochs, updates and versions", ["epoch", "update", "policy_version"]),
        ("Steps", ["total_steps"]),
        ("Episodes", ["completed_episodes"]),
    ],
    "Return and length": [
        ("Return of training", ["episode/return_mean", "episode/return_min", "episode/return_max"]),
        ("Return of evaluation", ["eval/return_mean", "eval/return_ci95"]),
        ("Gain over the reference policy", ["eval/gain_mean", "eval/gain_ci95", "eval/rival_gain"]),
        ("Return of the reference policy", ["eval/reference_return"]),
        ("Spread of returns", ["episode/return_std", "eval/return_std"]),
        ("Length of episodes", ["episode/length_mean", "eval/length_mean"]),
        ("The environment's own numbers, by episode", ["episode/stat/<name>"]),
        ("The environment's own numbers, by evaluation", ["eval/stat/<name>"]),
        ("The environment's own numbers, by rollout", ["rollout/stat/<name>"]),
        ("Episodes of evaluation", ["eval/episodes"]),
    ],
    "Losses": [
        ("Policy loss", ["train/policy_loss"]),
        ("Value loss", ["train/value_loss"]),
        ("Loss against appraisals", ["train/appraisal_loss"]),
        ("Signal in the gradient", ["train/gradient_signal"]),
        ("Explained variance", ["train/explained_variance"]),
        ("Norm of the gradient", ["train/grad_norm"]),
        ("Step size", ["train/learning_rate", "train/value_learning_rate"]),
    ],
    "KL, entropy and clipping": [
        ("KL divergence", ["train/kl_k1", "train/kl_k3"]),
        ("Entropy", ["train/entropy"]),
        ("Share clipped", ["train/clip_fraction"]),
        ("Clip range", ["train/clip_range"]),
        ("Passes over the batch", ["train/policy_epochs_run"]),
        ("Error of the first ratio", ["train/first_ratio_error"]),
    ],
    "Throughput and times": [
        ("Steps per second", ["time/steps_per_s"]),
        ("Time elapsed and left", ["time/elapsed_s", "time/eta_s"]),
        ("Weights on their way to shards", ["time/weights_latency_ms"]),
        ("Threads of the learner", ["time/learner_threads"]),
        ("Cores and GPUs at work", ["cpu/busy", "gpu/busy"]),
        ("Time by part, since the last report", ["time/*"]),
        ("Memory by actor", ["actor/<name>/memory_mb"]),
        ("Time by actor, since the last report", ["actor/*"]),
    ],
    "Lag, drops and restarts": [
        ("Age of policies", ["lag/*"]),
        ("Batches collected and trained on", ["batches/collected", "batches/trained"]),
        ("Batches dropped, lost and undone", ["batches/dropped", "batches/lost", "batches/undone"]),
        ("Updates undone", ["updates/undone"]),
        ("Actors restarted", ["actors/restarted"]),
        ("Writes that failed", ["writes/failed"]),
    ],
    "Memory": [
        ("Resident memory", ["memory/rss_mb"]),
        ("Memory of GPUs", ["memory/gpu_mb"]),
        ("Batches split for lack of memory", ["memory/oracle_splits"]),
        ("Minibatches split for lack of memory", ["memory/learner_splits"]),
    ],
    "Single environments": [
        ("Return of the last episode", ["env/<name>/return"]),
        ("Statistics of the last episode", ["env/<name>/stat/<name>"]),
        ("Episodes", ["env/<name>/episodes"]),
    ],
    "Search over workflows": [
        ("Return of workflows", ["search/return_mean", "search/best_return", "search/average_return"]),
        ("What a trial lacks to the best", ["search/regret"]),
        ("Compliance", ["search/compliance"]),
    ],
    "Other": [("Other", ["*"])],
}

GRAFANA_UNITS = {"s": "s", "fraction": "percentunit", "MB": "mbytes"}

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
PANEL_WIDTH, PANEL_HEIGHT, GRID_WIDTH = 8, 8, 24


def panels_of(metrics: Mapping[str, Metric]) -> list[tuple[str, str, list[Metric]]]:
    """Fills in the patterns of LAYOUT: (row, title, metrics), each metric once, no panel empty."""
    left = dict(metrics)
    placed = []
    for row, panels in LAYOUT.items():
        for title, patterns in panels:
            names = [name for pattern in patterns for name in left if _matches(pattern, name)]
            if names:
                placed.append((row, title, [left.pop(name) for name in names]))
    return placed


def _matches(pattern: str, name: str) -> bool:
    return name.startswith(pattern[:-1]) if pattern.endswith("*") else name == pattern


def _target(metric: Metric, ref_id: str) -> dict[str, Any]:
    gauge = metrics_table.gauge_of(metric.name)
    # A bridge made again is another worker to Prometheus; for a while it knows both.
    labels = ["run", *(key for key, _ in gauge.tags)]
    legend = metric.name
    for key, _ in gauge.tags:
        legend = legend.replace("<name>", f"{{{{{key}}}}}", 1)
    return {
        "datasource": DATASOURCE,
        "editorMode": "code",
        "expr": f'max by ({", ".join(labels)}) ({gauge.endpoint_name}{{run=~"$run"}})',
        "legendFormat": f"{{{{run}}}} {legend}",
        "range": True,
        "refId": ref_id,
    }


def _panel(title: str, metrics: Sequence[Metric]) -> dict[str, Any]:
    units = {metric.unit for metric in metrics}
    unit = GRAFANA_UNITS.get(units.pop(), "short") if len(units) == 1 else "short"
    return {
        "datasource": DATASOURCE,
        "description": "\n\n".join(f"{metric.name}: {metric.description}" for metric in metrics),
        "fieldConfig": {"defaults": {"unit": unit, "custom": {"lineWidth": 1, "showPoints": "auto"}}, "overrides": []},
        "options": {
            "legend": {"displayMode": "list", "placement": "bottom", "showLegend": True},
            "tooltip": {"mode": "multi", "sort": "desc"},
        },
        "targets": [_target(metric, ref_id) for metric, ref_id in zip(metrics, _ref_ids())],
        "title": title,
        "type": "timeseries",
    }


def _ref_ids() -> Iterator[str]:
    """Yields A, B, … Z, AA, AB, …"""
    yield from string.ascii_uppercase
    for first in string.ascii_uppercase:
        for second in string.ascii_uppercase:
            yield first + second


def _laid_out(placed: Sequence[tuple[str, str, list[Metric]]]) -> list[dict[str, Any]]:
    """Places row headings and panels on the grid and numbers them."""
    panels, x, y, heading = [], 0, 0, None
    for row, title, metrics in placed:
        if row != heading:
            y += PANEL_HEIGHT if x else 0
            panels.append({"type": "row", "title": row, "collapsed": False, "panels": []})
            panels[-1]["gridPos"] = {"h": 1, "w": GRID_WIDTH, "x": 0, "y": y}
            x, y, heading = 0, y + 1, row
        panels.append(_panel(title, metrics))
        panels[-1]["gridPos"] = {"h": PANEL_HEIGHT, "w": PANEL_WIDTH, "x": x, "y": y}
        x += PANEL_WIDTH
        if x == GRID_WIDTH:
            x, y = 0, y + PANEL_HEIGHT
    return [{"id": number, **panel} for number, panel in enumerate(panels, start=1)]


def _variables() -> list[dict[str, Any]]:
    runs = f"label_values({metrics_table.gauge_of('epoch').endpoint_name}, run)"
    return [
        {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus", "hide": 0},
        {
            "name": "run",
            "label": "Run",
            "type": "query",
            "datasource": DATASOURCE,
            "definition": runs,
            "query": {"query": runs, "refId": "run"},
            "refresh": 2,  # whenever the range of time changes
            "sort": 1,
            "multi": True,
            "includeAll": True,
            "current": {"text": ["All"], "value": ["$__all"]},
            "hide": 0,
        },
    ]


def dashboard(metrics: Mapping[str, Metric]) -> dict[str, Any]:
    return {
        "uid": "dray",
        "title": "Dray",
        "tags": ["dray", "ray"],
        "editable": True,
        "schemaVersion": 39,
        "version": 1,
        "refresh": "10s",
        "time": {"from": "now-1h", "to": "now"},
        "timezone": "browser",
        "annotations": {"list": []},
        "templating": {"list": _variables()},
        "panels": _laid_out(panels_of(metrics)),
    }


def text() -> str:
    """Returns the text of dray.json."""
    return json.dumps(dashboard(metrics_table.read_metrics()), indent=1) + "\n"


if __name__ == "__main__":
    print(text(), end="")
