"""The sections on the optimiser and on rollouts."""

from dray.report import curves, number_text
from dray.report.curves import GREEN, PURPLE, line, small_figure
from dray.report.learning import same_throughout
from dray.report.parts import Grid, Section
from dray.report.run_folder import RunFolder

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
    ("Learning rate", {"train/learning_rate": ""}, "step size", "Adam's, by its schedule."),
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
            figures.append(small_figure(title, reading, traces, y_title))
        elif any(values.values()):
            still.append((title.lower(), next(filter(None, values.values()))[0]))
    return Section("Optimiser", [Grid(figures), *same_throughout(still)]) if figures or still else None


def rollout_section(run: RunFolder) -> Section | None:
    """Shows the task's rollout statistics that change."""
    names = sorted(name for name in curves.names_of(run.reports) if name.startswith("rollout/stat/"))
    figures = []
    for metric in names:
        if len(set(curves.points(run.reports, metric)[1])) > 1:
            name = metric.removeprefix("rollout/stat/")
            unit = number_text.unit_of(name)
            traces = [line(run.reports, metric, name, GREEN)]
            figures.append(
                small_figure(
                    name,
                    "The task's own number of its rollouts, since the report before.",
                    traces,
                    f"{name} ({unit})" if unit else name,
                )
            )
    return Section("Rollouts", [Grid(figures)]) if figures else None
