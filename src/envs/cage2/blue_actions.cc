#include "src/envs/cage2/blue_actions.h"

#include <array>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

// HarakaSMPT is the original's spelling.
constexpr std::array<std::string_view, kBlueKinds> kBlueKindNames = {
    "Analyse",   "Remove",       "DecoyApache", "DecoyFemitter", "DecoyHarakaSMPT", "DecoySmss",
    "DecoySSHD", "DecoySvchost", "DecoyTomcat", "DecoyVsftpd",   "Restore"};

}  // namespace

std::string ActionName(int id, const Network& network) {
  DRAY_CHECK_GE(id, 0);
  DRAY_CHECK_LT(id, network.blue_actions());
  const BlueAction action = BlueActionOf(id, network);
  if (action.kind == BlueKind::kSleep) return "Sleep";
  if (action.kind == BlueKind::kMonitor) return "Monitor";
  return Cat(kBlueKindNames[Index(action.kind)], " ", network.names[action.host]);
}

std::vector<std::string_view> BlueKindNames() {
  std::vector<std::string_view> names = {"Sleep", "Monitor"};
  names.insert(names.end(), kBlueKindNames.begin(), kBlueKindNames.end());
  return names;
}

}  // namespace dray::cage2
