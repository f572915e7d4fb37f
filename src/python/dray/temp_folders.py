"""Ray's temporary folders: below a private one, because Ray opens its own to everyone."""

import contextlib
import fcntl
import os
import pathlib
import shutil
import socket
import stat
import tempfile
import time
from collections.abc import Collection
from typing import TextIO

from dray.error import Error

PREFIX = "dray-"
OWNER = "owner"  # locked for as long as the process lives that the folder belongs to
RAY = "r"  # Ray's own folder in there: a short name, since paths of sockets have a limit
LOGS_KEPT_S = 24 * 3600  # after the end of a run that did not end well


def root() -> pathlib.Path:
    """Returns the folder for temporary folders, as Ray finds it."""
    return pathlib.Path(os.environ.get("RAY_TMPDIR") or os.environ.get("TMPDIR") or "/tmp")


def of_user(parent: str | os.PathLike[str]) -> pathlib.Path:
    """Returns the folder that this user's clusters share, below `parent`; see make_private."""
    return pathlib.Path(parent) / f"dray_{os.getuid()}"


def make_private(folder: pathlib.Path) -> pathlib.Path:
    """Creates a folder that nobody else can read, and returns it."""
    try:
        os.makedirs(folder.parent, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        about = folder.lstat()
        if not stat.S_ISDIR(about.st_mode) or about.st_uid != os.getuid():
            raise Error(f"{folder} belongs to someone else: remove it, or give another --temp-dir")
        folder.chmod(0o700)
    except OSError as error:
        raise Error(f"temp folder {folder}: {error.strerror}") from None
    return folder


def make_own() -> tuple[pathlib.Path, TextIO]:
    """Creates a folder that belongs to this process. Returns it with the open file whose lock says so."""
    try:
        folder = pathlib.Path(tempfile.mkdtemp(prefix=PREFIX, dir=root()))  # with mode 700
    except OSError as error:
        raise Error(f"temp folder in {root()}: {error.strerror}") from None
    # Locked before it has its name: who finds it unlocked knows that its owner is gone.
    owner = open(folder / f"{OWNER}.new", "w")
    fcntl.flock(owner, fcntl.LOCK_EX)
    os.rename(folder / f"{OWNER}.new", folder / OWNER)
    return folder, owner


def remove(folder: pathlib.Path, keep_logs: bool) -> None:
    """Removes an own folder, or everything but Ray's logs if they are to be kept."""
    logs = _logs(folder) if keep_logs else []
    if not logs:
        shutil.rmtree(folder, ignore_errors=True)
        return
    _remove_all_but({folder / OWNER, *logs}, folder)


def _logs(folder: pathlib.Path) -> list[pathlib.Path]:
    """Returns Ray's logs: the output of its start, the log folder of each session, and the link to the newest."""
    ray = folder / RAY
    sessions = [path for path in ray.glob("session_*/logs") if not path.parent.is_symlink()]
    return [*sessions, *ray.glob("ray_start_*.log"), *ray.glob("session_latest")]


def _remove_all_but(kept: Collection[pathlib.Path], folder: pathlib.Path) -> None:
    for path in folder.iterdir():
        if path in kept:
            continue
        if not path.is_dir() or path.is_symlink():
            path.unlink(missing_ok=True)
        elif any(path in other.parents for other in kept):
            _remove_all_but(kept, path)
        else:
            shutil.rmtree(path, ignore_errors=True)


def remove_leftovers() -> None:
    """Removes own folders whose process has ended; their logs, after a day."""
    for folder in root().glob(PREFIX + "*"):
        with contextlib.suppress(OSError):  # another start removes it, too
            about = folder.lstat()
            if stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid():
                _remove_if_abandoned(folder)


def _remove_if_abandoned(folder: pathlib.Path) -> None:
    if (folder / OWNER).exists():
        with open(folder / OWNER) as owner:
            fcntl.flock(owner, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while the owner lives
            remove(folder, keep_logs=time.time() - _newest(folder) < LOGS_KEPT_S)
    elif _has_dead_log(folder) and not _answers(folder):
        shutil.rmtree(folder, ignore_errors=True)


def _newest(folder: pathlib.Path) -> float:
    """Returns when the newest log was written."""
    files = [file for path in _logs(folder) for file in (path, *path.glob("*"))]
    return max((file.lstat().st_mtime for file in files), default=0)


def _has_dead_log(folder: pathlib.Path) -> bool:
    """Checks folders of older versions, which have no owner file: the log of Ray's start is named after the process."""
    logs = [log.stem.rpartition("_")[2] for log in folder.glob("ray_start_*.log")]
    return bool(logs) and not any(os.path.exists(f"/proc/{pid}") for pid in logs)


def _answers(folder: pathlib.Path) -> bool:
    """Checks whether a raylet lives there, possibly in another container that shares the temp folder."""
    try:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(folder / "session_latest" / "sockets" / "raylet"))
        return True
    except OSError:
        return False
