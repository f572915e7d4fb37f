"""The tasks of Dray: the folders beside this file. A line here is all that makes one known."""

ENVS = [
    "acrobot",
    "cage2",
    "cage2_red",
    "cartpole",
    "dvrptw",
    "dvrptw_offer",
    "mountaincar",
    "pendulum",
    "plugin",
    "python",
    "waves",
]

# Folders that tasks share and that are none themselves.
SHARED = ["delivery"]
