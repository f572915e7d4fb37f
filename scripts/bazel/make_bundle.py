"""Makes the folder of //:bundle (programs, libraries that a node may lack, configs, Python modules) and packs it.

Every run path in it starts at $ORIGIN; none contains a path of this machine.
"""

import argparse
import os
import pathlib
import shutil
import struct
import subprocess

import bundle_archive

# Libraries that every node with Python and Ray has. A newer C++ runtime would not help: workers have already loaded theirs.
STANDARD = (
    "ld-linux",
    "libc.so",
    "libm.so",
    "libdl.so",
    "libpthread.so",
    "librt.so",
    "libgcc_s.so",
    "libstdc++.so",
    "libz.so",
)


def main():
    arguments = parse_arguments()
    out = pathlib.Path(arguments.out)
    for program in arguments.program:
        place(program, out / "bin", "$ORIGIN/../lib")
    for library in arguments.library:
        place(library, out / "lib", "$ORIGIN")
    place(pathlib.Path(arguments.ray) / "libray_api.so", out / "lib")
    for library in needed(arguments.library, arguments.torch, arguments.without_torch):
        place(library, out / "lib")
    for library in (out / "lib").iterdir():
        bundle_archive.strip(library)
    for path in arguments.config:
        place_below(path, "configs", out / "configs")
    for path in arguments.module:
        if "configs" not in pathlib.Path(path).parts:
            place_below(path, "dray", out / "python" / "dray")
    shutil.copyfile(arguments.readme, out / "README.md")
    bundle_archive.pack_folder(out, arguments.packed, arguments.archive)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True)
    parser.add_argument("--archive", required=True)
    parser.add_argument("--packed", required=True, help="libraries packed by bundle_archive.py")
    add_parts(parser)
    parser.add_argument("--ray", required=True, help="folder of libray_api.so")
    parser.add_argument("--without-torch", action="store_true")
    return parser.parse_args()


def add_parts(parser):
    """Adds the flags that packing.bzl passes to every packer."""
    for name in ("program", "library", "config", "module"):
        parser.add_argument(f"--{name}", nargs="+", required=True)
    parser.add_argument("--readme", required=True, help="file")
    parser.add_argument("--torch", required=True, help="folder of LibTorch's libraries")


def place_below(path, root, folder):
    """Copies a file into the folder, at its path below `root` of the repository."""
    parts = pathlib.Path(path).parts
    place(path, folder.joinpath(*parts[parts.index(root) + 1 : -1]))


def place(path, folder, run_path=None):
    folder.mkdir(parents=True, exist_ok=True)
    copy = folder / pathlib.Path(path).name
    shutil.copyfile(path, copy)
    copy.chmod(0o755 if os.access(path, os.X_OK) or ".so" in copy.name else 0o644)
    if run_path:
        set_run_path(copy, run_path)


def needed(libraries, torch, without_torch):
    """Returns the files of the libraries that these load, except the standard ones."""
    found = {}
    for library in libraries:
        listing = subprocess.run(["ldd", library], check=True, capture_output=True, text=True).stdout
        for line in listing.splitlines():
            name, arrow, path = line.strip().partition(" => ")
            path = path.partition(" (")[0]
            ours = name in {pathlib.Path(each).name for each in libraries} | {"libray_api.so"}
            if not arrow or ours or name.startswith(STANDARD):
                continue
            if not os.path.exists(path):
                raise SystemExit(f"bundle: {library} needs {name}, which is not on this machine")
            if not (without_torch and os.path.realpath(path).startswith(os.path.realpath(torch))):
                found[name] = path
    return found.values()


def set_run_path(file, run_path):
    """Overwrites the linker's run path, which is longer."""
    with open(file, "r+b") as binary:
        image = bytearray(binary.read())
        if image[:6] != b"\x7fELF\x02\x01":
            raise SystemExit(f"bundle: {file} is not a 64-bit little-endian ELF file")
        at, room = find_run_path(image)
        if at is None or len(run_path) > room:
            raise SystemExit(f"bundle: {file} has no run path with room for {run_path}")
        image[at : at + room] = run_path.encode().ljust(room, b"\0")
        binary.seek(0)
        binary.write(image)


def find_run_path(image):
    """Returns offset and length of the run path in the file."""
    load, dynamic, string_table, run_path = 1, 2, 5, (15, 29)
    (header_at,) = struct.unpack_from("<Q", image, 32)
    header_size, count = struct.unpack_from("<HH", image, 54)
    headers = [struct.unpack_from("<IIQQQQ", image, header_at + i * header_size) for i in range(count)]
    entries = {}
    for kind, _, offset, _, _, size in headers:
        if kind == dynamic:
            for at in range(offset, offset + size, 16):
                tag, value = struct.unpack_from("<QQ", image, at)
                entries.setdefault(tag, value)
    for tag in run_path:
        if tag in entries:
            address = entries[string_table] + entries[tag]
            for kind, _, offset, start, _, size in headers:
                if kind == load and start <= address < start + size:
                    at = offset + address - start
                    return at, image.index(0, at) - at
    return None, 0


if __name__ == "__main__":
    main()
