"""What Gymnasium calls Dray's environments. Apart, so that a list of them needs no Gymnasium."""

IDS = {
    "acrobot": "dray/Acrobot-v1", "cage2": "dray/Cage2-v0", "cage2_red": "dray/Cage2Red-v0", "cartpole": "dray/CartPole-v1",
    "dvrptw": "dray/Deliveries-v0", "mountaincar": "dray/MountainCar-v0", "pendulum": "dray/Pendulum-v1"}
