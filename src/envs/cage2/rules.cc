#include "src/envs/cage2/rules.h"

#include <algorithm>
#include <array>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

constexpr std::array<std::string_view, 3> kRedAgents = {"bline", "meander", "sleep"};

}  // namespace

RedAgent RedAgentNamed(std::string_view name) {
  const auto found = std::find(kRedAgents.begin(), kRedAgents.end(), name);
  if (found == kRedAgents.end())
    throw UsageError("'", name, "' is no red agent; expected bline, meander or sleep");
  return static_cast<RedAgent>(found - kRedAgents.begin());
}

std::string_view NameOf(RedAgent red) { return kRedAgents[static_cast<size_t>(red)]; }

}  // namespace dray::cage2
