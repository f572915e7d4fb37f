"""The wheel alone, in a virtual environment and a folder that have nothing else of Dray: commands, environments, a run on Ray.

What the wheel depends on (torch, Ray, Gymnasium) is the project's virtual environment's, by links.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
import zipfile

import linked_venv
import zsh_tab

WHEEL, VERSION_FILE = (os.path.abspath(path) for path in sys.argv[1:3])
del sys.argv[1:3]
# What is typed, and what completes it in a folder that has the run runs/first.
COMPLETED = {
    "dray ev": {"evaluate"},
    "dray train --num-env": {"--num-envs", "--num-envs-per-worker"},
    "dray train --checkpoint-d": {"--checkpoint-dir"},
    "dray train --runner ": {"auto", "local", "ray"},
    "dray train --config cage2_m": {"cage2_meander", "cage2_mixture", "cage2_mixture_gpu"},
    "dray evaluate --red-": {"--red-policy"},
    "dray evaluate --run-dir runs/f": {"runs/first"},
    "dray train --resume runs/f": {"runs/first"},
    "dray sweep --see": {"--seeds"},
    "dray runs li": {"list"},
    "dray completion fi": {"fish"},
}


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-wheel-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.python = linked_venv.make(cls.folder / "venv")
        with zipfile.ZipFile(WHEEL) as wheel:
            metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith("/METADATA"))).decode()
            tag = re.search(
                r"^Tag: (.*)$", wheel.read(next(n for n in wheel.namelist() if n.endswith("/WHEEL"))).decode(), re.M
            )[1]
        cls.version = re.search(r"^Version: (.*)$", metadata, re.M)[1]
        named = cls.folder / f"dray-{cls.version}-{tag}.whl"
        shutil.copyfile(WHEEL, named)
        linked_venv.install(cls.python, "--no-deps", "--no-index", named)
        cls.metadata = metadata
        cls.work = cls.folder / "my work"  # a name with a space, as users have
        cls.work.mkdir()

    def run_dray(self, *words, code=0):
        kept = {name: os.environ[name] for name in ("HOME", "TMPDIR", "TEST_TMPDIR") if name in os.environ}
        environment = {**kept, "PATH": "/usr/bin:/bin", "HOME": str(self.work)}
        done = subprocess.run(
            [self.folder / "venv" / "bin" / "dray", *words],
            cwd=self.work,
            env=environment,
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, code, done.stdout[-2000:] + done.stderr[-2000:])
        return done.stdout + done.stderr

    def run_python(self, text):
        done = subprocess.run(
            [self.python, "-c", text], cwd=self.work, env={"PATH": "/usr/bin:/bin"}, capture_output=True, text=True
        )
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_it_tells_what_there_is(self):
        said = re.search(r'kVersion\[\] = "(.+)"', pathlib.Path(VERSION_FILE).read_text())[1]
        self.assertEqual(self.version, said)
        self.assertEqual(self.run_dray("--version"), f"dray {said}\n")
        self.assertEqual(self.run_dray("train", "--version"), f"dray {said}\n")
        listed = self.run_dray("--help")
        self.assertIn("dray COMMAND --help", listed)
        with zipfile.ZipFile(WHEEL) as wheel:
            programs = [name.removeprefix("dray/bin/") for name in wheel.namelist() if name.startswith("dray/bin/")]
        self.assertIn("train", programs)
        for name in programs:
            self.assertRegex(listed, rf"(?m)^  {name}  +\w")
        self.assertIn("--runner", self.run_dray("train", "--help"))
        self.assertRegex(self.run_dray("envs"), r"(?m)^cage2 +52 +145 choices +dray/Cage2-v0 ")
        self.assertRegex(
            self.run_dray("configs"), r"(?m)^cage2_bline +cage2 +25 +100,000 episodes +A defender against B_line"
        )
        self.assertIn("there is no command 'tarin'", self.run_dray("tarin", code=2))
        self.assertIn("Requires-Dist: torch==", self.metadata)
        self.assertIn("\nProvides-Extra: ray\nRequires-Dist: ray[default]==", self.metadata)
        self.assertRegex(
            self.run_dray("train", "--help"), r"(?s)^usage: dray train \[.*examples:\n  dray train --config "
        )

    def test_its_description_has_no_link_that_leads_nowhere(self):
        description = self.metadata.partition("\n\n")[2]
        self.assertIn("# Dray", description)
        self.assertEqual(re.findall(r"\]\((?!https?:)[^)]*\)", description), [])
        self.assertIn("installing (docs/installing.md)", description)

    def test_presets_are_found_from_any_folder(self):
        self.assertIn("\n  duration_s: 600\n", self.run_dray("train", "--runner", "local", "--dry-run"))
        self.assertIn("[default: 600 s]", self.run_dray("train", "--help"))
        (self.work / "mine.yaml").write_text("include: dvrptw_16\ntrain: {seed: 77}\n")
        printed = self.run_dray("train", "--config", "mine.yaml", "--runner", "local", "--dry-run")
        self.assertIn("\n  num_envs: 16\n", printed)
        self.assertIn("\n  seed: 77\n", printed)
        self.assertIn("[default: 77]", self.run_dray("train", "--config", "mine.yaml", "--help"))

    def test_without_ray_it_says_what_to_install(self):
        python = linked_venv.make(self.folder / "without_ray", leave_out=("ray",))
        named = next(self.folder.glob("dray-*.whl"))
        linked_venv.install(python, "--no-deps", "--no-index", named)
        done = subprocess.run(
            [self.folder / "without_ray/bin/dray", "train", "--config", "smoke", "--runner", "ray"],
            cwd=self.work,
            env={"PATH": "/usr/bin:/bin", "HOME": str(self.work)},
            capture_output=True,
            text=True,
        )
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stderr.splitlines()[-1], r"^dray: .* has no Ray .*: pip install 'dray\[ray\]'")

    def test_pretrained_policies_play_and_answer(self):
        score = json.loads(self.run_dray("evaluate", "--pretrained", "cage2_mixture", "--episodes", "20", "--json"))
        self.assertGreater(score["return_mean"], -25)
        request = {
            "rider": 3,
            "origin": 12,
            "destination": 40,
            "pickup_early": "09:00",
            "pickup_late": "09:15",
            "dropoff_early": "09:20",
            "dropoff_late": "10:10",
            "agrees": True,
        }
        (self.work / "day.jsonl").write_text(json.dumps(request) + "\n")
        answer = json.loads(self.run_dray("serve", "--pretrained", "dvrptw_best", "--requests", "day.jsonl"))
        self.assertEqual((answer["served"], answer["vehicles"]), (True, 1))
        self.run_dray("export", "--pretrained", "cage2_mixture", "--torchscript", "policy.pt")

    def test_trained_and_evaluated_by_the_commands_that_it_prints(self):
        text = self.run_dray("train", "--config", "smoke", "--runner", "local", "--run-dir", "a run")
        printed = re.search(r"evaluate +(dray evaluate --run-dir .*)$", text, re.M)[1]
        self.assertIn("'", printed)  # the folder's name has a space
        done = subprocess.run(
            ["sh", "-c", f"{printed} --episodes 2 --json"],
            cwd=self.work,
            capture_output=True,
            text=True,
            env={"PATH": f"{self.folder / 'venv' / 'bin'}:/usr/bin:/bin"},
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["episodes"], 2)
        self.assertEqual(text.splitlines()[-1], "a run/report.html")
        page = self.run_dray("report", "--run-dir", "a run").splitlines()[-1]
        self.assertIn("<html", (self.work / page).read_text()[:200])
        self.assertEqual((self.work / "a run" / "config.yaml").read_text().splitlines()[0], f"# Dray {self.version}")

    def test_a_reader_that_goes_away_and_a_signal(self):
        environment = {"PATH": f"{self.folder / 'venv' / 'bin'}:/usr/bin:/bin", "HOME": str(self.work)}
        line = "dray train --config smoke --runner local --run-dir unread | head -1; echo ${PIPESTATUS[0]}"
        done = subprocess.run(["bash", "-c", line], cwd=self.work, env=environment, capture_output=True, text=True)
        self.assertEqual(done.stdout.splitlines()[-1], "0", done.stderr)
        self.assertTrue((self.work / "unread" / "weights.pt").is_file())
        process = subprocess.Popen(
            ["dray", "train", "--config", "cartpole", "--runner", "local", "--run-dir", "ended"],
            cwd=self.work,
            env=environment,
            executable=self.folder / "venv" / "bin" / "dray",
            stdout=subprocess.PIPE,
            text=True,
        )
        process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        process.communicate()
        self.assertIn(process.returncode, (143, -signal.SIGTERM))

    def test_the_example_files_are_copied_and_trained_on(self):
        self.assertIn("wrote configs/examples/trips.csv\n", self.run_dray("examples"))
        mine = self.work / "configs/examples/trips.csv"
        mine.write_text(mine.read_text().replace("ann,", "zoe,"))
        self.assertIn("configs/examples/trips.csv already exists\n", self.run_dray("examples"))
        self.assertIn("zoe,", mine.read_text())
        data = [f"--set=env.dvrptw.{name}=configs/examples/{name}.csv" for name in ("places", "trips")]
        self.assertIn("num_customers: 5", self.run_dray("train", "--config", "dvrptw_best", "--dry-run", *data))
        self.assertIn("usage: dray examples", self.run_dray("examples", "a", "b", code=2))

    def completion(self, shell):
        """The script for the shell, in a folder with a run."""
        (self.work / "runs" / "first").mkdir(parents=True, exist_ok=True)
        (self.work / "runs" / "first" / "config.yaml").touch()
        (self.work / f"completion.{shell}").write_text(self.run_dray("completion", shell))

    def test_bash_completes_commands_flags_values_presets_and_run_folders(self):
        self.completion("bash")
        for words, wanted in (COMPLETED | {"dray evaluate --run-dir fir": {"runs/first"}}).items():
            with self.subTest(words):
                script = (
                    f"source completion.bash; COMP_LINE='{words}'; read -ra COMP_WORDS <<< \"$COMP_LINE\"; "
                    "[[ $COMP_LINE == *' ' ]] && COMP_WORDS+=(''); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _dray; "
                    'printf "%s\\n" "${COMPREPLY[@]}"'
                )
                done = subprocess.run(["bash", "-c", script], cwd=self.work, capture_output=True, text=True)
                self.assertEqual(done.stderr, "")
                self.assertEqual(set(done.stdout.split()), wanted)
        self.assertIn("there is no shell 'csh'", self.run_dray("completion", "csh", code=2))

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh_completes_the_same(self):
        self.completion("zsh")
        self.assertEqual(dict(zip(COMPLETED, zsh_tab.offers(COMPLETED, self.work, "completion.zsh"))), COMPLETED)

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish_completes_the_same(self):
        self.completion("fish")
        for words, wanted in COMPLETED.items():
            with self.subTest(words):
                asked = (
                    f"source completion.fish; complete -C '{words}'"  # a line for each, with what it is behind a tab
                )
                done = subprocess.run(
                    ["fish", "--no-config", "-c", asked], cwd=self.work, capture_output=True, text=True
                )
                self.assertEqual(done.stderr, "")
                self.assertEqual({line.partition("\t")[0].rstrip("/") for line in done.stdout.splitlines()}, wanted)

    def test_environments_are_registered_in_any_order_of_imports(self):
        for imports in ("gymnasium, dray", "dray, gymnasium", "dray.gym_env, gymnasium"):
            with self.subTest(imports):
                out = self.run_python(
                    f"import {imports}\n"
                    "print(sum(name.startswith('dray/') for name in gymnasium.registry), 'numpy' in dir())\n"
                    "print(gymnasium.make('dray/CartPole-v1').reset(seed=1)[0].shape)"
                )
                self.assertRegex(out, r"^\d+ False\n\(4,\)\n$")
        out = self.run_python(
            "import dray; print(dray.__version__, {'make_vec', 'load_policy', 'train', 'Error'} <= set(dir(dray)))"
        )
        self.assertEqual(out, f"{self.run_dray('--version').split()[-1]} True\n")

    def test_environments(self):
        out = self.run_python(
            "import gymnasium, dray\n"
            "observation, _ = gymnasium.make('dray/Cage2-v0').reset(seed=1)\n"
            "envs = dray.make_vec(config='cage2_bline', num_envs=2)\n"
            "print(observation.shape, envs.reset(seed=1)[0].shape[0], envs.single_action_space.n)"
        )
        self.assertEqual(out, "(52,) 2 36\n")

    def test_a_run_on_ray(self):
        text = self.run_dray("train", "--config", "smoke", "--runner", "ray", "--run-dir", "on_ray")
        self.assertIn("run folder", text)
        self.assertTrue((self.work / "on_ray" / "weights.pt").is_file())

    def test_a_sweep_prints_commands_as_its_user_calls_them(self):
        self.run_dray(
            "sweep",
            "--config",
            "cartpole",
            "--grid",
            "ppo.gamma=0.99",
            "--dir",
            "swept",
            "--",
            "--runner",
            "local",
            "--epochs",
            "1",
        )
        [log] = (self.work / "swept").rglob("*.log")
        self.assertRegex(log.read_text(), r"evaluate +dray evaluate --run-dir swept/")

    def test_a_preset_is_trained_from_python(self):
        # Packages leave libraries beside Dray's, which are no business of its workers.
        package = pathlib.Path(self.run_python("import dray; print(dray.__path__[0])").strip())
        (package.parent / "of_another_package.so").touch()
        out = self.run_python(
            "import dray.client\nwith dray.client.Training('cartpole', shards=1) as training:\n  print(training.step()['epoch'])"
        )
        self.assertEqual(out.splitlines()[-1], "1.0")

    def test_a_preset_is_trained_from_python_without_ray(self):
        out = self.run_python("import dray\nprint(dray.train('cartpole', epochs=1, run_dir='trained').policy().env)")
        self.assertEqual(out, "cartpole\n")

    def test_it_says_that_it_has_types_and_brings_the_tasks_parts(self):
        with zipfile.ZipFile(WHEEL) as wheel:
            self.assertLessEqual({"dray/py.typed", "dray/tasks/cage2/adapter.py"}, set(wheel.namelist()))

    def test_nothing_in_it_names_the_machine_that_built_it(self):
        with zipfile.ZipFile(WHEEL) as wheel:
            own = [name for name in wheel.namelist() if "/lib/libdray" in name or "/bin/" in name]
            self.assertGreater(len(own), 6)
            for name in own:
                content = wheel.read(name)
                for place in (os.path.dirname(os.path.dirname(sys.prefix)), sys.prefix):
                    self.assertNotIn(place.encode() + b"/", content, name)


if __name__ == "__main__":
    unittest.main()
