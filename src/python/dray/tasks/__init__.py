"""Tasks that add their own parts to the package. A task with nothing to add needs no row here."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Task:
    """A task, by its name in the engine (env.name)."""

    name: str
    gym_id: str = ""  # empty: made from the name, see gym_ids.py
    report: str = ""  # module whose PARTS (report/task_parts.py) the pages of runs show
    published: tuple[int, float] | None = None  # return that others published for PPO, for episodes of this many steps


TASKS = (
    Task("cage2", report="dray.tasks.cage2.report"),
    Task("cage2_red", report="dray.tasks.cage2.report"),
    Task("dvrptw", gym_id="dray/Deliveries-v0", report="dray.tasks.dvrptw.report"),
    Task("dvrptw_offer", gym_id="dray/DeliveryOffers-v0", report="dray.tasks.dvrptw.report"),
    Task("waves", report="dray.tasks.waves.report"),
    # Gymnasium's own tasks keep the versions they have there.
    Task("acrobot", gym_id="dray/Acrobot-v1", published=(500, -86.4)),
    Task("cartpole", gym_id="dray/CartPole-v1", published=(500, 490.0)),
    Task("mountaincar", gym_id="dray/MountainCar-v0", published=(200, -200.0)),
    Task("pendulum", gym_id="dray/Pendulum-v1"),
)
