#include "src/envs/cage2/blue_actions.h"

#include <array>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

// HarakaSMPT is the original's spelling.
constexpr std::array<std::string_view, 11> kKindNames = {
    "Analyse",   "Remove",       "DecoyApache", "DecoyFemitter", "DecoyHarakaSMPT", "DecoySmss",
    "DecoySSHD", "DecoySvchost", "DecoyTomcat", "DecoyVsftpd",   "Restore"};

}  // namespace

std::string ActionName(int id) {
  DRAY_CHECK_GE(id, 0);
  DRAY_CHECK_LT(id, kBlueActions);
  const BlueAction action = BlueActionOf(id);
  if (action.kind == BlueKind::kSleep) return "Sleep";
  if (action.kind == BlueKind::kMonitor) return "Monitor";
  return Cat(kKindNames[static_cast<int>(action.kind)], " ", kNetwork[action.host].name);
}

}  // namespace dray::cage2
