"""Deliveries with time windows: its parts of a run's page."""
