#include "src/envs/cage2/monitor.h"

namespace dray::cage2 {
namespace {

constexpr int kMany = 3;

// Returns the number of set bits, at most three.
int UpToThree(uint32_t bits) {
  int count = 0;
  for (; bits != 0 && count < 3; bits &= bits - 1) ++count;
  return count;
}

// An exploit overwrites the table's column, even if it said that red was privileged.
uint64_t Show(const Connections& seen, Turn& turn) {
  const bool decoy = turn.decoy_placed == seen.host;
  const Activity activity = ActivityOf(seen, decoy, turn.rules.wrapper);
  if (activity == Activity::kExploit)
    SetCompromised(turn.state, seen.host, Compromised::kUser, turn.network);
  return static_cast<uint64_t>(activity) << (turn.network.shift(seen.host) + 2);
}

Connections Merged(const Connections& a, const Connections& b) {
  return {.host = a.host,
          .count = a.count + b.count,
          .local_ports = a.local_ports | b.local_ports,
          .reverse_shell = a.reverse_shell || b.reverse_shell};
}

}  // namespace

// The order of the checks is that of the original: many ports hide a reverse shell, so a scan by
// green turns an exploit into a scan.
Activity ActivityOf(const Connections& seen, bool decoy, Wrapper wrapper) {
  const int count = seen.count + (decoy ? 1 : 0);
  const int ports = UpToThree(seen.local_ports);
  if (count == 0) return Activity::kNone;
  if (count >= kMany && ports >= kMany) return Activity::kScan;
  if (seen.reverse_shell) return Activity::kExploit;
  // A quirk: an exploit that a decoy absorbs makes two connections, and looks like an exploit only
  // in the step in which that decoy was placed.
  if (count >= kMany && ports == 1) return Activity::kExploit;
  if (decoy && (wrapper == Wrapper::kStock || seen.count == 0)) return Activity::kNone;
  return Activity::kScan;
}

uint64_t Observe(Turn& turn) {
  uint64_t activities = 0;
  // A decoy on a host without connections shows nothing, with either wrapper.
  if (turn.red.host != kNoHost && turn.red.host == turn.green.host) {
    activities = Show(Merged(turn.green, turn.red), turn);
  } else {
    if (turn.green.host != kNoHost) activities |= Show(turn.green, turn);
    if (turn.red.host != kNoHost) activities |= Show(turn.red, turn);
  }
  // After the activities, so that it overwrites an exploit of this step.
  if (turn.malware_found != kNoHost)
    SetCompromised(turn.state, turn.malware_found, Compromised::kPrivileged, turn.network);
  return activities | turn.state.compromised;
}

}  // namespace dray::cage2
