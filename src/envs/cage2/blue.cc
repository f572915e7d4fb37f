#include "src/envs/cage2/blue.h"

#include <algorithm>
#include <array>

namespace dray::cage2 {
namespace {

enum class System { kAny, kWindows, kLinux };

struct Decoy {
  System fits;
  PortMask checked;  // must be free
  PortMask opened;
};

// Decoys by BlueKind, from kDecoyApache. Vsftpd keeps a bug of the original: it checks port 21 but
// opens 80. It can therefore be placed repeatedly, blocks Apache, and can be placed next to Apache.
constexpr std::array<Decoy, 8> kDecoys = {{
    {System::kAny, PortBit(80), PortBit(80)},          // Apache
    {System::kWindows, PortBit(21), PortBit(21)},      // Femitter
    {System::kLinux, PortBit(25), PortBit(25)},        // HarakaSMPT
    {System::kWindows, PortBit(139), PortBit(139)},    // Smss
    {System::kAny, PortBit(22), PortBit(22)},          // SSHD
    {System::kWindows, PortBit(3389), PortBit(3389)},  // Svchost
    {System::kAny, PortBit(443), PortBit(443)},        // Tomcat
    {System::kLinux, PortBit(21), PortBit(80)},        // Vsftpd
}};

// Finds the files that exploits and escalations leave at any level. An ssh session leaves none. A
// Remove does not delete them.
void Analyse(Host host, Turn& turn) {
  if ((turn.state.malware & Bit(host)) == 0) return;
  turn.malware_found = host;
  turn.record.effect = BlueEffect::kMalwareFound;
}

// Ends the unprivileged sessions whose process the monitor knows, which is never one of ssh.
void Remove(Host host, Turn& turn) {
  State& state = turn.state;
  const int removed = Count(state.known_processes[host]);
  if (removed > 0) {
    state.sessions[host] = state.sessions[host] - removed;
    state.known_processes[host] = 0;
    turn.record.effect = BlueEffect::kSessionsRemoved;
  }
  // Done whether or not anything was removed.
  if (CompromisedOf(state, host, turn.network) != Compromised::kNo)
    SetCompromised(state, host, Compromised::kUnknown, turn.network);
}

const Decoy& DecoyOf(BlueKind kind) { return kDecoys[Index(kind) - Index(BlueKind::kDecoyApache)]; }

bool CanBePlaced(const Decoy& decoy, int host, const State& state, const Network& network) {
  const System os = network.facts[host].windows ? System::kWindows : System::kLinux;
  if (decoy.fits != System::kAny && decoy.fits != os) return false;
  return (OpenPorts(state, host, network) & decoy.checked) == 0;
}

void PlaceDecoy(const Decoy& decoy, Host host, Turn& turn) {
  State& state = turn.state;
  if (!CanBePlaced(decoy, host, state, turn.network)) return;
  state.decoy_ports[host] |= decoy.opened;
  state.decoys[host] = std::min(state.decoys[host] + 1, kMostDecoys);
  turn.decoy_placed = host;
  turn.record.effect = BlueEffect::kDecoyPlaced;
}

// Reinstalls the image and removes all decoys. Red keeps its memory of the ports and its foothold.
void Restore(Host host, Turn& turn) {
  State& state = turn.state;
  state.decoy_ports[host] = 0;
  state.decoys[host] = 0;
  state.sessions[host] = 0;
  state.known_processes[host] = 0;
  if (host != turn.network.foothold) state.privileged &= ~Bit(host);
  state.malware &= ~Bit(host);
  SetCompromised(state, host, Compromised::kNo, turn.network);
  if (host == turn.network.server) {
    state.server_up = 1;
    // A quirk: the service comes back under a process id that red never learns, so no impact works
    // again in this episode.
    state.server_vulnerable = 0;
  }
  // Before 16 August 2022, restoring a host that runs Haraka brought it back in a version that the
  // exploit cannot break.
  const bool runs_haraka = (turn.network.facts[host].exploitable & PortBit(25)) != 0;
  if (turn.rules.release == Release::kLeaderboard && runs_haraka) state.haraka_broken |= Bit(host);
  turn.record.effect = BlueEffect::kRestored;
}

}  // namespace

void PlayBlue(BlueAction action, Turn& turn) {
  const auto host = Enumerator<Host>(action.host);
  switch (action.kind) {
    case BlueKind::kSleep:
    case BlueKind::kMonitor:  // the monitor looks at the end of every step anyway
      return;
    case BlueKind::kAnalyse:
      return Analyse(host, turn);
    case BlueKind::kRemove:
      return Remove(host, turn);
    case BlueKind::kRestore:
      return Restore(host, turn);
    default:
      return PlaceDecoy(DecoyOf(action.kind), host, turn);
  }
}

bool OpensPort(const State& state, BlueAction action, const Network& network) {
  const Decoy& decoy = DecoyOf(action.kind);
  return CanBePlaced(decoy, action.host, state, network) &&
         (OpenPorts(state, action.host, network) & decoy.opened) == 0;
}

bool Fits(BlueKind decoy, int host, const Network& network) {
  return CanBePlaced(DecoyOf(decoy), host, State{}, network);
}

}  // namespace dray::cage2
