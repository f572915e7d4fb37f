"""Parts of the pages for dispatching in waves."""

from dray.report.task_parts import Statistic, TaskParts, Yardstick

PARTS = TaskParts(
    settings=("env.waves.instances", "env.waves.rounds"),
    yardsticks={"waves": Yardstick(reference="dispatching only what must go", rival="greedy", unit="h")},
    statistics={
        "cost_s": Statistic("Driving time", "s", "driving time of a day's routes"),
        "dispatched_share": Statistic("Dispatched", "", "share of the decisions that dispatch the request"),
        "routes": Statistic("Routes", "", "routes of a day"),
        "requests": Statistic("Requests", "", "requests of a day"),
    },
)
