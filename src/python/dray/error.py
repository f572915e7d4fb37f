"""The one exception of the package."""


class Error(Exception):
    """An error in one line: what went wrong, where, and what to do next."""
