"""The delivery tasks' parts of the pages."""

from dray.report.task_parts import TaskParts, Yardstick
from dray.tasks.dvrptw.day_differences import day_differences
from dray.tasks.dvrptw.deliveries import days_section, policies_section
from dray.tasks.dvrptw.words import POLICIES, STATISTICS

PARTS = TaskParts(
    sections=(("Policies", policies_section), ("Days", days_section)),
    comparisons=(day_differences,),
    settings=("env.dvrptw.num_customers", "env.dvrptw.encoding", "env.dvrptw.reward", "env.dvrptw_offer.num_customers"),
    yardsticks={
        "dvrptw": Yardstick("no shifts", "greedy", "minutes", POLICIES["myopic_believed"].colour),
        "dvrptw_offer": Yardstick("offering every slot", "greedy", "travel time", POLICIES["myopic"].colour),
    },
    statistics=STATISTICS,
)
