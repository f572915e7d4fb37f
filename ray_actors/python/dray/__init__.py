"""The Python side of Dray on Ray: checking and starting clusters."""
