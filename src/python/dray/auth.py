"""The token of a Ray cluster: where it is looked for, in Ray's order, and how it is created."""

import contextlib
import fcntl
import os
import pathlib
import secrets

MODE = "RAY_AUTH_MODE"


def token_file() -> pathlib.Path:
    """Returns the file in which Ray looks for the token."""
    return pathlib.Path.home() / ".ray" / "auth_token"


def token_source() -> str:
    """Returns where this user's token comes from, in words; empty if there is none."""
    if os.environ.get("RAY_AUTH_TOKEN"):
        return "RAY_AUTH_TOKEN"
    named = os.environ.get("RAY_AUTH_TOKEN_PATH")
    if named:
        return named if _has_text(named) else ""
    return str(token_file()) if _has_text(token_file()) else ""


def make_token() -> str:
    """Writes a token where Ray looks for it, unless another process has just done so, and returns its file."""
    path = token_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)  # only one of several starts makes the token
        if not _has_text(path):
            new = path.with_name(f"{path.name}.{os.getpid()}")
            with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(secrets.token_hex(32))
            os.replace(new, path)  # nobody reads half of it
        close_to_others()  # the folder may have been there
    finally:
        os.close(folder)
    return str(path)


def close_to_others() -> None:
    """Makes the token file and its folder, if they exist, readable by this user only."""
    for path, mode in ((token_file().parent, 0o700), (token_file(), 0o600)):
        with contextlib.suppress(OSError):  # a secret that is mounted, say, is what it is
            path.chmod(mode)


def _has_text(path: str | pathlib.Path) -> bool:
    try:
        return bool(pathlib.Path(path).read_text().strip())
    except OSError:
        return False
