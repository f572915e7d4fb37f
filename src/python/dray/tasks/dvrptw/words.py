"""Titles and colours of the delivery tasks' policies, riders and statistics. A policy has one colour on the whole page."""

import dataclasses

from dray.report.curves import BROWN, CYAN, GREEN, GREY, LEARNED, OLIVE, PINK, PURPLE, RED
from dray.report.task_parts import Statistic


@dataclasses.dataclass(frozen=True)
class Policy:
    title: str
    colour: str


# By the names that evaluate takes. Relatives have shades of one colour.
POLICIES = {
    "learned": Policy("learned", LEARNED),
    "plan": Policy("learned, looks ahead", "#a65d0a"),
    "lookahead": Policy("looks ahead, untrained", PURPLE),
    "hindsight": Policy("hindsight (bound)", CYAN),
    "none": Policy("no shifts", GREY),
    "random": Policy("random", BROWN),
    "random_accepted": Policy("random, agreed to", "#c9a27f"),
    "max_shift": Policy("largest shift agreed to", RED),
    "myopic_hopeful": Policy("greedy, hopeful", "#86cbae"),
    "myopic_believed": Policy("greedy", GREEN),
    "myopic_true": Policy("greedy, knows types", "#1d7a55"),
    "all_slots": Policy("every slot", GREY),
    "first_slot": Policy("earliest slot", RED),
    "cheapest_slot": Policy("cheapest slot", "#6f9fd8"),
    "cheapest_two": Policy("two cheapest slots", "#9bbce6"),
    "cheapest_accepted": Policy("cheapest slot, knows types", "#4a76ad"),
    "myopic": Policy("greedy", GREEN),
    "keen": Policy("greedy, keen", "#86cbae"),
}


def policy_of(name: str) -> Policy:
    return POLICIES.get(name, Policy(name, OLIVE))


# What a rider agrees to, in the order of the statistics' numbers.
TYPES = {"late dropoff": PINK, "early pickup": OLIVE, "none": "#b4bac1", "both": "#5e78c7"}
SLOTS = dict(zip(("later slots", "earlier slots", "their own slot", "any slot"), TYPES.values()))

STATISTICS = {
    "cost_min": Statistic("Cost of the day", "min", "Travel and extra vehicles, as the training's oracle prices them."),
    "no_shift_cost_min": Statistic("Cost of the day without shifts", "min", "The same requests, with nobody shifted."),
    "cost_vs_no_shift_pct": Statistic("Cost against no shifts", "%", "Below 0 the policy's day is cheaper."),
    "objective_min": Statistic("Objective of the day", "min", "Cost plus the price of shifts; lower is better."),
    "failure": Statistic("Days with an unserved rider", "share"),
    "acceptance": Statistic("Proposals accepted", "share"),
    "shift_min": Statistic("Shift of a rider", "min", "Mean over riders, by what they agree to.", TYPES),
    "patience_min": Statistic("Cost of shifts", "min", "Cost charged for shifted minutes, per day."),
    "vehicles": Statistic("Vehicles in use", "per day"),
    "unserved": Statistic("Riders not served", "per day"),
    "cost": Statistic("Cost of the day", "travel time", "Lower is better."),
    "served": Statistic("Customers served", "share", "By the slots that they accept.", SLOTS),
    "cost_per_served": Statistic("Cost of a customer served", "travel time"),
    "lost": Statistic("Customers lost", "per day"),
    "epsilon": Statistic(
        "Exploration of riders' types", "share", "How often the flexibility model tries another type."
    ),
    "belief_version": Statistic("Updates of the flexibility model", "count"),
    "oracle_calls": Statistic("Calls of the oracle", "1/s", "The oracle prices plans.", per_s=True),
    "oracle_problems": Statistic("Plans priced by the oracle", "1/s", per_s=True),
    "oracle_batch": Statistic("Plans in a call of the oracle", "plans", "Larger batches keep a GPU busier."),
    "oracle_noise_pct": Statistic(
        "Noise of the oracle",
        "% of steps",
        "Share of steps where adding a request made the plan cheaper, which is impossible with exact prices.",
    ),
}
