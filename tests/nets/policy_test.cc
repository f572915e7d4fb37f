#include "src/nets/policy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

PolicyWeights Made() {
  PolicyWeights weights;
  weights.version = 7;
  weights.actor = {1, 2, 3};
  weights.scaling = {.mean = {0}, .scale = {1}, .clip = 10};
  return weights;
}

TEST(PolicyWeights, EveryTruncationIsAnError) {
  const std::string bytes = Made().ToBytes();
  EXPECT_EQ(PolicyWeights::FromBytes(bytes).actor, Made().actor);
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THROW(PolicyWeights::FromBytes(bytes.substr(0, size)), Error) << size;
  }
}

TEST(PolicyWeights, NumbersThatNoLearnerPublishesAreAnError) {
  for (const int64_t version : {int64_t{-1}, INT64_MIN, INT64_MAX}) {
    PolicyWeights damaged = Made();
    damaged.version = version;
    EXPECT_THROW(PolicyWeights::FromBytes(damaged.ToBytes()), Error);
  }
  // An observation is cut to [-clip, clip].
  for (const float clip : {-1.0f, std::nanf("")}) {
    PolicyWeights damaged = Made();
    damaged.scaling.clip = clip;
    EXPECT_THROW(PolicyWeights::FromBytes(damaged.ToBytes()), Error);
  }
}

}  // namespace
}  // namespace dray
