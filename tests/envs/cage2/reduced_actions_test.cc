#include "src/envs/cage2/reduced_actions.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "tests/envs/cage2/scenario2.h"

namespace dray::cage2 {
namespace {

constexpr int kPlainOutputs = 27;  // restore, analyse and remove, on nine hosts
constexpr int kDecoyOutputs = 9;   // "the next decoy" on each of them
constexpr int kUser2Decoy = kPlainOutputs + 4;
constexpr int kUser3Decoy = kPlainOutputs + 5;

const ReducedTable& Table() {
  static const ReducedTable table(ShippedNetwork());
  return table;
}

TEST(ReducedActions, BeginWithThe27InNetworkOrder) {
  const int expected[] = {133, 134, 135, 139, 3,   4,   5,   9, 16, 17, 18, 22, 11, 12,
                          13,  14,  141, 142, 143, 144, 132, 2, 15, 24, 25, 26, 27};
  ReducedActions actions;
  for (int output = 0; output < kPlainOutputs; ++output)
    EXPECT_EQ(actions.Take(output, Table()), expected[output]);
}

TEST(ReducedActions, RestoreAnalyseAndRemoveTheSameNineHosts) {
  ReducedActions actions;
  std::map<BlueKind, std::set<int>> hosts;
  for (int output = 0; output < kPlainOutputs; ++output) {
    const BlueAction action = BlueActionOf(actions.Take(output, Table()));
    hosts[action.kind].insert(action.host);
  }
  const std::set<int> nine = {0, 1, 2, 3, 7, 9, 10, 11, 12};
  EXPECT_EQ(hosts[BlueKind::kRestore], nine);
  EXPECT_EQ(hosts[BlueKind::kAnalyse], nine);
  EXPECT_EQ(hosts[BlueKind::kRemove], nine);
}

TEST(ReducedActions, DecoyOutputsTakeTheNextOfTheirList) {
  const std::vector<int> lists[] = {{55, 107, 120, 29}, {43},      {44},  {37, 115, 76, 102},
                                    {51, 116, 38, 90},  {130, 91}, {131}, {54, 106, 28, 119},
                                    {61, 35, 113, 126}};
  ReducedActions actions;
  for (int i = 0; i < kDecoyOutputs; ++i) {
    EXPECT_EQ(actions.exhausted(Table()) >> i & 1, 0);
    for (const int expected : lists[i])
      EXPECT_EQ(actions.Take(kPlainOutputs + i, Table()), expected);
    EXPECT_EQ(actions.exhausted(Table()) >> i & 1, 1);
    EXPECT_EQ(actions.Take(kPlainOutputs + i, Table()), lists[i].front())
        << "used up: the first again";
    EXPECT_EQ(actions.exhausted(Table()) >> i & 1, 1);
  }
  EXPECT_EQ(actions.exhausted(Table()), 0x1ff);
  EXPECT_TRUE(actions.Plausible(Table()));
}

TEST(ReducedActions, ARestoreMakesOnlyItsHostsListAvailable) {
  ReducedActions actions;
  actions.Take(kUser2Decoy, Table());
  actions.Take(kUser3Decoy, Table());
  actions.Note(ActionId(BlueKind::kRestore, kUser2), Table());
  EXPECT_EQ(actions.Take(kUser2Decoy, Table()), 51);
  EXPECT_EQ(actions.Take(kUser3Decoy, Table()), 91);
}

TEST(ReducedActions, KnowOfDecoysThatWerePlacedOtherwise) {
  ReducedActions actions;
  actions.Note(51, Table());
  EXPECT_EQ(actions.Take(kUser2Decoy, Table()), 116);
}

TEST(ReducedActions, RefuseDecoysThatThereAreNot) {
  ReducedActions actions;
  actions.used[1] = 0b10;
  EXPECT_FALSE(actions.Plausible(Table()));
}

}  // namespace
}  // namespace dray::cage2
