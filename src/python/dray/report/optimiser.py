"""The sections on the optimiser and on rollouts."""

from dray.report import curves
from dray.report.curves import GREEN, PURPLE, curve_figure, line
from dray.report.intervals import intervals_of
from dray.report.learning import same_throughout
from dray.report.parts import Grid, Section
from dray.report.run_folder import RunFolder
from dray.report.task_parts import statistic_of

MOST_INTERVALS = 300

# Title, metrics with their names in the legend, the axis, how to read it.
OPTIMISER = (
    (
        "Policy loss",
        {"train/policy_loss": ""},
        "loss",
        "Clipped surrogate, mean over each update. Its level says little; spikes go with unsteady learning.",
    ),
    (
        "Value loss",
        {"train/value_loss": ""},
        "loss",
        "Half the squared error of predicted returns; it may rise while returns grow.",
    ),
    (
        "Appraisal loss",
        {"train/appraisal_loss": ""},
        "loss",
        "How far the policy's logits are from what the simulator's futures say; lower is better.",
    ),
    (
        "Entropy",
        {"train/entropy": ""},
        "nats",
        "How undecided the policy is. A slow fall is learning, a sudden one a collapse.",
    ),
    (
        "KL divergence",
        {"train/kl_k3": ""},
        "nats",
        "How far an update moves the policy. A spike beside a fall of the return was a step too bold.",
    ),
    (
        "Clip fraction",
        {"train/clip_fraction": ""},
        "share of samples",
        "Samples that hit the clip range: near 0 steps are timid, near 1 most of a batch no longer counts.",
    ),
    (
        "Explained variance",
        {"train/explained_variance": ""},
        "fraction",
        "1: the critic predicts returns wholly; 0: no better than their mean; below: worse.",
    ),
    ("Gradient norm", {"train/grad_norm": ""}, "norm", "Before clipping. Spikes are batches that pull hard."),
    (
        "Gradient signal",
        {"train/gradient_signal": ""},
        "fraction",
        "What minibatches agree on; near 0 the gradient is mostly noise and larger batches may help.",
    ),
    (
        "Learning rate",
        {"train/learning_rate": "policy", "train/value_learning_rate": "value"},
        "step size",
        "Adam's, by its schedule.",
    ),
    (
        "Policy lag",
        {"lag/mean": "mean", "lag/max": "largest"},
        "updates",
        "How old the policy behind a batch was; 0 is synchronous.",
    ),
)


def optimiser_section(run: RunFolder) -> Section | None:
    figures, still = [], []
    for title, metrics, y_title, reading in OPTIMISER:
        values = {metric: curves.points(run.reports, metric)[1] for metric in metrics}
        if any(len(set(found)) > 1 for found in values.values()):
            traces = [
                line(run.reports, metric, name or title, colour)
                for (metric, name), colour in zip(metrics.items(), (PURPLE, GREEN))
            ]
            figures.append(curve_figure(title, reading, traces, y_title, keys=list(metrics)))
        elif any(values.values()):
            still.append((title.lower(), next(filter(None, values.values()))[0]))
    return Section("Diagnostics of the updates", [Grid(figures), *same_throughout(still)]) if figures or still else None


def rollout_section(run: RunFolder) -> Section | None:
    """Shows the task's rollout statistics that change."""
    intervals = intervals_of(run.reports, MOST_INTERVALS)
    figures, still = [], []
    for metric in sorted(name for name in curves.names_of(run.reports) if name.startswith("rollout/stat/")):
        statistic = statistic_of(run, metric.removeprefix("rollout/stat/"))
        found = []
        for interval in intervals:
            value = interval.mean(metric)
            if value is not None and interval.seconds > 0:
                shown = interval.sum(metric) / interval.seconds if statistic.per_s else value
                found.append({"total_steps": interval.reports[-1][1]["total_steps"], metric: shown})
        values = {report[metric] for report in found}
        if len(values) > 1:
            traces = [line(found, metric, statistic.title, GREEN)]
            figures.append(
                curve_figure(statistic.label, statistic.meaning, traces, statistic.unit or "value", keys=[metric])
            )
        elif values:
            still.append((statistic.label, values.pop()))
    return Section("Rollouts", [Grid(figures), *same_throughout(still)]) if figures or still else None
