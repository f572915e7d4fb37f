"""The adapter of CAGE challenge 2 by its public name; dray.tasks.cage2.adapter has it."""

from dray.tasks.cage2.adapter import *  # noqa: F403
