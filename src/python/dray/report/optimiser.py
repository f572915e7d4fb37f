"""The sections on the optimiser and on rollouts."""

import itertools

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
        "Clipped surrogate loss, mean of each update. Its level means little; spikes indicate unstable learning.",
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
        "Distance of the policy's logits from the values of simulated futures; lower is better.",
    ),
    (
        "Entropy",
        {"train/entropy": ""},
        "nats",
        "Randomness of the policy. It falls slowly as the policy learns; a sudden drop is a collapse.",
    ),
    (
        "KL divergence",
        {"train/kl_k3": ""},
        "nats",
        "How far an update moves the policy. A spike followed by a drop in return: the update was too large.",
    ),
    (
        "Clip fraction",
        {"train/clip_fraction": ""},
        "share of samples",
        "Share of clipped samples. Near 0: updates are small; near 1: most samples no longer contribute.",
    ),
    (
        "Explained variance",
        {"train/explained_variance": ""},
        "fraction",
        "1: the critic predicts returns perfectly; 0: no better than their mean; below 0: worse.",
    ),
    ("Gradient norm", {"train/grad_norm": ""}, "norm", "Norm before clipping. A spike is an unusually large gradient."),
    (
        "Gradient signal",
        {"train/gradient_signal": ""},
        "fraction",
        "Share of the gradient that minibatches agree on. Near 0 it is mostly noise, and larger batches may help.",
    ),
    (
        "Learning rate",
        {"train/learning_rate": "policy", "train/value_learning_rate": "value"},
        "step size",
        "Adam's step size, by its schedule.",
    ),
    (
        "Policy lag",
        {"lag/mean": "mean", "lag/max": "largest"},
        "updates",
        "Age of the policy that collected a batch; 0 is synchronous.",
    ),
)


def untrained(run: RunFolder) -> dict[str, tuple[str, ...]]:
    """Returns what a run does not train, as a sentence, with the metrics that mean nothing then."""
    found: dict[str, tuple[str, ...]] = {}
    appraisal = run.setting("ppo.appraisal_coefficient", "0")
    if run.setting("ppo.policy_coefficient") == "0" and appraisal != "0":
        instead = (
            "ppo.policy_coefficient is 0: instead of the clipped policy loss, the policy learns from the "
            f"values of futures that the simulator plays for each action (ppo.appraisal_coefficient {appraisal})."
        )
        found[instead] = ("train/policy_loss", "train/clip_fraction")
    # A critic with an optimiser of its own is trained whatever its coefficient.
    if run.setting("ppo.value_coefficient") == "0" and not curves.has(run.reports, "train/value_learning_rate"):
        found["ppo.value_coefficient is 0: no critic is trained."] = ("train/value_loss", "train/explained_variance")
    return found


def optimiser_section(run: RunFolder) -> Section | None:
    figures, still = [], []
    missing = untrained(run)
    meaningless = set(itertools.chain.from_iterable(missing.values()))
    for title, metrics, y_title, reading in OPTIMISER:
        values = {
            metric: found
            for metric in metrics
            if metric not in meaningless and (found := curves.points(run.reports, metric)[1])
        }
        if any(len(set(found)) > 1 for found in values.values()):
            traces = [
                line(run.reports, metric, metrics[metric] or title, colour)
                for metric, colour in zip(values, (PURPLE, GREEN))
            ]
            figures.append(curve_figure(title, reading, traces, y_title, keys=list(values)))
        elif values:
            still.append((title.lower(), next(iter(values.values()))[0]))
    if not figures and not still:
        return None
    return Section("Diagnostics of the updates", [Grid(figures), *same_throughout(still)], " ".join(missing))


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
