"""Makes the archive of //:bundle for `ray job submit`, whose server accepts at most 100 MiB and packs a folder without compressing it.

As a program, packs the large third-party libraries, which change only with their versions.

Jobs unpack the archive with Python's zipfile, so the choice is between deflate and LZMA. LibTorch for x86_64 without symbols is 349 MB;
LZMA makes it 83 MB in 26 s of processor time with preset 0, 78 MB in 40 s with preset 1, 76 MB in 55 s with preset 2; deflate 106 MB at
best. The rest of the bundle is another 17 MB.
"""

import lzma
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

FILTER = {"id": lzma.FILTER_LZMA1, "preset": 1}


class QuickLzma:
    """Compresses an archive entry like zipfile, but not with preset 6, which takes minutes for LibTorch."""

    def __init__(self):
        properties = lzma._encode_filter_properties(FILTER)
        self._head = struct.pack("<BBH", 9, 4, len(properties)) + properties
        self._stream = lzma.LZMACompressor(lzma.FORMAT_RAW, filters=[FILTER])

    def compress(self, data):
        head, self._head = self._head, b""
        return head + self._stream.compress(data)

    def flush(self):
        return self._head + self._stream.flush()


zipfile.LZMACompressor = QuickLzma  # zipfile has no option for the preset


def add(archive, path, name):
    entry = zipfile.ZipInfo.from_file(path, name)
    entry.date_time = (1980, 1, 1, 0, 0, 0)  # the same content gives the same archive
    entry.compress_type = zipfile.ZIP_LZMA
    with open(path, "rb") as source, archive.open(entry, "w") as target:
        shutil.copyfileobj(source, target, 1 << 20)


def strip(path):
    subprocess.run(["strip", "--strip-unneeded", path], check=True)


def pack_folder(folder, packed_before, out):
    """Packs all files of the folder; copies entries that were packed before."""
    shutil.copyfile(packed_before, out)
    with zipfile.ZipFile(out, "a") as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            name = str(path.relative_to(folder))
            if name not in archive.namelist():
                add(archive, path, name)


def main():
    out, *libraries = sys.argv[1:]
    with zipfile.ZipFile(out, "w") as archive, tempfile.TemporaryDirectory() as folder:
        for library in libraries:
            copy = pathlib.Path(folder) / pathlib.Path(library).name
            shutil.copyfile(library, copy)
            copy.chmod(0o755)
            strip(copy)
            add(archive, copy, f"lib/{copy.name}")


if __name__ == "__main__":
    main()
