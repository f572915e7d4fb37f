"""What a user or a machine gets wrong ends in one line that says what, where and what to do, and in an exit code."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
import unittest

import commands

SEARCH = os.path.abspath(sys.argv.pop(1))
USAGE, FAILURE = 2, 1


class BadInputTest(commands.CommandTest):
    def fails(self, code, *command, says=()):
        """The command ends with this code and one line on stderr that says all of this."""
        result = self.run_command(*command)
        lines = result.stderr.splitlines()
        self.assertEqual((result.returncode, len(lines)), (code, 1), result.stderr + result.stdout[-2000:])
        self.assertTrue(lines[0].startswith("dray: "), lines[0])
        for words in says:
            self.assertIn(words, lines[0])
        for words in ("terminate called", "what():", "Exception", "c10::", "src/"):
            self.assertNotIn(words, lines[0])
        return result

    def train_fails(self, code, *flags, says=()):
        self.fails(code, commands.TRAIN, *flags, says=says)
        runs = self.folder / "runs"
        self.assertFalse(runs.exists() and os.listdir(runs), "a run folder was made")


class BadNumbersTest(BadInputTest):
    def test_a_reward_beyond_all_bounds_is_named_with_its_environment_and_step(self):
        self.fails(
            FAILURE, commands.TRAIN, "--config", commands.CONFIGS / "cage2_workflow.yaml", "--runner", "local", "--run-dir", "run",
            "--set", "env.cage2.workflow.alignment=1e300", "--set", "train.total_steps=20000",
            says=("environment ", " of cage2, step ", "reward is ", "env.cage2"),
        )  # fmt: skip


class SettingsTest(BadInputTest):
    def set_fails(self, setting, *says):
        self.train_fails(
            USAGE,
            "--config",
            "cartpole.yaml",
            "--set",
            setting,
            says=(f"--set {setting}: ", setting.split("=")[0], *says),
        )

    def file_fails(self, text, *says):
        self.write("bad.yaml", text)
        self.train_fails(USAGE, "--config", "bad.yaml", says=says)

    def test_an_unknown_key(self):
        self.file_fails(
            "ppo:\n  learnin_rate: 1\n", "bad.yaml:2: ppo.learnin_rate: unknown key; did you mean learning_rate?"
        )
        self.file_fails("nothing: 1\n", "bad.yaml:1: nothing: unknown key")
        self.set_fails("ppo.gama=0.9", "did you mean gamma?")
        self.set_fails("env.cartpole.maxsteps=1", "did you mean max_steps?")

    def test_a_wrong_type(self):
        self.file_fails("ppo: {gamma: high}\n", "bad.yaml:1: ppo.gamma: ", 'expected a number, found "high"')
        self.file_fails("ppo: 3\n", "bad.yaml:1: ppo: ")
        self.set_fails("train.seed=1.5")
        self.set_fails("network.hidden=[a]")
        self.set_fails("normalize.observations=maybe")

    def test_a_network_that_memory_does_not_hold(self):
        hidden = "network.hidden=[65536,65536,65536]"  # 17 billion parameters
        self.train_fails(
            USAGE,
            "--config",
            "cartpole.yaml",
            "--set",
            hidden,
            says=(f"--set {hidden}: networks of 17,180,983,299 parameters take 412 GB", "of memory are free"),
        )

    def test_a_value_out_of_range(self):
        self.file_fails("ppo: {gamma: 1.5}\n", "bad.yaml:1: ppo.gamma: 1.5 is out of range; it must be from 0 to 1")
        self.set_fails("scale.num_envs=0", "out of range")
        self.set_fails("train.epochs=-1", "out of range")
        self.set_fails("ppo.learning_rate=.nan")
        self.train_fails(USAGE, "--config", "cartpole.yaml", "--num-envs", "0", says=("--num-envs 0: ", "out of range"))

    def test_a_network_of_too_many_layers(self):
        hidden = f"network.hidden=[{','.join(['8'] * 20_000)}]"
        self.train_fails(
            USAGE,
            "--config",
            "cartpole.yaml",
            "--set",
            hidden,
            says=("network.hidden: has 20000 layers; at most 64 are allowed",),
        )

    def test_settings_that_contradict_each_other(self):
        self.set_fails_together("scale.num_envs_per_worker=4", says=("scale.num_workers",))
        self.set_fails_together("ppo.max_policy_lag=1", "ppo.update_interval=2", says=("ppo.update_interval",))
        self.set_fails_together("train.epochs=0", "train.episodes=0", says=("nothing stops the run",))

    def set_fails_together(self, *settings, says):
        flags = [part for setting in settings for part in ("--set", setting)]
        self.train_fails(USAGE, "--config", "cartpole.yaml", *flags, says=says)

    def test_a_file_that_is_not_yaml(self):
        self.file_fails("ppo: [\n", "bad.yaml:")
        self.file_fails("\x00\x01\x02", "bad.yaml")
        self.file_fails("just words\n", "bad.yaml")

    def test_a_missing_file(self):
        self.train_fails(USAGE, "--config", "nowhere.yaml", says=("--config nowhere.yaml: no such file",))
        shutil.copytree(commands.CONFIGS, self.folder / "configs")
        self.train_fails(
            USAGE,
            "--config",
            "configs/cartpol.yaml",
            says=("configs/cartpol.yaml: no such file", "did you mean cartpole?"),
        )
        self.file_fails("include: gone.yaml\n", "gone.yaml", "bad.yaml")

    def test_an_include_cycle(self):
        self.write("a.yaml", "include: b.yaml\n")
        self.write("b.yaml", "include: a.yaml\n")
        self.train_fails(USAGE, "--config", "a.yaml", says=("a.yaml", "b.yaml"))

    def test_an_unknown_environment(self):
        self.file_fails("env: {name: cartpol}\n", 'bad.yaml: env.name: unknown environment "cartpol"', '"cartpole"')
        self.set_fails("env.name=pendulun", 'did you mean "pendulum"?')

    def test_an_unknown_or_absent_device(self):
        self.train_fails(
            USAGE, "--config", "cartpole.yaml", "--device", "tpu", says=("--device tpu: run.device: expected",)
        )
        self.file_fails("run: {device: gpu}\n", "bad.yaml:1: run.device: expected auto, cpu, cuda or mps")
        self.train_fails(USAGE, "--config", "cartpole.yaml", "--device", "mps", says=("device mps", "--device cpu"))

    @unittest.skipIf(os.path.exists("/dev/nvidia0"), "this machine has a GPU")
    def test_cuda_without_a_gpu(self):
        self.train_fails(
            USAGE, "--config", "cartpole.yaml", "--device", "cuda", says=("device cuda", "--device cpu or auto")
        )

    def test_an_unknown_flag(self):
        self.train_fails(USAGE, "--sead", "3", says=("--sead: unknown flag; did you mean --seed?",))
        self.train_fails(USAGE, "--frobnicate", says=("--frobnicate: unknown flag", "--help"))
        self.train_fails(USAGE, "cartpole", says=("cartpole: unexpected argument", "--help"))
        self.train_fails(USAGE, "--seed", says=("--seed: needs a value",))
        self.train_fails(USAGE, "--duration", "soon", says=("--duration soon: ", "30s, 5m or 2h"))
        self.fails(USAGE, commands.EVALUATE, "--epochs", "3", says=("--epochs: unknown flag",))


class Cage2Test(BadInputTest):
    def set_fails(self, setting, *says, where=None):
        config = commands.CONFIGS / "cage2_workflow.yaml"
        where = f"--set {setting}: " if where is None else where
        self.train_fails(
            USAGE, "--config", config, "--runner", "local", "--set", setting, says=(f"dray: {where}", *says)
        )

    def play_fails(self, code, *flags, says):
        self.fails(code, commands.EVALUATE, "--env", "cage2", *flags, says=says)

    def test_an_order_that_is_none(self):
        key = "env.cage2.workflow.order"
        self.set_fails(
            f"{key}=[user, user, op_host, op_server, defender]", f"{key}: [user, user, ", "names enterprise not at all"
        )
        self.set_fails(f"{key}=[defender]", "names enterprise not at all", "each of defender, enterprise")
        self.set_fails(
            f"{key}=[defender, enterprise, op_server, op_host, user, user]", "names user 2 times; an order has each"
        )
        self.set_fails(f"{key}=[user, printer, op_host, op_server, defender]", f"{key}[1]: ", 'an element "printer"')

    def test_a_red_agent_that_is_none(self):
        self.set_fails(
            "env.cage2.red=blime", "env.cage2.red: 'blime' is not a red agent; expected bline, meander or sleep"
        )
        self.set_fails("env.cage2.red=0.5 bline, 0.5 blime", "env.cage2.red: 'blime' is not a red agent")
        self.set_fails("env.cage2.red=0.5 bline, 0.4 meander", "env.cage2.red: the shares of ", "sum to 0.9, not to 1")
        self.set_fails("env.cage2.red=half bline, half meander", "env.cage2.red: ", "half bline")
        self.set_fails(
            "env.cage2.red=1.5 bline, -0.5 meander", "env.cage2.red: the share 1.5 of bline is not between 0 and 1"
        )
        self.set_fails("env.cage2.red=''", "env.cage2.red: ")

    def test_rules_that_are_none(self):
        self.set_fails(
            "env.cage2.wrapper=carddiff", "env.cage2.wrapper: expected stock or cardiff", "did you mean cardiff?"
        )
        self.set_fails("env.cage2.release=tail", "env.cage2.release: expected head or leaderboard")
        self.set_fails("env.cage2.max_steps=0", "env.cage2.max_steps: 0 is out of range; it must be from 1 to")

    def test_a_workflow_that_the_interface_cannot_follow(self):
        self.set_fails(
            "env.cage2.interface=reduced", "env.cage2.interface: reduced has no way to fix op_host", "use raw"
        )

    def test_a_goal_that_the_task_does_not_have(self):
        says = 'train.early_stop.stat: cage2 has no episode statistic "complaince"; it has env_return, '
        self.set_fails("train.early_stop.stat=complaince", says)
        flags = ("--set", "train.early_stop.stat=sold")
        says = ('train.early_stop.stat: cartpole has no episode statistic "sold"; it has none',)
        self.train_fails(USAGE, "--config", "cartpole.yaml", *flags, says=says)

    def test_a_mistake_in_a_file_names_the_file(self):
        self.write("bad.yaml", "env: {name: cage2, cage2: {red: blime}}\n")
        self.train_fails(
            USAGE, "--config", "bad.yaml", says=("dray: bad.yaml: env.cage2.red: 'blime' is not a red agent",)
        )

    def test_a_policy_that_is_none(self):
        says = ("--policy sleepy: ", "expected sleep, random, react_restore, react_remove_restore or actions:FILE")
        self.play_fails(USAGE, "--policy", "sleepy", says=says)
        self.fails(
            USAGE, commands.EVALUATE, "--env", "cartpole", "--policy", "sleep", says=("scripted policies play cage2",)
        )

    def test_an_action_file_that_is_none(self):
        self.play_fails(USAGE, "--policy", "actions:gone.txt", says=("cannot read gone.txt: No such file",))
        self.play_fails(FAILURE, "--policy", "actions:.", says=("cannot read .",))
        self.play_fails(USAGE, "--policy", "actions:", says=("actions: names no file; expected actions:FILE",))
        for text, says in (
            ("1 2\n3 x\n", "bad.txt:2: 'x' is not an action; expected a number from 0 to 144"),
            ("145", "bad.txt:1: '145' is not an action"),
            ("1\n-1", "bad.txt:2: '-1' is not an action"),
            ("", "bad.txt: contains no actions"),
            ("\x00\x1b[2J\x07", "bad.txt:1: something unprintable is not an action"),
        ):
            self.write("bad.txt", text)
            self.play_fails(USAGE, "--policy", "actions:bad.txt", says=(says,))

    def test_rules_of_an_evaluation_that_are_none(self):
        sleeps = ("--policy", "sleep")
        self.play_fails(USAGE, *sleeps, "--red", "blime", says=("env.cage2.red: 'blime' is not a red agent",))
        self.play_fails(USAGE, *sleeps, "--wrapper", "x", says=("--wrapper x: ", "expected stock or cardiff"))
        self.play_fails(USAGE, *sleeps, "--release", "x", says=("--release x: ", "expected head or leaderboard"))
        self.play_fails(USAGE, *sleeps, "--green", "maybe", says=("--green maybe: ", "expected off or on"))
        self.play_fails(USAGE, *sleeps, "--episodes", "0", says=("--episodes 0: ", "out of range"))
        self.fails(
            USAGE,
            *(commands.EVALUATE, "--env", "cartpole", *sleeps, "--red", "bline"),
            says=("--red bline: ", "has no red"),
        )

    def test_a_search_where_there_are_no_workflows(self):
        def search_fails(config, *flags, says):
            self.fails(USAGE, SEARCH, "--runner", "local", "--run-dir", "search", "--config", config, *flags, says=says)
            self.assertFalse((self.folder / "search").exists(), "a folder was made")

        search_fails("cartpole.yaml", says=("cartpole: this task has no workflows to search over", "cage2"))
        search_fails(
            commands.CONFIGS / "cage2_bline.yaml",
            says=("env.cage2.workflow.enabled: is false", "--config cage2_workflow"),
        )
        workflow = commands.CONFIGS / "cage2_workflow.yaml"
        for setting, says in (
            ("env.cage2.red=blime", "env.cage2.red: 'blime' is not a red agent"),
            ("env.cage2.interface=reduced", "env.cage2.interface: reduced has no way to fix op_host"),
            ("train.early_stop.stat=sold", "train.early_stop.stat: cage2 has no episode statistic"),
        ):
            search_fails(workflow, "--set", setting, says=(says,))


class RunFolderTest(BadInputTest):
    def new_run_fails(self, code, run, says):
        self.fails(code, commands.TRAIN, "--config", "cartpole.yaml", "--run-dir", run, says=says)

    def test_a_folder_that_cannot_be_made(self):
        self.write("file", "")
        self.new_run_fails(FAILURE, "file/run", ("cannot write ", "file/run", "--run-dir"))
        self.new_run_fails(FAILURE, "file", ("cannot write ", "file", "--run-dir"))
        self.new_run_fails(FAILURE, "/proc/run", ("cannot write /proc/run", "--run-dir"))

    def test_a_read_only_file_system(self):
        with self.tmpfs("size=1m") as folder:
            if subprocess.run(["mount", "-o", "remount,ro", folder], capture_output=True).returncode != 0:
                self.skipTest("a file system cannot be made read-only here")
            self.new_run_fails(FAILURE, f"{folder}/run", ("cannot write ", "Read-only file system", "--run-dir"))

    def test_a_full_disk_at_the_start(self):
        with self.tmpfs("size=4k") as folder:
            self.new_run_fails(
                FAILURE, f"{folder}/run", ("cannot write ", "No space left on device", "free some space")
            )

    def test_a_full_disk_on_the_way(self):
        with self.tmpfs("size=200k") as folder:
            flags = ("--epochs", "500", "--set", "network.hidden=[64, 64]")
            self.fails(
                FAILURE,
                *(commands.TRAIN, "--config", "cartpole.yaml", "--run-dir", f"{folder}/run", *flags),
                says=(f"cannot write {folder}/run/", "No space left on device", "free some space"),
            )

    @contextlib.contextmanager
    def tmpfs(self, options):
        folder = self.folder / "small"
        folder.mkdir()
        if (
            subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder], capture_output=True).returncode
            != 0
        ):
            self.skipTest("a small file system cannot be mounted here: that takes root")
        try:
            yield folder
        finally:
            subprocess.run(["umount", folder], check=True)

    def test_a_folder_that_is_none_for_a_run(self):
        remedy = "choose a folder for this run alone, such as --run-dir runs/first"
        self.new_run_fails(USAGE, "/", ("/: the root folder cannot be the folder of a run", remedy))
        self.new_run_fails(USAGE, os.environ.get("HOME") or "/", ("folder cannot be the folder of a run", remedy))
        before = sorted(self.folder.iterdir())
        self.new_run_fails(USAGE, ".", (".: is not empty (", ") and holds no run", remedy))
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_a_name_that_is_no_text(self):
        for name in (os.fsdecode(b"r\xff"), "two\nlines"):
            self.new_run_fails(USAGE, name, ("the name of a run folder must be one line of UTF-8 text",))
        self.assertEqual([path for path in self.folder.iterdir() if path.is_dir()], [])

    def test_a_pipe_in_the_place_of_a_file(self):
        self.train("run", "--epochs", "2", "--save-interval", "1")
        for name, mention in (
            ("config.yaml", "config.yaml: it is a pipe"),
            ("metrics.jsonl", "metrics.jsonl: it is a pipe"),
            (".lock", ".lock: it is a pipe"),
            ("config.yaml.tmp", ""),
            ("checkpoints/.writable", ".writable: it is a pipe"),
        ):
            with self.subTest(name):
                shutil.copytree(self.folder / "run", self.folder / name.replace("/", "-"))
                path = self.folder / name.replace("/", "-") / name
                path.unlink(missing_ok=True)
                os.mkfifo(path)
                command = (commands.TRAIN, "--resume", name.replace("/", "-"), "--epochs", "3")
                if mention:
                    result = self.run_command(*command)
                    self.assertIn(result.returncode, (USAGE, FAILURE))
                    self.assertEqual(len(result.stderr.splitlines()), 1)
                    self.assertIn(mention, result.stderr)
                else:
                    self.succeeds(*command)

    def test_a_folder_that_holds_a_run(self):
        self.train("run", "--epochs", "1")
        before = (self.folder / "run/metrics.jsonl").read_bytes()
        self.new_run_fails(USAGE, "run", ("run already holds a run", "--resume", "--run-dir"))
        self.assertEqual((self.folder / "run/metrics.jsonl").read_bytes(), before)

    def test_two_processes_in_one_folder(self):
        process = self.start("run", "--epochs", "1000000")
        self.wait_for_epoch("run", 1, process)
        self.fails(FAILURE, commands.TRAIN, "--resume", "run", says=("another process is training in run", "--run-dir"))
        self.assertIsNone(process.poll())

    def test_nothing_to_resume(self):
        self.fails(USAGE, commands.TRAIN, "--resume", "nowhere", says=("nowhere", "config.yaml"))
        self.fails(
            USAGE,
            commands.TRAIN,
            "--config",
            "cartpole.yaml",
            "--resume",
            "nowhere",
            says=("nothing to resume in nowhere",),
        )
        self.fails(USAGE, commands.TRAIN, "--resume", says=("--resume: give the run's folder", "--resume runs/NAME"))
        self.assertFalse((self.folder / "nowhere").exists())

    def test_nothing_to_evaluate(self):
        self.fails(USAGE, commands.EVALUATE, says=("no policy given", "--run-dir runs/NAME", "--checkpoint FILE"))
        self.fails(
            USAGE,
            commands.EVALUATE,
            "--run-dir",
            "nowhere",
            says=("nowhere: no such folder or file", "name the folder of a run, or one of its checkpoints"),
        )
        self.fails(USAGE, commands.EVALUATE, "--pretrained", "nobody", says=("--pretrained nobody: no such file",))
        self.fails(USAGE, commands.EVALUATE, "--checkpoint", "gone.ckpt", says=("cannot read gone.ckpt",))


class CheckpointTest(BadInputTest):
    """A run with checkpoints of epochs 8, 10 and 12, and ways to damage them."""

    def setUp(self):
        super().setUp()
        self.train("run", "--save-interval", "2")
        self.assertEqual(
            self.checkpoints("run"), ["best.ckpt"] + [f"epoch_000000{epoch:02}.ckpt" for epoch in (8, 10, 12)]
        )

    def path(self, epoch):
        return self.folder / f"run/checkpoints/epoch_{epoch:08}.ckpt"

    def truncate(self, epoch, size):
        os.truncate(self.path(epoch), size)

    def flip_bit(self, epoch, place):
        damaged = bytearray(self.path(epoch).read_bytes())
        damaged[place] ^= 1
        self.path(epoch).write_bytes(damaged)

    def replace(self, epoch):
        self.path(epoch).write_bytes(b"PK\x03\x04 something else altogether")

    def damages(self):
        """Each with what is said of it."""
        size = self.path(12).stat().st_size
        return [
            (lambda: self.truncate(12, size // 2), "is truncated"),
            (lambda: self.truncate(12, size - 1), "is truncated"),
            (lambda: self.truncate(12, 10), "epoch_00000012.ckpt"),
            (lambda: self.truncate(12, 0), "is not a Dray checkpoint"),
            (lambda: self.flip_bit(12, size // 2), "is damaged: its checksum does not match"),
            (lambda: self.flip_bit(12, size - 1), "is damaged: its checksum does not match"),
            (lambda: self.flip_bit(12, 16), "is damaged: its checksum does not match"),
            (lambda: self.replace(12), "is not a Dray checkpoint"),
        ]

    def test_a_damaged_file_cannot_be_evaluated(self):
        good = self.path(12).read_bytes()
        for damage, words in self.damages():
            with self.subTest(words):
                damage()
                path = "run/checkpoints/epoch_00000012.ckpt"
                self.fails(FAILURE, commands.EVALUATE, "--checkpoint", path, says=(path, words))
                self.path(12).write_bytes(good)

    def test_a_foreign_file_cannot_be_evaluated(self):
        for path in ("run/weights.pt", "run/config.yaml", "run", "/dev/null"):
            with self.subTest(path):
                self.fails(FAILURE, commands.EVALUATE, "--checkpoint", path, says=(path,))

    def test_the_newest_good_checkpoint_is_used_and_said_so(self):
        whole = self.metrics("run")
        for damage, words in self.damages():
            with self.subTest(words):
                damage()
                printed = self.resume("run")
                self.assertRegex(
                    printed, r"epoch_00000012\.ckpt.*: going on from the newest good checkpoint, epoch 10\n"
                )
                self.assertIn(words, printed)
                self.assertEqual(self.metrics("run"), whole)

    def test_evaluating_a_run_uses_the_newest_good_checkpoint_and_says_so(self):
        self.truncate(12, 100)
        self.flip_bit(10, 200)
        result = self.run_command(commands.EVALUATE, "--run-dir", "run")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(
            result.stdout, r"^cartpole, epoch 8 of run/checkpoints/epoch_00000008\.ckpt, deterministic policy\n"
        )
        said = result.stderr.splitlines()
        self.assertEqual(len(said), 2)
        for line, words in zip(said, ("epoch_00000012.ckpt is truncated", "epoch_00000010.ckpt is damaged")):
            self.assertRegex(line, rf"^dray: .*{re.escape(words)}.*: using run/checkpoints/epoch_00000008\.ckpt$")

    def test_a_damaged_recovery_checkpoint_is_passed_over(self):
        (self.folder / "run/checkpoints/recovery.ckpt").write_bytes(self.path(12).read_bytes()[:-1])
        self.assertIn("recovery.ckpt is truncated", self.resume("run", "--epochs", "13"))
        self.assertEqual(self.metrics("run")[-1]["epoch"], 13)

    def test_no_good_checkpoint_at_all(self):
        for epoch in (8, 10, 12):
            self.truncate(epoch, 100)
        for command in ((commands.TRAIN, "--resume", "run"), (commands.EVALUATE, "--run-dir", "run")):
            self.fails(FAILURE, *command, says=("no good checkpoint in run/checkpoints", "is truncated", "and 2 more"))

    def test_a_config_that_changed_since_the_checkpoint(self):
        config = (self.folder / "run/config.yaml").read_bytes()
        for setting, words in (
            ("ppo.gamma=0.9", "ppo.gamma changed since the checkpoint, from 0.99 to 0.9"),
            ("network.hidden=[32]", "network.hidden changed since the checkpoint, from [16, 16] to [32]"),
            ("scale.num_envs=4", "scale.num_envs changed since the checkpoint, from 8 to 4"),
            ("env.name=acrobot", "env.name changed since the checkpoint, from cartpole to acrobot"),
            ("train.seed=1", "train.seed changed since the checkpoint, from 42 to 1"),
        ):
            with self.subTest(setting):
                self.fails(
                    USAGE,
                    *(commands.TRAIN, "--resume", "run", "--set", setting),
                    says=(f"--set {setting}: ", words, "change it back", "--run-dir"),
                )
                self.assertEqual((self.folder / "run/config.yaml").read_bytes(), config)

    def test_a_config_file_edited_since_the_checkpoint(self):
        path = self.folder / "run/config.yaml"
        path.write_text(path.read_text().replace("clip: 0.2", "clip: 0.3"))
        self.fails(
            USAGE, commands.TRAIN, "--resume", "run", says=("run/config.yaml: ppo.clip changed", "change it back")
        )
        path.write_text("gibberish: 1\n")
        self.fails(USAGE, commands.TRAIN, "--resume", "run", says=("run/config.yaml:1: gibberish: unknown key",))

    def test_weights_of_another_network(self):
        for change in (("--set", "network.hidden=[32]"), ("--env", "acrobot")):
            self.fails(
                FAILURE,
                *(commands.EVALUATE, "--run-dir", "run", *change),
                says=("run/checkpoints/epoch_00000012.ckpt: these weights belong to another network",),
            )


class HelpTest(commands.CommandTest):
    def test_help_names_every_flag(self):
        flags = {
            commands.TRAIN: "config env set runner run-dir checkpoint-dir output-dir resume seed num-envs n-envs num-workers"
            " num-envs-per-worker episodes num-episodes epochs total-steps duration customers learning-rate device"
            " save-interval log-interval wandb dry-run verbose help",
            commands.EVALUATE: "run-dir checkpoint-dir output-dir checkpoint pretrained set env episodes num-episodes seed baselines"
            " config out render episode json policy red red-policy blue release wrapper green futures decision-ms help",
            SEARCH: "config set workflows parallel strategy runner run-dir output-dir resume seed episodes num-episodes"
            " epochs num-envs n-envs device dry-run help",
        }
        for command, names in flags.items():
            for asked in (["--help"], ["-h"], ["--run-dir", "x", "--help"]):
                text = self.succeeds(command, *asked)
                named = set(re.findall(r"--([a-z-]+)", text.split("examples:")[0])) - {"flag"}
                self.assertEqual(named, set(names.split()))
                self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_a_dry_run_prints_the_config_and_the_preflight_and_starts_nothing(self):
        before = sorted(self.folder.iterdir())
        for flags in ((), ("--run-dir", "run")):
            text = self.succeeds(commands.TRAIN, "--config", "cartpole.yaml", "--dry-run", *flags)
            config, preflight = text.split("\npreflight\n")
            self.assertIn("  rollout_steps: 32\n", config)
            for words in (
                "8 environments in 4 shards of 2",
                "32 steps x 8 environments = 256 samples",
                "4 minibatches of 64 samples",
                "12 epochs, 12 updates, 3,072 steps",
                "memory",
            ):
                self.assertIn(words, preflight)
            self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_a_dry_run_warns_of_too_few_epochs(self):
        text = self.succeeds(commands.TRAIN, "--config", "cartpole.yaml", "--dry-run", "--epochs", "3")
        self.assertIn("only 3 epochs: the policy learns once per epoch", text)

    def test_every_reference_config_passes_a_dry_run(self):
        for path in sorted(commands.CONFIGS.glob("*.yaml")):
            with self.subTest(path.name):
                self.assertIn("\npreflight\n", self.succeeds(commands.TRAIN, "--config", path, "--dry-run"))


if __name__ == "__main__":
    commands.main()
