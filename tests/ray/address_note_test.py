"""The token goes to an address that the user named, or to a cluster of the user's own, and to no stranger."""

import concurrent.futures
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import grpc

PYTHON = pathlib.Path("src/python").resolve()
sys.path.insert(0, str(PYTHON))

from dray import address_note, cluster_check

TOKEN = "5ecre7" * 10
NOBODY = 65534
ELSEWHERE = "192.0.2.77:6379"  # an address that no machine has
AS_ROOT = unittest.skipUnless(os.geteuid() == 0, "only root can act as another user")
PATIENCE_S = 120


class FakeHead(grpc.GenericRpcHandler):
    """Answers every call as a head that wants a token, and keeps what it was sent."""

    def __init__(self, user=None):
        self.calls, self.sent = 0, []
        self._server = grpc.server(concurrent.futures.ThreadPoolExecutor(2), handlers=[self])
        with acting_as(user):
            self.address = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()

    def service(self, call):
        self.calls += 1
        self.sent += [str(value) for _, value in call.invocation_metadata]
        return grpc.unary_unary_rpc_method_handler(self.refuse)

    def refuse(self, _request, context):
        context.abort(
            grpc.StatusCode.UNAUTHENTICATED, "InvalidAuthToken: Authentication token is missing or incorrect."
        )

    def has_token(self):
        return any(TOKEN in value for value in self.sent)

    def stop(self):
        self._server.stop(None).wait()


@contextlib.contextmanager
def acting_as(user):
    """A socket belongs to the user who made it."""
    if user is not None:
        os.seteuid(user)
    try:
        yield
    finally:
        if user is not None:
            os.seteuid(0)


class NoteTest(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.root = pathlib.Path(temporary.name)
        self.ray = self.root / "ray"
        self.ray.mkdir()
        self.ray.chmod(0o777)  # as Ray makes it

    def head(self, user=None):
        head = FakeHead(user)
        self.addCleanup(head.stop)
        return head

    def leave_note(self, address):
        note = self.ray / address_note.NAME
        note.write_text(address)
        return note

    def check(self, **environment):
        """What a driver that looks for a cluster is told."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("RAY_")}
        kept.update(HOME=str(self.root), RAY_TMPDIR=str(self.root), RAY_AUTH_TOKEN=TOKEN, **environment)
        command = [sys.executable, cluster_check.__file__]
        done = subprocess.run(
            command, env=kept, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE_S
        )
        return json.loads(done.stdout)

    def assert_ignored(self, head, why):
        report = self.check()
        self.assertFalse(report["found"])
        self.assertIn(why, report["notes"][0])
        self.assertEqual((head.calls, head.sent), (0, []))


class TokenTest(NoteTest):
    def test_an_address_that_the_user_names_is_sent_the_token(self):
        head = self.head()
        self.assertIn("rejects the token of RAY_AUTH_TOKEN", self.check(RAY_ADDRESS=head.address)["error"])
        self.assertTrue(head.has_token())

    def test_a_cluster_of_this_user_is_sent_the_token(self):
        head = self.head()
        self.leave_note(head.address)
        self.assertIn("rejects the token of RAY_AUTH_TOKEN", self.check()["error"])
        self.assertTrue(head.has_token())

    @AS_ROOT
    def test_a_note_of_another_user_is_not_believed(self):
        head = self.head()
        os.chown(self.leave_note(head.address), NOBODY, NOBODY)
        self.assert_ignored(head, f"was written by another user ({NOBODY}): ignored")

    @AS_ROOT
    def test_who_has_taken_the_port_of_a_cluster_that_ended_is_not_believed(self):
        head = self.head(user=NOBODY)
        self.leave_note(head.address)
        self.assert_ignored(head, f"names {head.address}, where another user listens: ignored")

    @AS_ROOT
    def test_auto_says_why_not(self):
        head = self.head(user=NOBODY)
        self.leave_note(head.address)
        error = self.check(RAY_ADDRESS="auto")["error"]
        self.assertIn("RAY_ADDRESS=auto, but no Ray cluster runs", error)
        self.assertIn("where another user listens", error)
        self.assertEqual(head.calls, 0)

    def test_a_link_is_not_followed(self):
        head = self.head()
        (self.root / "elsewhere").write_text(head.address)
        (self.ray / address_note.NAME).symlink_to(self.root / "elsewhere")
        self.assert_ignored(head, "cannot be read")

    def test_a_pipe_holds_nobody_up(self):
        os.mkfifo(self.ray / address_note.NAME)
        self.assert_ignored(self.head(), "is not a file")


class TrustTest(NoteTest):
    def doubt(self, note):
        return address_note.why_not_to_trust(note, ELSEWHERE)

    def test_another_machine_is_believed_where_others_cannot_write(self):
        note = self.leave_note(ELSEWHERE)
        self.root.chmod(0o755)
        self.assertIn("others can write where it lies", self.doubt(note))
        self.ray.chmod(0o755)
        self.assertEqual(self.doubt(note), "")
        note.chmod(0o666)
        self.assertIn("others can write where it lies", self.doubt(note))

    def test_what_others_may_write_is_out_of_reach_below_a_closed_folder(self):
        note = self.leave_note(ELSEWHERE)
        self.root.chmod(0o700)
        self.assertEqual(self.doubt(note), "")

    @AS_ROOT
    def test_the_folder_of_another_user_is_not_believed(self):
        note = self.leave_note(ELSEWHERE)
        self.ray.chmod(0o755)
        self.root.chmod(0o755)
        os.chown(self.ray, NOBODY, NOBODY)
        self.assertIn("others can write where it lies", self.doubt(note))


class WithoutTokenTest(NoteTest):
    def test_who_asks_for_none_is_refused_unless_named(self):
        with self.assertRaisesRegex(cluster_check.Trouble, "requires no token and was not started by you"):
            cluster_check.take_without_token(ELSEWHERE, named=False, notes=[])
        notes = []
        cluster_check.take_without_token(ELSEWHERE, named=True, notes=notes)
        self.assertEqual(len(notes), 1)
        self.assertIn(
            f"the cluster at {ELSEWHERE} requires no token: anyone who reaches its port can run code here", notes[0]
        )

    def test_or_started_by_this_user(self):
        notes = []
        cluster_check.take_without_token(self.head().address, named=False, notes=notes)
        self.assertEqual(len(notes), 1)

    @AS_ROOT
    def test_and_not_by_another(self):
        with self.assertRaises(cluster_check.Trouble):
            cluster_check.take_without_token(self.head(user=NOBODY).address, named=False, notes=[])


if __name__ == "__main__":
    unittest.main()
