"""Ray's folders and the token's are closed to others, and what a killed run left goes at the next start."""

import os
import pathlib
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path("src/python").resolve()))

from dray import auth, temp_folders
from dray.error import Error

NOBODY = 65534


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


class FolderTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        environment = mock.patch.dict(os.environ, RAY_TMPDIR=str(self.root), HOME=str(self.root))
        environment.start()
        self.addCleanup(environment.stop)


class LeftoverTest(FolderTest):
    def start_owner(self):
        """A process that has made a folder of its own, and the folder."""
        program = (
            "from dray import temp_folders; folder, owner = temp_folders.make_own(); print(folder, flush=True); input()"
        )
        process = subprocess.Popen(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONPATH": sys.path[0]},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process, pathlib.Path(process.stdout.readline().strip())

    def test_a_folder_stays_while_its_owner_lives_and_goes_when_it_was_killed(self):
        process, folder = self.start_owner()
        (folder / "ray").mkdir()
        self.assertEqual(mode(folder), 0o700)
        temp_folders.remove_leftovers()
        self.assertTrue(folder.exists())
        process.send_signal(signal.SIGKILL)
        process.wait()
        temp_folders.remove_leftovers()
        self.assertFalse(folder.exists())

    def test_logs_of_a_killed_run_stay_for_a_day(self):
        process, folder = self.start_owner()
        session = folder / temp_folders.RAY / "session_1"
        for path in (session / "logs" / "raylet.out", session / "sockets" / "raylet", folder / "pymp-1" / "listener"):
            path.parent.mkdir(parents=True)
            path.touch()
        (folder / temp_folders.RAY / "session_latest").symlink_to(session)
        process.kill()
        process.wait()
        temp_folders.remove_leftovers()
        self.assertEqual(list(folder.rglob("*.out")), [session / "logs" / "raylet.out"])
        self.assertEqual([path.name for path in session.iterdir()], ["logs"])
        self.assertEqual({path.name for path in folder.iterdir()}, {temp_folders.OWNER, temp_folders.RAY})
        self.assertTrue((folder / temp_folders.RAY / "session_latest" / "logs").is_dir())
        yesterday = time.time() - temp_folders.LOGS_KEPT_S - 1
        for path in folder.rglob("*"):
            os.utime(path, (yesterday, yesterday), follow_symlinks=False)
        temp_folders.remove_leftovers()
        self.assertFalse(folder.exists())

    def test_a_folder_of_an_earlier_version_goes_with_the_process_that_its_log_names(self):
        ended = subprocess.Popen([sys.executable, "-c", ""])
        ended.wait()
        for name, pid in (("dray-dead", ended.pid), ("dray-alive", os.getpid())):
            (self.root / name).mkdir()
            (self.root / name / f"ray_start_{pid}.log").touch()
        temp_folders.remove_leftovers()
        self.assertEqual([path.name for path in self.root.iterdir()], ["dray-alive"])

    def test_nothing_else_is_touched(self):
        (self.root / "dray-wheel-1").mkdir()
        (self.root / "other").mkdir()
        (self.root / "other" / temp_folders.OWNER).touch()
        (self.root / "dray-file").touch()
        (self.root / "dray-link").symlink_to("other")
        temp_folders.remove_leftovers()
        self.assertEqual(len(list(self.root.iterdir())), 4)
        self.assertTrue((self.root / "other" / temp_folders.OWNER).exists())


class PrivateFolderTest(FolderTest):
    def test_it_is_closed_to_others_even_if_it_was_open(self):
        folder = temp_folders.of_user(self.root / "new")
        self.assertEqual(mode(temp_folders.make_private(folder)), 0o700)
        folder.chmod(0o777)
        self.assertEqual(mode(temp_folders.make_private(folder)), 0o700)

    def test_a_link_is_not_followed(self):
        (self.root / "other").mkdir()
        temp_folders.of_user(self.root).symlink_to("other")
        with self.assertRaisesRegex(Error, "belongs to someone else"):
            temp_folders.make_private(temp_folders.of_user(self.root))

    @unittest.skipUnless(os.getuid() == 0, "only root can give a folder away")
    def test_that_of_another_user_is_refused(self):
        folder = temp_folders.of_user(self.root)
        folder.mkdir()
        os.chown(folder, NOBODY, NOBODY)
        with self.assertRaisesRegex(Error, "belongs to someone else"):
            temp_folders.make_private(folder)


class TokenTest(FolderTest):
    def test_a_new_token_is_for_this_user_alone(self):
        file = auth.make_token()
        self.assertEqual((mode(file), mode(os.path.dirname(file))), (0o600, 0o700))

    def test_so_is_one_in_an_empty_file_that_was_there(self):
        file = auth.token_file()
        file.parent.mkdir(mode=0o755)
        file.touch(mode=0o644)
        self.assertEqual(auth.token_source(), "")
        auth.make_token()
        self.assertEqual((mode(file), mode(file.parent)), (0o600, 0o700))
        self.assertEqual(len(file.read_text()), 64)

    def test_of_many_starts_at_once_one_makes_the_token(self):
        program = "from dray import auth; input(); auth.make_token(); print(auth.token_file().read_text())"
        starts = [
            subprocess.Popen(
                [sys.executable, "-c", program],
                env={**os.environ, "PYTHONPATH": sys.path[0]},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(8)
        ]
        for start in starts:
            start.stdin.write("\n")
            start.stdin.flush()
        tokens = {start.communicate()[0] for start in starts}
        self.assertEqual(len(tokens), 1, tokens)
        self.assertEqual([path.name for path in auth.token_file().parent.iterdir()], ["auth_token"])

    def test_one_that_others_could_read_is_closed_to_them(self):
        file = auth.token_file()
        file.parent.mkdir(mode=0o755)
        file.write_text("a token")
        file.chmod(0o644)
        auth.close_to_others()
        self.assertEqual((mode(file), mode(file.parent)), (0o600, 0o700))


if __name__ == "__main__":
    unittest.main()
