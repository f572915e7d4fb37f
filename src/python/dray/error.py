"""The exceptions of the package."""

import sys
from typing import NoReturn


class Error(Exception):
    """An error in one line: what went wrong, where, and what to do next."""

    exit_code = 1


class UsageError(Error):
    """An error of a command's arguments, such as a folder that does not exist."""

    exit_code = 2


def fail(error: Exception, program: str = "dray") -> NoReturn:
    """Ends a command with an error."""
    print(f"{program}: {error}", file=sys.stderr)
    sys.exit(error.exit_code if isinstance(error, Error) else 1)
