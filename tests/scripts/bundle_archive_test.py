"""The archive of //:bundle is quick to make and can be read by anyone. Argument: scripts/bazel/bundle_archive.py."""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zipfile

SCRIPT = os.path.realpath(sys.argv.pop(1))
LIBRARY = os.path.realpath("/bin/true")
DICTIONARY = 1 << 20  # bytes, of LZMA's preset 1; zipfile itself takes preset 6


class BundleArchiveTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.libraries = self.folder / "libraries.zip"
        subprocess.run([sys.executable, SCRIPT, self.libraries, LIBRARY], check=True)

    def test_it_is_compressed_by_a_quick_preset(self):
        with zipfile.ZipFile(self.libraries) as archive:
            (entry,) = archive.infolist()
        self.assertEqual(entry.compress_type, zipfile.ZIP_LZMA)
        data = self.libraries.read_bytes()[entry.header_offset :]
        name_size, extra_size = struct.unpack_from("<HH", data, 26)
        dictionary = struct.unpack_from("<I", data, 30 + name_size + extra_size + 5)[0]
        self.assertEqual(dictionary, DICTIONARY)

    def test_other_programs_read_it(self):
        copy = self.folder / "true"
        copy.write_bytes(pathlib.Path(LIBRARY).read_bytes())
        subprocess.run(["strip", "--strip-unneeded", copy], check=True)
        # In a process of its own: one that has not loaded the packer.
        read = "import sys, zipfile; sys.stdout.buffer.write(zipfile.ZipFile(sys.argv[1]).read('lib/' + sys.argv[2]))"
        content = subprocess.run(
            [sys.executable, "-c", read, self.libraries, pathlib.Path(LIBRARY).name], check=True, capture_output=True
        ).stdout
        self.assertEqual(content, copy.read_bytes())

    def test_what_was_packed_before_is_taken_over(self):
        sys.path.insert(0, os.path.dirname(SCRIPT))
        import bundle_archive

        folder, out = self.folder / "bundle", self.folder / "bundle.zip"
        (folder / "lib").mkdir(parents=True)
        (folder / "lib" / pathlib.Path(LIBRARY).name).write_text("not packed again")
        (folder / "README.md").write_text("read me\n" * 1000)
        bundle_archive.pack_folder(folder, self.libraries, out)
        with zipfile.ZipFile(self.libraries) as before, zipfile.ZipFile(out) as archive:
            name = before.namelist()[0]
            self.assertEqual(sorted(archive.namelist()), ["README.md", name])
            self.assertEqual(archive.read(name), before.read(name))
            self.assertEqual(archive.read("README.md").decode(), "read me\n" * 1000)


if __name__ == "__main__":
    unittest.main()
