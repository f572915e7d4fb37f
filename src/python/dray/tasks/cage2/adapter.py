"""Plays CAGE challenge 2's own code (CybORG) with a policy of the task cage2.

Dray's policies see more than the challenge's 52 bits, but nothing that blue could not have noted down itself. The adapter notes it:

    adapter = Cage2Adapter(config["env"]["cage2"])      # of a run's config.yaml
    observation = adapter.reset(env.reset())            # env: CybORG behind its ChallengeWrapper
    for _ in range(100):
        choice = policy.best_action(observation, adapter.mask())
        bits, reward, _, _ = env.step(adapter.take(choice))
        observation = adapter.observe(bits)

docs/cage2_interface.md has every index. Needs numpy alone. The network is Scenario2: a run with a scenario of its own is refused.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy
from numpy.typing import ArrayLike, NDArray

HOSTS = (
    "Defender",
    "Enterprise0",
    "Enterprise1",
    "Enterprise2",
    "Op_Host0",
    "Op_Host1",
    "Op_Host2",
    "Op_Server0",
    "User0",
    "User1",
    "User2",
    "User3",
    "User4",
)
BITS = 4 * len(HOSTS)

# The 145 actions: Sleep, Monitor, then each kind for each host, in this order. HarakaSMPT is CybORG's spelling.
KINDS = (
    "Analyse",
    "Remove",
    "DecoyApache",
    "DecoyFemitter",
    "DecoyHarakaSMPT",
    "DecoySmss",
    "DecoySSHD",
    "DecoySvchost",
    "DecoyTomcat",
    "DecoyVsftpd",
    "Restore",
)
SLEEP, MONITOR, FIRST_ON_HOST = 0, 1, 2
ACTIONS = FIRST_ON_HOST + len(KINDS) * len(HOSTS)

FIXES = ("Remove", "Restore")

# Systems that each kind of decoy runs on, the port that must be free, and the port that it opens. Vsftpd is as in CybORG.
DECOYS = {
    "DecoyApache": ("windows linux", 80, 80),
    "DecoyFemitter": ("windows", 21, 21),
    "DecoyHarakaSMPT": ("linux", 25, 25),
    "DecoySmss": ("windows", 139, 139),
    "DecoySSHD": ("windows linux", 22, 22),
    "DecoySvchost": ("windows", 3389, 3389),
    "DecoyTomcat": ("windows linux", 443, 443),
    "DecoyVsftpd": ("linux", 21, 80),
}
MANY_DECOYS = 4  # the note of a host's decoys grows no further

# A host's system and the ports that its own services keep.
_GATEWAY = ("linux", {22})
_INTERNAL = ("windows", {22, 80, 135, 139, 443, 445, 3389})
_WINDOWS_USER = ("windows", {21, 22})
SYSTEMS = {
    "Defender": ("linux", {22, 53, 68}),
    "Enterprise0": _GATEWAY,
    "Enterprise1": _INTERNAL,
    "Enterprise2": _INTERNAL,
    "Op_Host0": _GATEWAY,
    "Op_Host1": _GATEWAY,
    "Op_Host2": _GATEWAY,
    "Op_Server0": _GATEWAY,
    "User0": _WINDOWS_USER,
    "User1": _WINDOWS_USER,
    "User2": ("windows", {135, 139, 445, 3389}),
    "User3": ("linux", {25, 80, 443, 3389}),
    "User4": ("linux", {22, 25, 80, 443, 3390}),
}

# Interface reduced: the actions of outputs 0 to 26, then the lists of the outputs 27 to 35, "next decoy on this host".
PLAIN = (133, 134, 135, 139, 3, 4, 5, 9, 16, 17, 18, 22, 11, 12, 13, 14, 141, 142, 143, 144, 132, 2, 15, 24, 25, 26, 27)
NEXT_DECOYS = {
    "Enterprise0": (55, 107, 120, 29),
    "Enterprise1": (43,),
    "Enterprise2": (44,),
    "User1": (37, 115, 76, 102),
    "User2": (51, 116, 38, 90),
    "User3": (130, 91),
    "User4": (131,),
    "Defender": (54, 106, 28, 119),
    "Op_Server0": (61, 35, 113, 126),
}
# Hosts of the ten values of scan memory.
REMEMBERED = [HOSTS.index(host) for host in HOSTS if not host.startswith("Op_Host")]

UNITS = ("defender", "enterprise", "op_server", "op_host", "user")


def kind_and_host(action: int) -> tuple[str, str]:
    """Returns the kind and host of an action, such as ("Restore", "User1"); Sleep and Monitor have the host ""."""
    if action < FIRST_ON_HOST:
        return ("Sleep", "Monitor")[action], ""
    kind, host = divmod(action - FIRST_ON_HOST, len(HOSTS))
    return KINDS[kind], HOSTS[host]


def action_name(action: int) -> str:
    """Returns the action's name as CybORG prints it: "Restore User1"."""
    kind, host = kind_and_host(action)
    return f"{kind} {host}" if host else kind


def unit_of(host: str) -> str:
    """Returns the kind of machine that a workflow counts a host as."""
    return host.rstrip("0123456789").lower()


class Cage2Adapter:
    """Translates between CybORG and a policy, episode by episode.

    `settings` is env.cage2 of a run's config.yaml; missing settings have Dray's defaults.
    """

    _rest: int  # steps for which nothing can be fixed

    def __init__(self, settings: Mapping[str, Any]) -> None:
        if settings.get("scenario", "scenario2") not in ("", "scenario2"):
            raise ValueError(
                "env.cage2.scenario: this adapter plays the challenge's own network, scenario2, and no other"
            )
        self.reduced = settings.get("interface", "raw") == "reduced"
        self.history = bool(settings.get("observe_history", False))
        self.mask_useless = bool(settings.get("mask_useless", False))
        self.max_steps = int(settings.get("max_steps", 100))
        workflow = settings.get("workflow") or {}
        self.workflow = bool(workflow.get("enabled", False))
        self.order = list(workflow.get("order") or [])
        self.observe_fixed = self.workflow and bool(workflow.get("observe_fixed", False))
        self.rest_steps = int(workflow.get("rest_steps", 0)) if self.workflow else 0
        self.outputs = len(PLAIN) + len(NEXT_DECOYS) if self.reduced else ACTIONS
        self._forget()

    def reset(self, bits: ArrayLike, order: Sequence[str] | None = None) -> NDArray[numpy.float32]:
        """Begins an episode with the 52 bits of CybORG's reset.

        `order` is the workflow's order, if the settings have none.
        """
        self._forget()
        if self.workflow and not self.order:
            if order is None:
                raise ValueError(
                    "this policy was trained for every workflow order: pass one to reset(bits, order=[...])"
                )
        self._order = list(order or self.order)
        if self.workflow and sorted(self._order) != sorted(UNITS):
            raise ValueError(f"the workflow order {self._order} must name each of {', '.join(UNITS)} once")
        return self._observation(numpy.asarray(bits))

    def take(self, output: int) -> int:
        """Returns the action (0 to 144) of the policy's output, and records that it is played."""
        action = self._meaning(int(output))
        kind, host = kind_and_host(action)
        self._rest = max(0, self._rest - 1)
        if kind in FIXES:
            self._fixed.add(unit_of(host))
            self._rest = self.rest_steps
        if kind == "Restore":
            self._decoys[host], self._decoy_ports[host], self._used[host] = 0, set(), set()
            self._server_restored |= host == "Op_Server0"
        elif kind in DECOYS:
            self._used[host].add(action)
            if self._can_be_placed(kind, host):
                self._decoys[host] += 1
                self._decoy_ports[host].add(DECOYS[kind][2])
        return action

    def observe(self, bits: ArrayLike) -> NDArray[numpy.float32]:
        """Returns the policy's observation after a step that showed these 52 bits."""
        bits = numpy.asarray(bits)
        self._steps += 1
        scanned, attacked = self._activities(bits)
        self._remember_scan(scanned)
        for since, seen in ((self._since_scan, scanned), (self._since_attack, attacked)):
            since += since >= 0
            since[seen] = 0
        return self._observation(bits)

    def mask(self) -> NDArray[numpy.bool_]:
        """Returns which outputs are allowed, as booleans."""
        allowed = numpy.ones(self.outputs, bool)
        if self.reduced:
            for place, (host, actions) in enumerate(NEXT_DECOYS.items(), len(PLAIN)):
                allowed[place] = not self._used[host].issuperset(actions)
        elif self.mask_useless:
            allowed[MONITOR] = False
            for action in range(FIRST_ON_HOST, ACTIONS):
                kind, host = kind_and_host(action)
                if kind in DECOYS:
                    allowed[action] = self._can_be_placed(kind, host) and DECOYS[kind][2] not in self._open_ports(host)
        if self._rest > 0:
            for output in range(self.outputs):
                allowed[output] &= kind_and_host(self._meaning(output))[0] not in FIXES
        return allowed

    def _forget(self) -> None:
        self._steps = 0
        self._order = []
        self._decoys = dict.fromkeys(HOSTS, 0)
        self._decoy_ports: dict[str, set[int]] = {host: set() for host in HOSTS}
        self._used: dict[str, set[int]] = {
            host: set() for host in HOSTS
        }  # decoy actions since its last restore, placed or not
        self._scans = numpy.zeros(len(REMEMBERED))
        self._since_scan = numpy.full(len(HOSTS), -1)  # steps; -1: never
        self._since_attack = numpy.full(len(HOSTS), -1)
        self._server_restored = False
        self._fixed: set[str] = set()
        self._rest = 0

    def _meaning(self, output: int) -> int:
        if not 0 <= output < self.outputs:
            raise ValueError(f"{output} is not an output of this policy, which has {self.outputs}")
        if not self.reduced:
            return output
        if output < len(PLAIN):
            return PLAIN[output]
        host, actions = list(NEXT_DECOYS.items())[output - len(PLAIN)]
        return next((action for action in actions if action not in self._used[host]), actions[0])

    def _open_ports(self, host: str) -> set[int]:
        return SYSTEMS[host][1] | self._decoy_ports[host]

    def _can_be_placed(self, kind: str, host: str) -> bool:
        systems, free, _ = DECOYS[kind]
        return SYSTEMS[host][0] in systems.split() and free not in self._open_ports(host)

    @staticmethod
    def _activities(bits: NDArray[Any]) -> tuple[NDArray[numpy.bool_], NDArray[numpy.bool_]]:
        """Returns for each host whether it was scanned and whether it was attacked in this step: 10 and 11 in its first
        two bits.
        """
        first, second = bits[0::4] != 0, bits[1::4] != 0
        return first & ~second, first & second

    def _remember_scan(self, scanned: NDArray[numpy.bool_]) -> None:
        seen = numpy.flatnonzero(scanned[REMEMBERED])
        if seen.size:  # the first of several counts
            self._scans[self._scans == 2] = 1
            self._scans[seen[0]] = 2

    def _notes(self) -> list[float]:
        def recency(since: NDArray[Any]) -> NDArray[Any]:
            return numpy.where(since < 0, 0, numpy.float32(1) / (since + 1).clip(1).astype(numpy.float32))

        decoys = [min(self._decoys[host], MANY_DECOYS) / MANY_DECOYS for host in HOSTS]
        by_host = numpy.stack([decoys, recency(self._since_scan), recency(self._since_attack)], axis=1)
        return [
            *by_host.ravel(),
            float(self._server_restored),
            numpy.float32(self._steps) / numpy.float32(self.max_steps),
        ]

    def _observation(self, bits: NDArray[Any]) -> NDArray[numpy.float32]:
        if bits.shape != (BITS,):
            raise ValueError(
                f"CybORG shows {bits.shape} values instead of ({BITS},): put it behind ChallengeWrapper, agent Blue"
            )
        values = [*bits]
        if self.reduced:
            values += [*self._scans]
        if self.history:
            values += self._notes()
        if self.workflow:
            values += [float(self._order[position] == unit) for position in range(len(UNITS)) for unit in UNITS]
        if self.observe_fixed:
            values += [float(unit in self._fixed) for unit in UNITS]
        return numpy.array(values, numpy.float32)
