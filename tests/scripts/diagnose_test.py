"""scripts/diagnose.sh gathers what explains a run, and no secret."""

import json
import os
import pathlib
import re
import stat
import subprocess
import sys
import tarfile
import tempfile
import unittest

SCRIPT = os.path.abspath(sys.argv.pop(1))

# Each in another place.
FILE_TOKEN, ENVIRONMENT_TOKEN, OTHER_TOKEN, API_KEY, PASSWORD = (
    "f11e" * 8,
    "e4v1" * 8,
    "07e4" * 8,
    "wandb-key-0123456789",
    "opensesame-42",
)
# In variables whose names promise nothing bad.
PLANTED_IN_DRAY, PLANTED_IN_RAY = "a note to myself", "redis-secret-1"
# Lines of logs, the secrets in them within ‹›.
LINES = """\
AWS_SECRET_ACCESS_KEY=‹wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY›
export AWS_SESSION_TOKEN=‹FwoGZXIvYXdzEBYaDHh›
{'aws_secret_access_key': '‹quoted secret of words›', 'region': 'eu-west-1'}
"client_secret": "‹json-secret›", "tokens": 12
DB_PASSWORD: ‹hunter2›
--password ‹swordfish› --epochs 12
connect --api-key=‹0xdeadbeef›;
cloning with ‹ghp_0123456789abcdefABCDEF0123456789abcd› and ‹github_pat_11ABCDEFG0123456789_abcdefghij›
access ‹AKIAIOSFODNN7EXAMPLE› slack ‹xoxb-123456789012-abcdefGHIJKL› model ‹hf_abcdefghijklmnopqrstuvwxyz› ‹sk-proj-abcdefghijklmnop0123›
Authorization: Basic ‹dXNlcjpwYXNzd29yZA==›
cookie ‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N›
{\\"api_key\\": \\"‹sekrit-within-json›\\"}
{'password': b'‹sekrit-bytes›'} PASSWORD=‹hunny-pot›,‹sekrit-after-a-comma›
[('AWS_SECRET_ACCESS_KEY', '‹sekrit-of-a-tuple›')]
os.environ["AWS_SECRET_ACCESS_KEY"] = "‹sekrit-of-python›"
setenv AWS_SECRET_ACCESS_KEY ‹sekrit-of-csh›
Authorization: token ‹0123456789abcdef0123456789abcdef01234567›
REDIS_PASS=‹sekrit-of-redis› or else MYSQL_PWD=‹sekrit-of-mysql›
Cookie: session=‹sekrit-of-a-cookie›
paid with ‹sk_live_0123456789abcdefABCDEF› from_‹ghp_9876543210abcdefABCDEF9876543210abcd›
remote https://‹gho-without-a-name›@github.com/x and https://bucket/?X-Amz-Signature=‹fe5f80f77d5fa3beca038a248ff027›&part=2
-----BEGIN OPENSSH PRIVATE KEY-----‹b3BlbnNzaC1rZXktdjEAAAAA›-----END OPENSSH PRIVATE KEY-----
RAY_AUTH_MODE=disabled; monkeys: 3; the authentication was refused; key: 7
"""
PLANTED = re.findall("‹(.*?)›", LINES)


class DiagnoseTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        (cls.folder / ".ray").mkdir()
        (cls.folder / ".ray/auth_token").write_text(FILE_TOKEN + "\n")
        cls.run_dir = cls.folder / "runs/first"
        (cls.run_dir / "checkpoints").mkdir(parents=True)
        (cls.run_dir / "config.yaml").write_text("env: {name: cartpole}\n")
        (cls.run_dir / "checkpoints/epoch_00000001.ckpt").write_bytes(b"DRAYCKP2" + b"weights" * 100)
        lines = [json.dumps({"epoch": epoch, "batches/lost": 0}) for epoch in range(20000)]
        (cls.run_dir / "metrics.jsonl").write_text("\n".join(lines) + "\n")
        (cls.run_dir / "heartbeats.txt").write_text("shard-03 stepping environments\n")
        (cls.run_dir / "wandb.log").write_text(
            f"key {API_KEY}\nwith {FILE_TOKEN} and {ENVIRONMENT_TOKEN}\nauth_token='{OTHER_TOKEN}'\n"
            f"Authorization: Bearer {OTHER_TOKEN}\nGET https://someone:{PASSWORD}@host/simple\nshard-03 was lost\n"
        )
        (cls.run_dir / "train.log").write_text(LINES.replace("‹", "").replace("›", ""))
        logs = cls.folder / "t/ray/session_latest/logs"
        logs.mkdir(parents=True)
        (logs / "raylet.out").write_text(f"raylet began with {ENVIRONMENT_TOKEN}\n")
        of_a_run = cls.folder / "t/dray-abc/ray/session_latest/logs"
        of_a_run.mkdir(parents=True)
        (of_a_run / "raylet.out").write_text("another raylet\n")
        cls.before = set(os.listdir(cls.folder))
        cls.result = cls.diagnose(cls.run_dir, "--out", "d.tar.gz")

    @classmethod
    def diagnose(cls, *arguments):
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(cls.folder),
            "RAY_TMPDIR": str(cls.folder / "t"),
            "DRAY_PYTHON": sys.executable,
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": ENVIRONMENT_TOKEN,
            "WANDB_API_KEY": API_KEY,
            "PIP_INDEX_URL": f"https://a:{PASSWORD}@host",
            "OMP_NUM_THREADS": "2",
            "RAY_ADDRESS": "127.0.0.1:1",
            "DRAY_NOTE": PLANTED_IN_DRAY,
            "RAY_REDIS_PASS": PLANTED_IN_RAY,
        }
        return subprocess.run(
            [SCRIPT, *map(str, arguments)],
            cwd=cls.folder,
            env=environment,
            text=True,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )

    def gathered(self):
        """{name within the archive: bytes}"""
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        with tarfile.open(self.folder / "d.tar.gz") as archive:
            members = [member for member in archive.getmembers() if member.isfile()]
            return {member.name.split("/", 1)[1]: archive.extractfile(member).read() for member in members}

    def test_what_explains_a_run_is_there(self):
        files = self.gathered()
        for name in (
            "run/config.yaml",
            "run/heartbeats.txt",
            "run/metrics_end.jsonl",
            "run/files.txt",
            "versions.txt",
            "machine.txt",
            "processes.txt",
            "environment.txt",
            "ray/status.txt",
            "ray/logs/ray/raylet.out",
            "ray/logs/dray-abc_ray/raylet.out",
        ):
            self.assertIn(name, files)
        self.assertIn(b'"epoch": 19999', files["run/metrics_end.jsonl"])
        self.assertIn(b"shard-03 was lost", files["run/wandb.log"])
        self.assertIn(b"epoch_00000001.ckpt", files["run/files.txt"])
        self.assertIn(b"OMP_NUM_THREADS=2", files["environment.txt"])
        self.assertIn(b"RAY_AUTH_MODE=token", files["environment.txt"])
        self.assertLess(len(files["run/metrics_end.jsonl"]), 300_000)

    def test_no_secret_is_there(self):
        files = self.gathered()
        everything = b"\n".join(name.encode() + b"\n" + data for name, data in files.items())
        for secret in (
            FILE_TOKEN,
            ENVIRONMENT_TOKEN,
            OTHER_TOKEN,
            API_KEY,
            PASSWORD,
            PLANTED_IN_DRAY,
            PLANTED_IN_RAY,
            *PLANTED,
        ):
            self.assertNotIn(secret.encode(), everything)
        self.assertNotIn(b"weightsweights", everything)
        self.assertNotIn(b"PIP_INDEX_URL", everything)
        self.assertIn(b"raylet began with (removed)", files["ray/logs/ray/raylet.out"])

    def test_what_is_no_secret_stays(self):
        log = self.gathered()["run/train.log"].decode()
        for text in (
            "AWS_SECRET_ACCESS_KEY=(removed)",
            "cloning with (removed) and (removed)",
            "paid with (removed) from_(removed)",
            "RAY_AUTH_MODE=disabled; monkeys: 3; the authentication was refused; key: 7",
        ):
            self.assertIn(text, log)

    def test_the_archive_is_for_oneself_and_nothing_else_is_left(self):
        self.gathered()
        self.assertEqual(stat.S_IMODE((self.folder / "d.tar.gz").stat().st_mode), 0o600)
        self.assertEqual(set(os.listdir(self.folder)) - self.before, {"d.tar.gz"})

    def test_what_is_no_run_is_one_line(self):
        for arguments, says in (
            ((), "give the folder of a run"),
            ((self.folder / "nowhere",), "no such folder"),
            ((self.folder,), "has no config.yaml"),
            (("--what",), "unknown option --what"),
        ):
            result = self.diagnose(*arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(says, result.stderr)
            self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_help(self):
        result = self.diagnose("--help")
        self.assertEqual(result.returncode, 0)
        self.assertIn("Usage: scripts/diagnose.sh RUN_DIR", result.stdout)


if __name__ == "__main__":
    unittest.main()
