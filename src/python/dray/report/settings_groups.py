"""Groups and names runs by their settings."""

from collections.abc import Sequence

from dray.report.run_folder import RunFolder

APART = ("run.", "ray.", "train.seed")  # what may differ between runs of the same settings
MOST_NAMED = 3


def labels_of(runs: Sequence[RunFolder]) -> list[str]:
    """Returns a label for each run: the name of its folder, or the whole path if names repeat."""
    names = [run.name for run in runs]
    return [name if names.count(name) == 1 else str(run.path) for name, run in zip(names, runs)]


def groups_of(runs: Sequence[RunFolder]) -> dict[str, list[int]]:
    """Groups runs with the same settings: {name of the settings: indices of their runs}, in the order of the runs."""
    settings = [{path: value for path, value in run.config.items() if not path.startswith(APART)} for run in runs]
    paths = dict.fromkeys(path for one in settings for path in one)
    differing = [path for path in paths if len({one.get(path) for one in settings}) > 1]
    found: dict[tuple[str, ...], list[int]] = {}
    for index, one in enumerate(settings):
        found.setdefault(tuple(one.get(path, "") for path in differing), []).append(index)
    names = {}
    for place, (values, members) in enumerate(found.items()):
        said = [f"{path} {value}" for path, value in zip(differing, values)][:MOST_NAMED]
        if len(differing) > MOST_NAMED:
            said.append(f"and {len(differing) - MOST_NAMED} more")
        name = ", ".join(said) or "the same"
        names[name if name not in names else f"{name} ({place + 1})"] = members
    return names
