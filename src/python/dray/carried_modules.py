"""Carries the source of an environment's own modules with a run, so that machines that lack them can run it."""

import base64
import functools
import io
import os
import pathlib
import sys
import zipfile

MOST_BYTES = 1 << 20  # of the archive; larger code has to be installed where it runs


def collected(folder: str) -> str:
    """Returns an archive, as text, of all modules that this process has imported from below `folder`.

    Installed packages and Dray itself are left out. Empty if there are none or if they are too large.
    """
    root = pathlib.Path(folder).resolve()
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as writer:
        for path in sorted(_own_files(root)):
            # Equal sources give equal archives, whatever the times of the files.
            writer.writestr(zipfile.ZipInfo(str(path.relative_to(root))), path.read_bytes(), zipfile.ZIP_DEFLATED)
        if not writer.namelist():
            return ""
    return base64.b64encode(archive.getvalue()).decode() if archive.tell() <= MOST_BYTES else ""


@functools.cache  # a worker that hosts several batches needs them once
def provide(modules: str, folder: str) -> None:
    """Makes the modules of an archive importable unless `folder` has all of them."""
    if not modules:
        return
    data = base64.b64decode(modules)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if all((pathlib.Path(folder) / name).exists() for name in archive.namelist()):
            return
    # Python imports from archives. This one has no name in the file system, so nothing stays behind.
    descriptor = os.memfd_create("dray-modules")
    os.write(descriptor, data)
    sys.path.insert(0, f"/proc/self/fd/{descriptor}")


def _own_files(root: pathlib.Path) -> set[pathlib.Path]:
    files = set()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if not file or name.partition(".")[0] in ("dray", "__main__"):
            continue
        path = pathlib.Path(file).resolve()
        if path.suffix == ".py" and path.is_relative_to(root) and not _installed(path):
            files.add(path)
            files.update(_packages_around(path, root))
    return files


def _installed(path: pathlib.Path) -> bool:
    prefixes = {pathlib.Path(prefix).resolve() for prefix in (sys.prefix, sys.base_prefix)}
    return bool({"site-packages", "dist-packages"} & set(path.parts)) or any(map(path.is_relative_to, prefixes))


def _packages_around(path: pathlib.Path, root: pathlib.Path) -> set[pathlib.Path]:
    """Returns the __init__.py of the packages that contain a file."""
    return {
        folder / "__init__.py"
        for folder in path.parents
        if folder != root and folder.is_relative_to(root) and (folder / "__init__.py").exists()
    }
