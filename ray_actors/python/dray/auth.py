"""The token that a Ray cluster asks for: where it is looked for, in Ray's own order, and how one is made."""

import os
import pathlib
import secrets

MODE = "RAY_AUTH_MODE"


def token_file():
    return pathlib.Path.home() / ".ray" / "auth_token"


def token_source():
    """Where this user's token comes from, in words; empty when there is none."""
    if os.environ.get("RAY_AUTH_TOKEN"):
        return "RAY_AUTH_TOKEN"
    named = os.environ.get("RAY_AUTH_TOKEN_PATH")
    if named:
        return named if _has_text(named) else ""
    return str(token_file()) if _has_text(token_file()) else ""


def make_token():
    """Writes a new token where Ray looks for it, readable by this user alone."""
    path = token_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(secrets.token_hex(32))
    return str(path)


def _has_text(path):
    try:
        return bool(pathlib.Path(path).read_text().strip())
    except OSError:
        return False
