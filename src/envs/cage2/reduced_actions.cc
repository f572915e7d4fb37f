#include "src/envs/cage2/reduced_actions.h"

#include <bit>

#include "src/base/error.h"

namespace dray::cage2 {
namespace {

// As the team's networks have them.
constexpr std::array<uint8_t, kPlainOutputs> kPlain = {133, 134, 135, 139, 3,  4,  5,  9,   16,
                                                       17,  18,  22,  11,  12, 13, 14, 141, 142,
                                                       143, 144, 132, 2,   15, 24, 25, 26,  27};

struct DecoyList {
  Host host;
  uint8_t count;
  std::array<uint8_t, 4> actions;
};

constexpr std::array<DecoyList, kDecoyOutputs> kLists = {{
    {kEnterprise0, 4, {55, 107, 120, 29}},
    {kEnterprise1, 1, {43}},
    {kEnterprise2, 1, {44}},
    {kUser1, 4, {37, 115, 76, 102}},
    {kUser2, 4, {51, 116, 38, 90}},
    {kUser3, 2, {130, 91}},
    {kUser4, 1, {131}},
    {kDefender, 4, {54, 106, 28, 119}},
    {kOpServer0, 4, {61, 35, 113, 126}},
}};

constexpr uint8_t AllOf(const DecoyList& list) {
  return static_cast<uint8_t>((1u << list.count) - 1);
}

}  // namespace

int ReducedActions::Take(int output) {
  DRAY_CHECK_GE(output, 0);
  DRAY_CHECK_LT(output, kReducedOutputs);
  int action;
  if (output < kPlainOutputs) {
    action = kPlain[static_cast<size_t>(output)];
  } else {
    const auto place = static_cast<size_t>(output - kPlainOutputs);
    const DecoyList& list = kLists[place];
    const int next = std::countr_one(used[place]);
    action = list.actions[next < list.count ? static_cast<size_t>(next) : 0];
  }
  Note(action);
  return action;
}

void ReducedActions::Note(int action) {
  const BlueAction played = BlueActionOf(action);
  for (size_t place = 0; place < kLists.size(); ++place) {
    const DecoyList& list = kLists[place];
    if (list.host != played.host) continue;
    if (played.kind == BlueKind::kRestore) used[place] = 0;
    for (size_t i = 0; i < list.count; ++i) {
      if (list.actions[i] == action) used[place] |= static_cast<uint8_t>(1u << i);
    }
  }
}

uint16_t ReducedActions::exhausted() const {
  unsigned mask = 0;
  for (size_t place = 0; place < kLists.size(); ++place)
    mask |= static_cast<unsigned>(used[place] == AllOf(kLists[place])) << place;
  return static_cast<uint16_t>(mask);
}

bool ReducedActions::Plausible() const {
  for (size_t place = 0; place < kLists.size(); ++place) {
    if ((used[place] & ~AllOf(kLists[place])) != 0) return false;
  }
  return true;
}

}  // namespace dray::cage2
