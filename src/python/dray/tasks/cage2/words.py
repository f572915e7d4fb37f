"""Titles and colours of the game's attackers and statistics."""

from dray.report.curves import CYAN, GREY, PURPLE
from dray.report.task_parts import Statistic

# The names that the challenge gives its attackers, and their colours on the whole page.
REDS = {"bline": ("B_line", PURPLE), "meander": ("Meander", CYAN), "sleep": ("Sleep", GREY)}

STATISTICS = {
    "env_return": Statistic("Return of the game", "reward", "Excludes the reward for following a workflow; 0 is best."),
    "return_30": Statistic("Return of the first 30 steps", "reward"),
    "return_50": Statistic("Return of the first 50 steps", "reward"),
    "blue_return": Statistic(
        "Return of the defender", "reward", "What the attacker costs it; 0 is best for the defender."
    ),
    "blue_return_30": Statistic("Defender's return of the first 30 steps", "reward"),
    "blue_return_50": Statistic("Defender's return of the first 50 steps", "reward"),
    "server_down_steps": Statistic("Operational server down", "steps of an episode"),
    "server_restored": Statistic("Operational server restored", "share of episodes"),
    "compliance": Statistic("Actions that follow the workflow", "share"),
    "fixes": Statistic("Hosts fixed", "per episode"),
    "violations": Statistic("Fixes against the workflow", "per episode"),
    "useless_fixes": Statistic("Fixes of hosts without red", "per episode"),
}
