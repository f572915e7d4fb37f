"""Parts of the pages for CAGE challenge 2."""

from dray.report.task_parts import TaskParts
from dray.tasks.cage2.defence import defence_section
from dray.tasks.cage2.winner import winner_mark
from dray.tasks.cage2.words import STATISTICS
from dray.tasks.cage2.workflow import own_return_card, workflow_section

PARTS = TaskParts(
    sections=(("Learning", workflow_section), ("Episodes", defence_section)),
    cards=(own_return_card,),
    settings=("env.cage2.red", "env.cage2.release"),
    marks=(winner_mark,),
    statistics=STATISTICS,
)
