#include "src/rollout/bag_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/rng.h"
#include "tests/envs/dvrptw/counts_table.h"

namespace dray {
namespace {

using dvrptw::CountsLayout;
using dvrptw::kTicksPerDay;

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<int32_t> ListOf(const BagLists& lists, size_t state) {
  return {lists.indices.begin() + lists.offsets[state],
          lists.indices.begin() + lists.offsets[state + 1]};
}

TEST(BagLists, HoldWhatHasJoinedInTheEpisodeAndTheirOwn) {
  BatchShape shape;
  shape.steps = 2;
  shape.envs = 2;
  shape.bag = {.width = 100, .own = 1, .joining = 2};
  // Per environment: one of its own, two that join; environment 1 ends its episode with the first
  // step, environment 0 began its own before the rollout.
  const std::vector<int16_t> bags = {10, 1, -1, 20, 5,  6,    // step 0
                                     11, 2, 2,  21, -1, -1,   // step 1
                                     -1, 3, -1, 22, 7,  -1};  // after the last
  const BagLists lists = ListBags(shape, bags, {{9, -1}, {}}, std::vector<uint8_t>{0, 1, 0, 0});
  ASSERT_EQ(lists.offsets.size(), 7u);
  EXPECT_THAT(ListOf(lists, 0), ElementsAre(9, 1, 10));
  EXPECT_THAT(ListOf(lists, 1), ElementsAre(5, 6, 20));
  EXPECT_THAT(ListOf(lists, 2), ElementsAre(9, 1, 2, 2, 11));
  EXPECT_THAT(ListOf(lists, 3), ElementsAre(21));
  EXPECT_THAT(ListOf(lists, 4), ElementsAre(9, 1, 2, 2, 3));
  EXPECT_THAT(ListOf(lists, 5), ElementsAre(7, 22));
}

TEST(BagLists, OfATaskWithoutABagAreEmpty) {
  BatchShape shape;
  shape.steps = 3;
  shape.envs = 2;
  EXPECT_THAT(ListBags(shape, {}, {{}, {}}, std::vector<uint8_t>(6)).indices, IsEmpty());
}

TEST(BagLists, CountedTheyAreTheTableOfTheDeliveryTask) {
  const CountsLayout layout(11);
  Rng rng(1, RngPurpose::kTest, 0);
  constexpr size_t kSteps = 5;
  const auto draw = [&](uint32_t below) { return static_cast<int>(rng.Below(below)); };
  std::vector<Trip> asked(kSteps), agreed(kSteps);
  for (std::vector<Trip>* trips : {&asked, &agreed}) {
    for (Trip& trip : *trips) {
      trip = {.origin = draw(11),
              .destination = draw(11),
              .pickup_early = draw(kTicksPerDay),
              .pickup_late = draw(kTicksPerDay),
              .dropoff_early = draw(kTicksPerDay),
              .dropoff_late = draw(kTicksPerDay)};
    }
  }
  BatchShape shape;
  shape.steps = kSteps;
  shape.envs = 1;
  shape.bag = {.width = layout.size(), .own = 6, .joining = 6};
  std::vector<int16_t> bags;
  for (size_t k = 0; k <= kSteps; ++k) {
    for (const int16_t index : dvrptw::CountsBag(layout, asked, agreed, k)) bags.push_back(index);
  }
  const BagLists lists = ListBags(shape, bags, {{}}, std::vector<uint8_t>(kSteps));
  for (size_t k = 0; k <= kSteps; ++k) {
    std::vector<float> counted(static_cast<size_t>(layout.size()));
    for (const int32_t index : ListOf(lists, k)) counted[static_cast<size_t>(index)] += 1;
    EXPECT_EQ(counted, dvrptw::CountsTable(layout, std::span(agreed).first(k),
                                           k < kSteps ? &asked[k] : nullptr))
        << k;
  }
}

}  // namespace
}  // namespace dray
