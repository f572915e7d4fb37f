"""The page of a run or a search."""

import shlex

from dray.report import evaluations, learning, optimiser, search_posterior, time_line
from dray.report.command_words import program, tool
from dray.report.final_evaluation import gain_card, return_card
from dray.report.number_text import NOTHING, counted, decimals_of, duration, fixed, number, percent
from dray.report.parts import Cards, Commands, Folded, Part, Section, Tab, Table, Text, made
from dray.report.run_folder import RunFolder
from dray.report.task_parts import Card, task_parts

# The settings that a reader looks for first; all of them are in the file below.
SETTINGS = (  # the tasks' own come behind the seed
    "train.seed",
    "scale.num_envs",
    "train.rollout_steps",
    "network.kind",
    "network.hidden",
    "ppo.learning_rate",
    "ppo.gamma",
    "ppo.gae_lambda",
    "ppo.clip",
    "ppo.entropy_coefficient",
    "ppo.policy_epochs",
    "ppo.value_epochs",
    "ppo.minibatch_size",
    "run.runner",
    "run.device",
    "search.strategy",
    "search.kernel",
)


def run_page(run: RunFolder) -> tuple[str, list[Tab]]:
    """Returns the title and the tabs."""
    tabs: dict[str, list[Section]] = {}
    for title, make in (
        ("Learning", learning.learning_section),
        *(section for parts in task_parts() for section in parts.sections),
        ("Episodes", evaluations.evaluations_section),
        ("Optimiser", optimiser.optimiser_section),
        ("Machine", time_line.time_section),
        ("Machine", optimiser.rollout_section),
        ("Settings", settings_section),
    ):
        if section := made(run.notes, make, run):
            tabs.setdefault(title, []).append(section)
    first = Tab("Overview", overview(run))  # made last, with the notes on all others
    title = f"{run.task}: {run.name}" if run.task else run.name
    return title, [first, *(Tab(title, sections) for title, sections in tabs.items())]


def overview(run: RunFolder) -> list[Part]:
    parts: list[Part | None] = []
    if run.search:
        parts.append(made(run.notes, search_posterior.search_cards, run.search))
    if run.reports:
        parts.append(made(run.notes, run_cards, run))
    shown = [made(run.notes, make, run) for make in (learning.headline, search_posterior.search_section)]
    parts += [Text(note, note=True) for note in run.notes]
    parts += [*shown, Commands(commands_of(run))]
    return [part for part in parts if part]


def run_cards(run: RunFolder) -> Cards:
    cards: list[Card | None] = [
        gain_card(run),
        return_card(run),
        *(card(run) for parts in task_parts() for card in parts.cards),
        training_return_card(run),
        training_card(run),
        ("Seed", run.setting("train.seed", NOTHING), "single seed: results vary"),
    ]
    return Cards([card for card in cards if card])


def training_return_card(run: RunFolder) -> Card | None:
    mean, ci95 = run.last("episode/return_mean"), run.last("eval/return_ci95")
    if mean is None:
        return None
    remark = f"mean of the last {counted(min(100, run.last('completed_episodes') or 100), 'episode')}"
    return ("Training return", fixed(mean, decimals_of(ci95)) if ci95 else number(mean), remark)


def training_card(run: RunFolder) -> Card:
    newest, elapsed = run.reports[-1], run.last("time/elapsed_s")
    steps, progress = newest["total_steps"], newest.get("progress")
    speed = f", {number(round(steps / elapsed))} per second" if elapsed else ""
    remarks = [
        f"{counted(steps, 'step')}{speed}",
        f"{counted(newest.get('completed_episodes') or 0, 'episode')}, {counted(newest.get('epoch') or 0, 'epoch')}",
    ]
    if progress is not None and progress < 1:
        remarks.append(f"unfinished: {percent(progress)} done")
    return ("Training time", duration(elapsed), "; ".join(remarks))


def commands_of(run: RunFolder) -> list[tuple[str, str]]:
    folder = shlex.quote(str(run.path))
    if run.search:
        return [("resume", f"{program('search')} --resume {folder}")]
    commands = [
        ("evaluate", f"{program('evaluate')} --run-dir {folder}"),
        ("resume", f"{program('train')} --resume {folder}"),
    ]
    if tensorboard := tool("tensorboard"):
        commands.append(("see curves", f"{tensorboard} --logdir {folder}"))
    return commands


def settings_section(run: RunFolder) -> Section | None:
    if not run.config:
        return None
    seed, *others = SETTINGS
    paths = [seed, *(path for parts in task_parts() for path in parts.settings), *others]
    rows = [["version of Dray", run.version]] if run.version else []
    rows += [
        [path, run.config[path]]
        for path in paths
        if run.config.get(path) and (run.search or not path.startswith("search."))
    ]
    return Section(
        "Main settings",
        [
            Table(["setting", "value"], rows, texts=(1,)),
            Folded("config.yaml: every setting of the run", run.config_text),
        ],
    )
