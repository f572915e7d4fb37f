"""The score to beat: what the challenge published for its winner, by red agent."""

from dray.report.run_folder import RunFolder
from dray.report.task_parts import Mark

SCORES = {"bline": -13.76, "meander": -16.60}  # CardiffUni
RULES = {"env.cage2.release": "leaderboard", "env.cage2.max_steps": "100"}


def winner_mark(run: RunFolder) -> Mark | None:
    """Returns the winner's score if the run plays by the rules it was reached with, and follows no workflow."""
    same_rules = all(run.setting(path) == value for path, value in RULES.items())
    if run.task != "cage2" or not same_rules or run.last("eval/stat/compliance") is not None:
        return None
    score = SCORES.get(run.setting("env.cage2.red"))
    return ("the challenge's winner", score) if score is not None else None
