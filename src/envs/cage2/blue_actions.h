#pragma once

#include <string>
#include <string_view>

#include "src/envs/cage2/network.h"

namespace dray::cage2 {

// Blue's 145 actions: sleep, monitor, and eleven kinds for each of the 13 hosts. All are always
// legal; one that does not fit does nothing.
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

inline constexpr int kBlueActions = 145;
inline constexpr int kSleepAction = 0;
inline constexpr int kMonitorAction = 1;

struct BlueAction {
  BlueKind kind = BlueKind::kSleep;
  int host = kNoHost;  // none for sleep and monitor
};

constexpr BlueAction BlueActionOf(int id) {
  if (id == kSleepAction) return {};
  if (id == kMonitorAction) return {.kind = BlueKind::kMonitor};
  return {.kind = static_cast<BlueKind>((id - 2) / kHosts), .host = (id - 2) % kHosts};
}

constexpr int ActionId(BlueKind kind, int host) {
  return 2 + kHosts * static_cast<int>(kind) + host;
}

constexpr bool IsDecoy(BlueKind kind) {
  return kind >= BlueKind::kDecoyApache && kind <= BlueKind::kDecoyVsftpd;
}

// "Restore Enterprise1", "DecoyTomcat User2", "Sleep".
std::string ActionName(int id);

}  // namespace dray::cage2
