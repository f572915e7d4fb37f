"""CAGE challenge 2: its adapter for CybORG, its calls, and its parts of a run's page."""
