#include "src/envs/cage2/red_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

namespace dray::cage2 {
namespace {

std::array<uint8_t, kRedActionCount> MaskOf(const RedKnowledge& knowledge) {
  std::array<uint8_t, kRedActionCount> mask;
  mask.fill(9);
  WriteRedMask(knowledge, mask);
  return mask;
}

TEST(RedView, EveryActionIsAMoveOfItsOwn) {
  std::set<std::pair<int, int>> moves;
  for (int action = 0; action < kRedActionCount; ++action) {
    const RedMove move = RedMoveOf(action);
    moves.insert({static_cast<int>(move.action), move.target});
  }
  EXPECT_EQ(moves.size(), static_cast<size_t>(kRedActionCount));
  EXPECT_EQ(RedMoveOf(0).action, RedAction::kSleep);
  EXPECT_EQ(RedMoveOf(kRedExploit + kUser2).target, kUser2);
  EXPECT_EQ(RedMoveOf(kRedImpact).target, kOpServer0);
}

TEST(RedView, AtFirstItCanSearchItsSubnetAndLookAtItsFoothold) {
  const auto mask = MaskOf({});
  std::set<int> allowed;
  for (int i = 0; i < kRedActionCount; ++i) {
    if (mask[static_cast<size_t>(i)] == 1) allowed.insert(i);
  }
  EXPECT_EQ(allowed, (std::set<int>{0, kRedSearch + static_cast<int>(Subnet::kUser),
                                    kRedScan + kUser0, kRedEscalate + kUser0}));
}

TEST(RedView, WhatItMayDoFollowsFromWhatItKnows) {
  RedKnowledge knows;
  knows.addresses |= Bit(kUser3);
  EXPECT_EQ(MaskOf(knows)[kRedScan + kUser3], 1);
  EXPECT_EQ(MaskOf(knows)[kRedExploit + kUser3], 0);
  knows.ports[kUser3] = PortBit(80);
  EXPECT_EQ(MaskOf(knows)[kRedExploit + kUser3], 1);
  EXPECT_EQ(MaskOf(knows)[kRedEscalate + kUser3], 0);
  knows.sessions |= Bit(kUser3) | Bit(kOpServer0);
  EXPECT_EQ(MaskOf(knows)[kRedEscalate + kUser3], 1);
  EXPECT_EQ(MaskOf(knows)[kRedImpact], 0);
  knows.server_found = 1;
  EXPECT_EQ(MaskOf(knows)[kRedImpact], 1);
  knows.sessions = Bit(kUser0);
  EXPECT_EQ(MaskOf(knows)[kRedImpact], 0);
}

TEST(RedView, EveryValueIsWrittenAndFromZeroToOne) {
  RedKnowledge knows;
  knows.ports.fill(kAllPorts);
  knows.since_success.fill(3);
  knows.failures.fill(RedKnowledge::kManyFailures);
  std::array<float, kRedValues> values;
  values.fill(-1);
  WriteRedObservation(knows, 0.25f, values);
  for (const float value : values) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
  }
  EXPECT_EQ(values.back(), 0.25f);
}

TEST(RedView, EveryPieceOfKnowledgeShows) {
  const auto seen = [](const RedKnowledge& knows) {
    std::array<float, kRedValues> values;
    WriteRedObservation(knows, 0, values);
    return values;
  };
  std::vector<RedKnowledge> changed(11);
  changed[0].addresses |= Bit(kUser1);
  changed[1].ports[kUser1] = PortBit(22);
  changed[2].sessions |= Bit(kUser1);
  changed[3].escalated |= Bit(kUser1);
  changed[4].failures[kUser1] = 1;
  changed[5].since_success[kUser1] = 9;
  changed[6].subnets |= 1;
  changed[7].searched |= 1;
  changed[8].last_succeeded = 1;
  changed[9].last_saw_ports = 1;
  changed[10].server_found = 1;
  std::set<std::array<float, kRedValues>> different = {seen({})};
  for (const RedKnowledge& knows : changed) different.insert(seen(knows));
  EXPECT_EQ(different.size(), changed.size() + 1);
}

}  // namespace
}  // namespace dray::cage2
