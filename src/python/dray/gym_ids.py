"""Ids of Dray's environments in Gymnasium. Listing them needs neither Gymnasium nor the engine."""

import json

from dray import places
from dray.error import Error
from dray.tasks import TASKS

_NO_ENVIRONMENTS = {"name", "plugin", "python"}  # a setting, and tasks for environments of a user's own


def ids() -> dict[str, str]:
    """Returns the id of every environment of the engine, by name.

    The names are those of configs/schema.json: the library of environments must not be loaded for a list, because a process that
    has loaded it cannot train.
    """
    file = places.configs() / "schema.json"
    try:
        settings = json.loads(file.read_text())["properties"]["env"]["properties"]
    except (OSError, ValueError, KeyError) as error:
        raise Error(f"{file} cannot be read ({error}): install Dray again, or restore the file") from None
    own = {task.name: task.gym_id for task in TASKS}
    return {name: own.get(name) or _made_from(name) for name in settings if name not in _NO_ENVIRONMENTS}


def _made_from(name: str) -> str:
    """Makes an id from a name: my_task → dray/MyTask-v0."""
    return f"dray/{''.join(part.capitalize() for part in name.split('_'))}-v0"
