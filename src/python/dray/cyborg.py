"""CAGE challenge 2 with CybORG's calls by its public name; dray.tasks.cage2.cyborg has it."""

from dray.tasks.cage2.cyborg import *  # noqa: F403
