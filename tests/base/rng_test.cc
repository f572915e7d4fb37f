#include "src/base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "src/base/error.h"

namespace dray {
namespace {

// Known answers of Philox 4x32-10, as published with the Random123 library.
TEST(Rng, BlockGivesTheKnownAnswers) {
  EXPECT_EQ(Rng::Block({0, 0, 0, 0}, {0, 0}),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(Rng::Block({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(Rng::Block({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Rng, StreamsOfOtherSeedsPurposesAndIndicesDiffer) {
  std::set<uint64_t> first;
  for (uint64_t seed : {1, 2}) {
    for (RngPurpose purpose : {RngPurpose::kEnvironment, RngPurpose::kAction}) {
      for (uint64_t index : {0, 1, 2}) first.insert(Rng(seed, purpose, index).Next64());
    }
  }
  EXPECT_EQ(first.size(), 12u);
}

TEST(Rng, ALoadedGeneratorGoesOnWhereTheSavedOneStood) {
  Rng original(7, RngPurpose::kTest, 3);
  for (int i = 0; i < 5; ++i) original.Next32();
  ByteWriter out;
  original.Save(out);
  Rng copy(0, RngPurpose::kAction, 0);
  ByteReader in(out.bytes(), "rng");
  copy.Load(in);
  for (int i = 0; i < 100; ++i) ASSERT_EQ(copy.Next32(), original.Next32());
}

TEST(Rng, UniformNormalAndBelowHaveTheirMoments) {
  Rng rng(1, RngPurpose::kTest, 0);
  const int n = 200000;
  double uniform = 0, normal = 0, normal2 = 0;
  std::vector<int> counts(7);
  for (int i = 0; i < n; ++i) {
    const double u = rng.Uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    uniform += u;
    const double z = rng.Normal();
    normal += z;
    normal2 += z * z;
    ++counts[rng.Below(7)];
  }
  EXPECT_NEAR(uniform / n, 0.5, 0.005);
  EXPECT_NEAR(normal / n, 0.0, 0.01);
  EXPECT_NEAR(normal2 / n, 1.0, 0.02);
  for (int count : counts) EXPECT_NEAR(count, n / 7.0, 5 * std::sqrt(n / 7.0));
}

TEST(Rng, ShuffleIsAPermutation) {
  Rng rng(1, RngPurpose::kTest, 0);
  std::vector<int> values(100);
  std::iota(values.begin(), values.end(), 0);
  rng.Shuffle(std::span(values));
  EXPECT_EQ(std::set<int>(values.begin(), values.end()).size(), 100u);
  EXPECT_FALSE(std::is_sorted(values.begin(), values.end()));
}

TEST(Rng, AStateThatCannotBeLoadedLeavesItAsItWas) {
  Rng rng(1, RngPurpose::kTest, 0), same(1, RngPurpose::kTest, 0);
  ByteWriter out;
  rng.Save(out);
  std::string damaged = out.Take();
  damaged[damaged.size() - 3] = 10;  // used numbers of a block of four
  ByteReader in(damaged, "a generator");
  EXPECT_THROW(rng.Load(in), Error);
  EXPECT_EQ(rng.Next64(), same.Next64());
}

}  // namespace
}  // namespace dray
