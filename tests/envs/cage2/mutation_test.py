"""The parity checks can fail: each rule of the CAGE 2 game is broken once, and a replay must notice.

A mutant is one source file with one text replaced. Only that file is compiled again; the rest is shared. Of what the scenario says, a
mutant is a copy of its files with one text replaced, which the unchanged program reads.
"""

import concurrent.futures
import pathlib
import shutil
import subprocess
import tempfile
import unittest

GAME = pathlib.Path("src/envs/cage2")
PROBE = pathlib.Path("tests/envs/cage2/mutation_probe.cc")
SOURCES = [
    PROBE,
    *(
        pathlib.Path("src/base") / f"{name}.cc"
        for name in ("bytes", "error", "file", "installation", "nearest_name", "rng")
    ),
    *(pathlib.Path("src/config") / f"{name}.cc" for name in ("user_path", "yaml_document")),
    *(
        GAME / "scenario" / f"{name}.cc"
        for name in ("agents", "entry", "image", "scenario", "scenario_files", "shipped_scenario")
    ),
    *(
        GAME / f"{name}.cc"
        for name in (
            "bline",
            "blue",
            "blue_actions",
            "chance",
            "game",
            "meander",
            "monitor",
            "network",
            "red",
            "replay",
            "rules",
            "state",
            "traces",
        )
    ),
]
TRACES = [f"tests/data/cage2/traces_{release}.csv" for release in ("head", "leaderboard")]
COMPILER = shutil.which("c++") or shutil.which("g++")
AT_ONCE = 2
SCENARIOS = pathlib.Path("configs/scenarios")

# What is broken in the scenario, in which file, the text that must occur exactly once, and what replaces it.
SCENARIO_MUTANTS = [
    ("EternalBlue works on Enterprise1 and 2", "images/internal.yaml", "Process Name: smss.exe", "Process Name: smb"),
    ("User3's mysql listens on its own port", "images/linux_user_1.yaml", "local_port: 3389", "local_port: 3390"),
    (
        "Defender's password can be guessed",
        "images/velociraptor_server.yaml",
        "{Username: ubuntu}",
        "{Username: ubuntu, Bruteforceable: True}",
    ),
    ("User0 costs", "scenario2.yaml", "ConfidentialityValue: None", "ConfidentialityValue: Low"),
    (
        "User1 leads to Enterprise0",
        "scenario2.yaml",
        "User1: {Interfaces: All}\n      Enterprise1:",
        "User1: {Interfaces: All}\n      Enterprise0:",
    ),
    ("the operational subnet is open", "scenario2.yaml", "User: {in: None,", "User: {in: all,"),
    ("the server is worth less", "scenario2.yaml", "AvailabilityValue: High", "AvailabilityValue: Medium"),
]

# What is broken, where, the text that must occur exactly once, and what replaces it.
MUTANTS = [
    ("Vsftpd opens the port it checks", "blue", "PortBit(21), PortBit(80)", "PortBit(21), PortBit(21)"),
    (
        "Femitter runs on Linux too",
        "blue",
        "{System::kWindows, PortBit(21), PortBit(21)}",
        "{System::kAny, PortBit(21), PortBit(21)}",
    ),
    (
        "a removal ends ssh sessions",
        "blue",
        "removed = Count(state.known_processes[host])",
        "removed = state.sessions[host]",
    ),
    (
        "a removal deletes the malware",
        "blue",
        "turn.record.effect = BlueEffect::kSessionsRemoved;",
        "state.malware &= ~Bit(host);",
    ),
    (
        "only an effective removal shows",
        "blue",
        "if (CompromisedOf(state, host, turn.network) != Compromised::kNo)",
        "if (removed > 0)",
    ),
    ("a restore leaves decoys", "blue", "state.decoy_ports[host] = 0;", ""),
    (
        "a restore makes red forget ports",
        "blue",
        "state.decoys[host] = 0;",
        "state.decoys[host] = 0;\n  state.remembered_ports[host] = 0;",
    ),
    ("a restored server can be stopped again", "blue", "state.server_vulnerable = 0;", ""),
    (
        "a restore leaves Haraka as it was",
        "blue",
        "turn.rules.release == Release::kLeaderboard && runs_haraka",
        "runs_haraka && false",
    ),
    (
        "every subnet is always reached",
        "red",
        "if ((network.guarded_subnets >> Index(subnet) & 1) == 0) return true;",
        "return true;",
    ),
    ("a scan without a route fails", "red", "if (!routable) return true;", "if (!routable) return false;"),
    (
        "red never forgets ports",
        "red",
        "remembers_all ? state.remembered_ports[host] : PortMask{0}",
        "state.remembered_ports[host]",
    ),
    (
        "red forgets ports on the leaderboard",
        "red",
        "remembers_all ? state.remembered_ports[host] : PortMask{0}",
        "PortMask{0}",
    ),
    ("the monitor knows ssh sessions", "red", "/*known_process=*/false", "/*known_process=*/true"),
    ("an ssh session leaves malware", "red", "turn.red.Add(PortBit(22), 1);", "turn.state.malware |= Bit(host);"),
    ("undetected shells can be removed", "red", "AddSession(state, host, detected);", "AddSession(state, host, true);"),
    (
        "a decoy lets red in",
        "red",
        "turn.red.Add(port, 1);  // the decoy answers\n    return false;",
        "turn.red.Add(port, 1);",
    ),
    (
        "an exploit without a service shows",
        "red",
        "(state.decoy_ports[host] & port) == 0) return false;",
        "false) return false;",
    ),
    (
        "decoys are found before real services",
        "red",
        "(facts.exploitable & port) != 0;",
        "(facts.exploitable & port & ~state.decoy_ports[host]) != 0;",
    ),
    (
        "an escalation leaves no malware",
        "red",
        "state.privileged |= Bit(host);\n  state.malware |= Bit(host);",
        "state.privileged |= Bit(host);",
    ),
    ("an escalation does not find the service", "red", "state.server_found = 1;", ""),
    ("B_line goes on without a route", "bline", "if (state.scan_saw_ports != 0) {", "if (true) {"),
    ("B_line scans again after a failed escalation", "bline", "{0, 1, 2, 2, 2,", "{0, 1, 1, 1, 2,"),
    (
        "Meander doubts only the host that failed",
        "meander",
        "Drop(meander.escalated, doubted);\n  Drop(meander.exploited, doubted);",
        "(void)doubted;",
    ),
    (
        "Meander always doubts Enterprise",
        "meander",
        "in_operational ? network.operational_hosts : network.enterprise_hosts",
        "in_operational ? network.enterprise_hosts : network.enterprise_hosts",
    ),
    (
        "Meander escalates hosts that it lost",
        "meander",
        "~(meander.escalated | lost)",
        "~(meander.escalated | (lost & 0))",
    ),
    (
        "Meander leaves Defender alone",
        "meander",
        "~meander.exploited;\n  // Never happens",
        "~(meander.exploited | Bit(0));\n  // Never happens",
    ),
    ("Meander keeps a host whose escalation failed", "meander", "Drop(meander.escalated, host);", ""),
    (
        "a reverse shell is seen among many ports",
        "monitor",
        "if (count >= kMany && ports >= kMany)",
        "if (count >= kMany && ports >= kMany && !seen.reverse_shell)",
    ),
    ("a decoy is no connection", "monitor", "(decoy ? 1 : 0)", "(decoy ? 0 : 0)"),
    (
        "the stock wrapper is Cardiff's",
        "monitor",
        "wrapper == Wrapper::kStock || seen.count == 0",
        "(static_cast<void>(wrapper), seen.count == 0)",
    ),
    (
        "Cardiff's wrapper is the stock one",
        "monitor",
        "wrapper == Wrapper::kStock || seen.count == 0",
        "(static_cast<void>(wrapper), true)",
    ),
    (
        "an exploit leaves the table as it was",
        "monitor",
        "if (activity == Activity::kExploit)",
        "if (activity == Activity::kExploit && CompromisedOf(turn.state, seen.host, turn.network) == Compromised::kNo)",
    ),
    (
        "red moves before blue",
        "game",
        "  PlayBlue(BlueActionOf(blue_action, network()), turn);\n  if (rules_.green) PlayGreen(turn);\n  MakeRedMove(turn);",
        "  MakeRedMove(turn);\n  PlayBlue(BlueActionOf(blue_action, network()), turn);\n  if (rules_.green) PlayGreen(turn);",
    ),
    ("a restore is free", "game", "kRestoreCost_tenths = 10", "kRestoreCost_tenths = 0"),
    ("red takes any exploit alike", "chance", "rng_.Next32() >> 30 != 0", "rng_.Next32() >> 31 != 0"),
    ("nine of ten shells are detected", "chance", "0.95 * 0x1.0p32", "0.9 * 0x1.0p32"),
    ("green never sleeps", "chance", "if (word >> 31 == 0) return kNoHost;", ""),
]


def compile_object(source, out, root):
    command = [COMPILER, "-std=c++20", "-O1", "-w", "-I", root, "-c", source, "-o", out]
    subprocess.run([str(part) for part in command], check=True, timeout=300)


class MutationTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="dray-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.objects = {source: cls.folder / f"{source.stem}.o" for source in SOURCES}
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda source: compile_object(source, cls.objects[source], "."), SOURCES))

    def differences(self, name, objects, *scenario):
        program = self.folder / name
        subprocess.run([COMPILER, *map(str, objects), "-o", str(program), "-lyaml-cpp"], check=True, timeout=300)
        ran = subprocess.run(
            [str(program), *TRACES, *scenario], check=True, capture_output=True, text=True, timeout=300
        )
        program.unlink()
        return int(ran.stdout)

    def scenario_mutant(self, number):
        _, file, old, new = SCENARIO_MUTANTS[number]
        folder = self.folder / f"scenario{number}"
        shutil.copytree(SCENARIOS, folder)
        text = (folder / file).read_text()
        assert text.count(old) == 1, f"{file}: {text.count(old)} times: {old}"
        (folder / file).chmod(0o644)
        (folder / file).write_text(text.replace(old, new))
        return self.differences(f"with_scenario{number}", self.objects.values(), str(folder / "scenario2.yaml"))

    def mutant(self, number):
        _, stem, old, new = MUTANTS[number]
        source = GAME / f"{stem}.cc"
        text = source.read_text()
        assert text.count(old) == 1, f"{source}: {text.count(old)} times: {old}"
        broken = self.folder / f"mutant{number}.cc"
        broken.write_text(text.replace(old, new))
        compiled = broken.with_suffix(".o")
        compile_object(broken, compiled, ".")
        objects = [compiled if part == source else out for part, out in self.objects.items()]
        return self.differences(f"mutant{number}", objects)

    def test_the_game_as_it_is_has_no_difference(self):
        self.assertEqual(self.differences("unchanged", self.objects.values()), 0)

    def test_every_broken_rule_is_noticed(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            results = list(pool.map(self.scenario_mutant, range(len(SCENARIO_MUTANTS))))
            results += pool.map(self.mutant, range(len(MUTANTS)))
        broken = [name for name, *_ in SCENARIO_MUTANTS + MUTANTS]
        for name, differences in zip(broken, results):
            print(f"{differences:6}  {name}", flush=True)
        unnoticed = [name for name, differences in zip(broken, results) if differences == 0]
        self.assertEqual(unnoticed, [])


if __name__ == "__main__":
    unittest.main()
