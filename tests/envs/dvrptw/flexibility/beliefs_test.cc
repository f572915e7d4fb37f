#include "src/envs/dvrptw/flexibility/beliefs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

TEST(Beliefs, AllowEverythingBeforeTheFirstUpdate) {
  const Beliefs beliefs(30);
  EXPECT_EQ(beliefs.version(), 0);
  ASSERT_EQ(beliefs.masks().size(), 30u * 16);
  EXPECT_TRUE(std::ranges::all_of(beliefs.masks(), [](uint8_t allowed) { return allowed == 1; }));
  EXPECT_EQ(beliefs.Distribution(), (std::array<int, 4>{0, 0, 0, 0}));
}

TEST(Beliefs, MaskByTheLikeliestTypeAndAllowEverythingOfTheUnknown) {
  const TypeBelief beliefs_of[] = {
      {.7f, .1f, .1f, .1f}, {.1f, .1f, .7f, .1f}, {.1f, .1f, .7f, .1f}};
  const uint8_t known[] = {1, 1, 0};
  const Beliefs beliefs(4, beliefs_of, known);
  EXPECT_EQ(beliefs.version(), 4);
  const int sums[] = {4, 1, 16};
  for (int rider = 0; rider < 3; ++rider) {
    const auto mask = beliefs.mask(rider);
    EXPECT_EQ(std::accumulate(mask.begin(), mask.end(), 0), sums[rider]);
  }
  EXPECT_EQ(beliefs.belief(2)[0], 0.25f);
  EXPECT_EQ(beliefs.Distribution(), (std::array<int, 4>{1, 0, 1, 0}));
}

TEST(Beliefs, LoadedAreTheSame) {
  const TypeBelief beliefs_of[] = {{.7f, .1f, .1f, .1f}, {.1f, .1f, .7f, .1f}};
  const uint8_t known[] = {0, 1};
  const Beliefs beliefs(9, beliefs_of, known);
  ByteWriter out;
  beliefs.Save(out);
  ByteReader in(out.bytes(), "beliefs");
  const Beliefs copy = Beliefs::Load(in);
  EXPECT_EQ(copy.version(), 9);
  EXPECT_TRUE(std::ranges::equal(copy.masks(), beliefs.masks()));
  EXPECT_EQ(copy.belief(1), beliefs.belief(1));
  EXPECT_FALSE(copy.known(0));
}

TEST(Beliefs, DamagedOnesAreAnError) {
  ByteWriter out;
  out.Put<int64_t>(1);
  out.PutVector(std::vector<TypeBelief>{{2, 0, 0, 0}});
  out.PutVector(std::vector<uint8_t>{1});
  ByteReader in(out.bytes(), "beliefs");
  EXPECT_THROW(Beliefs::Load(in), Error);
}

}  // namespace
}  // namespace dray::dvrptw
