#include "src/nets/moments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray {
namespace {

std::vector<float> Rows(int count, Rng& rng) {
  std::vector<float> rows;
  for (int i = 0; i < count; ++i) {
    rows.push_back(static_cast<float>(100 + rng.Normal()));
    rows.push_back(static_cast<float>(-3 * rng.Uniform()));
  }
  return rows;
}

TEST(Moments, MergingShardsEqualsOnePass) {
  Rng rng(1, RngPurpose::kTest, 0);
  Moments one(2), merged(2);
  for (const int count : {1, 7, 300, 5000}) {
    const auto rows = Rows(count, rng);
    Moments shard(2);
    shard.Add(rows);
    merged.Merge(shard);
    one.Add(rows);
  }
  EXPECT_EQ(one.count(), 5308);
  for (int i = 0; i < 2; ++i) {
    EXPECT_NEAR(merged.mean()[i], one.mean()[i], 1e-6);
    EXPECT_NEAR(merged.Variance()[i], one.Variance()[i], 1e-6);
  }
  EXPECT_NEAR(one.Variance()[0], 1, 0.1);
  EXPECT_NEAR(one.Variance()[1], 9.0 / 12, 0.1);
}

TEST(Moments, BeforeAnyDataNormalisingChangesNothing) {
  const ObservationScaling scaling = ObservationScaling::From(Moments(2), 10);
  std::vector<float> rows = {1, -2, 3, 4};
  scaling.Apply(rows, rows);
  EXPECT_NEAR(rows[1], -2, 1e-6);
}

TEST(ObservationScaling, ShiftsScalesAndCuts) {
  Moments moments(1);
  moments.Add(std::vector<float>{1, 3});  // mean 2, variance 1
  const ObservationScaling scaling = ObservationScaling::From(moments, 5);
  std::vector<float> rows = {2, 3, 100, -100};
  scaling.Apply(rows, rows);
  EXPECT_NEAR(rows[0], 0, 1e-6);
  EXPECT_NEAR(rows[1], 1, 1e-6);
  EXPECT_EQ(rows[2], 5);
  EXPECT_EQ(rows[3], -5);
}

TEST(Moments, LoadedOnesGoOn) {
  Rng rng(2, RngPurpose::kTest, 0);
  Moments a(2), b(2);
  a.Add(Rows(10, rng));
  ByteWriter out;
  a.Save(out);
  ByteReader in(out.bytes(), "moments");
  b.Load(in);
  EXPECT_EQ(a.Variance(), b.Variance());
  ByteReader short_in(std::string_view(out.bytes()).substr(0, 20), "moments");
  EXPECT_THROW(b.Load(short_in), Error);
}

TEST(Moments, ASavedCountThatCannotBeIsAnError) {
  for (const int64_t count : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
    ByteWriter out;
    out.Put(count);
    out.PutVector(std::vector<double>{0});
    out.PutVector(std::vector<double>{0});
    ByteReader in(out.bytes(), "moments");
    EXPECT_THROW(Moments(1).Load(in), Error);
  }
}

}  // namespace
}  // namespace dray
