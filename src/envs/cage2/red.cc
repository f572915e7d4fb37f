#include "src/envs/cage2/red.h"

#include <bit>

namespace dray::cage2 {
namespace {

// A guarded subnet (the operational one) is reached through an Enterprise host (Defender is no way
// in) with a session of any level. The others are always open.
bool Routable(const State& state, Subnet subnet, const Network& network) {
  if ((network.guarded_subnets >> Index(subnet) & 1) == 0) return true;
  unsigned ways = network.enterprise_hosts;
  if ((state.privileged & ways) != 0) return true;
  for (; ways != 0; ways &= ways - 1) {
    if (state.sessions[std::countr_zero(ways)] > 0) return true;
  }
  return false;
}

// A quirk: it succeeds even where there is no route, but then teaches red nothing.
bool DiscoverServices(Host host, Turn& turn) {
  State& state = turn.state;
  const bool routable = Routable(state, turn.network.facts[host].subnet, turn.network);
  state.scan_saw_ports = routable;
  if (!routable) return true;
  // Before 19 August 2022 red never forgot a port: a decoy seen once attracted it forever, even
  // after it was gone.
  const bool remembers_all = turn.rules.release == Release::kLeaderboard;
  const PortMask kept = remembers_all ? state.remembered_ports[host] : PortMask{0};
  state.remembered_ports[host] = kept | OpenPorts(state, host, turn.network);
  turn.red = PortScan(state, host, turn.network);
  return true;
}

void AddSession(State& state, Host host, bool known_process) {
  const int place = state.sessions[host];
  if (place == kMostSessions) return;
  state.known_processes[host] |= known_process << place;
  ++state.sessions[host];
}

// Ten guesses, and the log-in if one of them was right. The session is the guessed user's, whoever
// runs the service, and the monitor never learns its process.
bool BruteForceSsh(Host host, bool real, Turn& turn) {
  constexpr int kGuesses = 10;
  turn.red = {.host = host, .count = kGuesses, .local_ports = PortBit(22)};
  if (!real || !turn.network.facts[host].ssh_user) return false;
  turn.red.Add(PortBit(22), 1);
  AddSession(turn.state, host, /*known_process=*/false);
  return true;
}

void OpenShell(Host host, bool privileged, Turn& turn) {
  State& state = turn.state;
  const bool detected = turn.chance.Detects();
  turn.record.detected = detected;
  state.malware |= Bit(host);
  if (privileged) {
    state.privileged |= Bit(host);
  } else {
    AddSession(state, host, detected);
  }
  if (!detected) return;
  turn.red.local_ports |= kEphemeralPort;
  ++turn.red.count;
  turn.red.reverse_shell = true;
}

bool ExploitService(Host host, PortMask port, bool real, Turn& turn) {
  turn.red = {.host = host, .count = 1, .local_ports = port};
  if (!real) {
    turn.red.Add(port, 1);  // the decoy answers
    return false;
  }
  const HostFacts& facts = turn.network.facts[host];
  if ((facts.withstands & port) != 0) return false;
  // Only possible in the leaderboard release; see Restore.
  if (port == PortBit(25) && (turn.state.haraka_broken & Bit(host)) != 0) return false;
  OpenShell(host, (facts.privileged & port) != 0, turn);
  return true;
}

Exploit ChooseExploit(PortMask remembered_ports, Chance& chance) {
  const ExploitMask options = ExploitsOffered(remembered_ports);
  if (options == 0) return Exploit::kNone;
  if (std::has_single_bit(options)) return Enumerator<Exploit>(std::countr_zero(options));
  return chance.PickExploit(options);
}

// Red chooses from what it remembers and attacks what is there. If no such service listens any
// more, blue sees no event.
bool ExploitHost(Host host, Turn& turn) {
  State& state = turn.state;
  const HostFacts& facts = turn.network.facts[host];
  turn.record.remembered_ports = state.remembered_ports[host];
  const Exploit exploit = ChooseExploit(state.remembered_ports[host], turn.chance);
  turn.record.exploit = exploit;
  if (exploit == Exploit::kNone || !Routable(state, facts.subnet, turn.network)) return false;
  const PortMask port = 1u << Index(exploit);
  // Decoys come after the real services in the process list, so a real one is found first.
  const bool real = (facts.exploitable & port) != 0;
  if (!real && (state.decoy_ports[host] & port) == 0) return false;
  return exploit == Exploit::kSshBruteForce ? BruteForceSsh(host, real, turn)
                                            : ExploitService(host, port, real, turn);
}

void EscalateSession(Host host, Turn& turn) {
  State& state = turn.state;
  const int count = state.sessions[host];
  const int chosen = count == 1 ? 0 : turn.chance.PickSession(count);
  turn.record.escalated_session = chosen;
  // It leaves the list of unprivileged sessions: close the gap.
  const unsigned known = state.known_processes[host];
  const unsigned before = known & ((1u << chosen) - 1);
  state.known_processes[host] = before | (known >> (chosen + 1) << chosen);
  --state.sessions[host];
  state.privileged |= Bit(host);
  state.malware |= Bit(host);
}

bool Escalate(Host host, Turn& turn) {
  State& state = turn.state;
  if (!HasSession(state, host)) return false;
  if ((state.privileged & Bit(host)) == 0) EscalateSession(host, turn);
  if (turn.network.facts[host].shows_service) state.server_found = 1;
  return true;
}

// Needs a session of any level. A quirk: it keeps "succeeding" if the process id is stale; see
// Restore.
bool Impact(State& state, const Network& network) {
  if (!HasSession(state, network.server) || state.server_found == 0) return false;
  if (state.server_vulnerable != 0) state.server_up = 0;
  return true;
}

bool CarryOut(RedMove move, Turn& turn) {
  const auto host = Enumerator<Host>(move.target);
  switch (move.action) {
    case RedAction::kSleep:
      return false;
    case RedAction::kDiscoverSystems:
      return Routable(turn.state, Enumerator<Subnet>(move.target), turn.network);
    case RedAction::kDiscoverServices:
      return DiscoverServices(host, turn);
    case RedAction::kExploit:
      return ExploitHost(host, turn);
    case RedAction::kEscalate:
      return Escalate(host, turn);
    case RedAction::kImpact:
      return Impact(turn.state, turn.network);
  }
  return false;
}

}  // namespace

bool PlayRed(RedMove move, Turn& turn) {
  const bool success = CarryOut(move, turn);
  turn.state.red_succeeded = success;
  turn.record.red_action = move.action;
  turn.record.red_target = move.target;
  turn.record.red_success = success;
  return success;
}

}  // namespace dray::cage2
