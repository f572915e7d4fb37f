"""Tasks that add their own parts to the package. A task with nothing to add needs no row here."""

import dataclasses
from collections.abc import Mapping


@dataclasses.dataclass(frozen=True)
class Command:
    """A command that only makes sense with a task."""

    purpose: str
    module: str = ""  # empty: a program of the engine


@dataclasses.dataclass(frozen=True)
class Task:
    """A task, by its name in the engine (env.name)."""

    name: str
    gym_id: str = ""  # empty: made from the name, see gym_ids.py
    report: str = ""  # module whose PARTS (report/task_parts.py) the pages of runs show
    published: tuple[int, float] | None = None  # return that others published for PPO, for episodes of this many steps
    commands: Mapping[str, Command] = dataclasses.field(default_factory=dict)


TASKS = (
    Task(
        "cage2",
        report="dray.tasks.cage2.report",
        commands={
            "cage2_replay": Command("play recorded games of CAGE-2 again"),
            "league": Command("defenders and attackers that learn from each other", "dray.tasks.cage2.league"),
        },
    ),
    Task("cage2_red", report="dray.tasks.cage2.report"),
    Task("dvrptw", gym_id="dray/Deliveries-v0", report="dray.tasks.dvrptw.report"),
    Task("dvrptw_offer", gym_id="dray/DeliveryOffers-v0", report="dray.tasks.dvrptw.report"),
    Task(
        "waves",
        report="dray.tasks.waves.report",
        commands={
            "waves_play": Command("play days of the task waves with a policy"),
            "waves_replay": Command("play recorded days of the task waves again"),
            "waves_serve": Command("dispatch the orders of a real day in waves"),
        },
    ),
    # Gymnasium's own tasks keep the versions they have there.
    Task("acrobot", gym_id="dray/Acrobot-v1", published=(500, -86.4)),
    Task("cartpole", gym_id="dray/CartPole-v1", published=(500, 490.0)),
    Task("mountaincar", gym_id="dray/MountainCar-v0", published=(200, -200.0)),
    Task("pendulum", gym_id="dray/Pendulum-v1"),
)
