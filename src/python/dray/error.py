"""The one exception of the package."""


class Error(Exception):
    """One line that says what went wrong, where, and what to do next."""
