#include "src/envs/cage2/red_view.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

RedActions Actions() { return RedActions(ShippedNetwork()); }

RedKnowledge Start() { return RedKnowledge::AtStart(ShippedNetwork()); }

RedMove MoveOf(int action) { return RedMoveOf(action, ShippedNetwork()); }

std::vector<uint8_t> MaskOf(const RedKnowledge& knowledge) {
  std::vector<uint8_t> mask(static_cast<size_t>(Actions().count), 9);
  WriteRedMask(knowledge, ShippedNetwork(), mask);
  return mask;
}

bool Allows(const RedKnowledge& knowledge, int action) {
  return MaskOf(knowledge)[static_cast<size_t>(action)] == 1;
}

std::vector<float> Seen(const RedKnowledge& knowledge, float progress) {
  std::vector<float> values(static_cast<size_t>(RedValues(ShippedNetwork())), -1);
  WriteRedObservation(knowledge, progress, ShippedNetwork(), values);
  return values;
}

TEST(RedView, EveryActionIsAMoveOfItsOwn) {
  std::set<std::pair<int, int>> moves;
  for (int action = 0; action < Actions().count; ++action) {
    const RedMove move = MoveOf(action);
    moves.insert({static_cast<int>(move.action), move.target});
  }
  EXPECT_EQ(moves.size(), static_cast<size_t>(Actions().count));
  EXPECT_EQ(MoveOf(0).action, RedAction::kSleep);
  EXPECT_EQ(MoveOf(Actions().exploit + kUser2).target, kUser2);
  EXPECT_EQ(MoveOf(Actions().impact).target, kOpServer0);
}

TEST(RedView, AtFirstItCanSearchItsSubnetAndLookAtItsFoothold) {
  const auto mask = MaskOf(Start());
  std::set<int> allowed;
  for (int i = 0; i < Actions().count; ++i) {
    if (mask[static_cast<size_t>(i)] == 1) allowed.insert(i);
  }
  EXPECT_EQ(allowed, (std::set<int>{0, Actions().search + static_cast<int>(kUserSubnet),
                                    Actions().scan + kUser0, Actions().escalate + kUser0}));
}

TEST(RedView, WhatItMayDoFollowsFromWhatItKnows) {
  RedKnowledge knows = Start();
  knows.addresses |= Bit(kUser3);
  EXPECT_TRUE(Allows(knows, Actions().scan + kUser3));
  EXPECT_FALSE(Allows(knows, Actions().exploit + kUser3));
  knows.ports[kUser3] = PortBit(80);
  EXPECT_TRUE(Allows(knows, Actions().exploit + kUser3));
  EXPECT_FALSE(Allows(knows, Actions().escalate + kUser3));
  knows.sessions |= Bit(kUser3) | Bit(kOpServer0);
  EXPECT_TRUE(Allows(knows, Actions().escalate + kUser3));
  EXPECT_FALSE(Allows(knows, Actions().impact));
  knows.server_found = 1;
  EXPECT_TRUE(Allows(knows, Actions().impact));
  knows.sessions = Bit(kUser0);
  EXPECT_FALSE(Allows(knows, Actions().impact));
}

TEST(RedView, EveryValueIsWrittenAndFromZeroToOne) {
  RedKnowledge knows = Start();
  knows.ports.fill(static_cast<PortMask>((1u << ShippedNetwork().port_count) - 1));
  knows.since_success.fill(3);
  knows.failures.fill(RedKnowledge::kManyFailures);
  const std::vector<float> values = Seen(knows, 0.25f);
  for (const float value : values) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 1);
  }
  EXPECT_EQ(values.back(), 0.25f);
}

TEST(RedView, EveryPieceOfKnowledgeShows) {
  std::vector<RedKnowledge> changed(11, Start());
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
  std::set<std::vector<float>> different = {Seen(Start(), 0)};
  for (const RedKnowledge& knows : changed) different.insert(Seen(knows, 0));
  EXPECT_EQ(different.size(), changed.size() + 1);
}

}  // namespace
}  // namespace dray::cage2
