"""The tasks of Dray: the folders beside this file. A line here is all that makes one known."""

ENVS = [
    "acrobot",
    "cage2",
    "cartpole",
    "dvrptw",
    "mountaincar",
    "pendulum",
]
