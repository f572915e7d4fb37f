#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Kinds of blue's actions: sleep, monitor, and eleven per host, which makes 145 actions with the 13
// hosts of Scenario2. All are always legal; an action that does not apply has no effect.
enum class BlueKind : int8_t {
  kSleep = -2,
  kMonitor = -1,
  kAnalyse = 0,
  kRemove,
  kDecoyApache,
  kDecoyFemitter,
  kDecoyHaraka,
  kDecoySmss,
  kDecoySshd,
  kDecoySvchost,
  kDecoyTomcat,
  kDecoyVsftpd,
  kRestore,
};

inline constexpr int kSleepAction = 0;
inline constexpr int kMonitorAction = 1;

struct BlueAction {
  BlueKind kind = BlueKind::kSleep;
  int host = kNoHost;  // kNoHost for sleep and monitor
};

inline BlueAction BlueActionOf(int id, const Network& network) {
  const size_t place = id;
  return {.kind = Enumerator<BlueKind>(network.action_kinds[place]),
          .host = network.action_hosts[place]};
}

inline int ActionId(BlueKind kind, int host, const Network& network) {
  return kFirstOnHost + network.hosts * Index(kind) + host;
}

constexpr bool IsDecoy(BlueKind kind) {
  return kind >= BlueKind::kDecoyApache && kind <= BlueKind::kDecoyVsftpd;
}

// Returns a name such as "Restore Enterprise1", "DecoyTomcat User2" or "Sleep".
std::string ActionName(int id, const Network& network);
// Returns "Sleep", "Monitor", then the kinds on a host, in order.
std::vector<std::string_view> BlueKindNames();

}  // namespace dray::cage2
