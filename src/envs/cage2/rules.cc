#include "src/envs/cage2/rules.h"

#include <algorithm>
#include <array>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

constexpr std::array<std::string_view, kRedAgents> kNames = {"bline", "meander", "sleep",
                                                             "learned"};

}  // namespace

RedAgent RedAgentNamed(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end())
    throw UsageError("'", name,
                     "' is not a red agent; expected bline, meander or sleep, or learned");
  return Enumerator<RedAgent>(found - kNames.begin());
}

std::string_view NameOf(RedAgent red) { return kNames[Index(red)]; }

}  // namespace dray::cage2
