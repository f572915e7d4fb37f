#include "src/envs/dvrptw/encodings.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/episode.h"
#include "src/nets/kernels.h"
#include "tests/envs/dvrptw/counts_table.h"

namespace dray::dvrptw {
namespace {

constexpr int kCustomers = 30;
constexpr int kPlaces = 207;

float ColumnSum(std::span<const float> table, int column) {
  float sum = 0;
  for (size_t i = column; i < table.size(); i += 2) sum += table[i];
  return sum;
}

// An episode with random shifts that every rider accepts.
class Encodings : public ::testing::Test {
 protected:
  Encodings() {
    Rng rng(1, RngPurpose::kTest, 0);
    for (const Arrival& arrival : DrawEpisode({.seed = 1}, riders_, 0)) {
      asked_.push_back(riders_[arrival.rider].pool[arrival.trip]);
      agreed_.push_back(Shifted(asked_.back(), static_cast<int>(rng.Below(kShiftActions))));
    }
  }

  Negotiation State(size_t k) const {
    return {.agreed = std::span(agreed_).first(k), .asked = k < kCustomers ? &asked_[k] : nullptr};
  }

  std::vector<float> Table(size_t k) const {
    return CountsTable(layout_, State(k).agreed, State(k).asked);
  }

  // By the bags up to step k: what has joined by then, and the new ones of k.
  std::vector<int32_t> OnesOf(size_t k) const {
    std::vector<int32_t> ones;
    for (size_t step = 0; step <= k; ++step) {
      const std::vector<int16_t> bag = CountsBag(layout_, asked_, agreed_, step);
      for (size_t i = step == k ? 0 : kCountsPerRequest; i < bag.size(); ++i) {
        if (bag[i] >= 0) ones.push_back(bag[i]);
      }
    }
    return ones;
  }

  const City city_ = GenerateCity(1, kPlaces, /*asymmetric=*/false);
  const std::vector<Rider> riders_ = GenerateRiders(city_, kCustomers, delivery::UNIFORM, 1);
  const CountsLayout layout_{kPlaces};
  std::vector<Trip> asked_, agreed_;
};

TEST_F(Encodings, RowsAreOnePerRequestAndZerosForTheRest) {
  std::vector<float> state(RowsSize(kCustomers), -1.0f);
  ASSERT_EQ(state.size(), 180u);
  EncodeRows(State(2), kCustomers, state);
  EXPECT_FLOAT_EQ(state[6], agreed_[1].origin);
  EXPECT_FLOAT_EQ(state[7], agreed_[1].pickup_early / 14400.0f);
  EXPECT_FLOAT_EQ(state[12], asked_[2].origin);
  EXPECT_FLOAT_EQ(state[14], asked_[2].pickup_late / 14400.0f);
  EXPECT_FLOAT_EQ(state[15], asked_[2].destination);
  EXPECT_FLOAT_EQ(state[16], asked_[2].dropoff_early / 14400.0f);
  EXPECT_FLOAT_EQ(state[17], asked_[2].dropoff_late / 14400.0f);
  for (size_t i = 18; i < state.size(); ++i) EXPECT_EQ(state[i], 0.0f);
}

TEST_F(Encodings, CountsHaveTheirSixBlocks) {
  EXPECT_EQ(layout_.rows(), 606);
  EXPECT_EQ(layout_.size(), 1212);
  const Trip trip = {.origin = 3,
                     .destination = 206,
                     .pickup_early = 3600,
                     .pickup_late = 3900,
                     .dropoff_early = 3899,
                     .dropoff_late = 99999};
  EXPECT_EQ(layout_.Indices(trip),
            (CountIndices{3, 207 + 206, 414 + 12, 462 + 13, 510 + 12, 558 + 47}));
}

TEST_F(Encodings, ColumnsOfCountsSumToSixPerRequest) {
  for (size_t k = 0; k <= kCustomers; ++k) {
    const std::vector<float> state = Table(k);
    EXPECT_EQ(ColumnSum(state, 0), 6.0f * k);
    EXPECT_EQ(ColumnSum(state, 1), k < kCustomers ? 6.0f : 0.0f);
  }
}

TEST_F(Encodings, BagsUpToAStepAddUpToItsTable) {
  for (size_t k = 0; k <= kCustomers; ++k) {
    std::vector<float> table(layout_.size());
    for (const int32_t index : OnesOf(k)) table[static_cast<size_t>(index)] += 1.0f;
    ASSERT_EQ(table, Table(k)) << "step " << k;
  }
}

TEST_F(Encodings, ASampleIs24BytesOfIndicesInPlaceOf4848) {
  const size_t bytes = kCountsBagSize * sizeof(int16_t);
  EXPECT_EQ(bytes, 24u);
  EXPECT_EQ(layout_.size() * sizeof(float), 4848u);
  const size_t samples = 7680;  // of 256 environments
  EXPECT_LT(samples * bytes, 200'000u);
  EXPECT_GT(samples * layout_.size() * sizeof(float), 37'000'000u);
  RecordProperty("s2_bytes_per_sample", static_cast<int>(bytes));
}

TEST_F(Encodings, TheSumOfWeightRowsIsTheDenseProduct) {
  const size_t width = 16;
  Rng rng(2, RngPurpose::kTest, 0);
  std::vector<float> weights(layout_.size() * width);
  for (float& weight : weights) weight = static_cast<float>(rng.Normal());
  for (const size_t k : {0, 1, 17, 30}) {
    std::vector<float> sum(width, 0.5f);
    AddTableRows(weights.data(), OnesOf(k), sum);
    const std::vector<float> dense = Table(k);
    for (size_t j = 0; j < width; ++j) {
      double product = 0.5;
      for (size_t i = 0; i < dense.size(); ++i) product += dense[i] * weights[i * width + j];
      EXPECT_NEAR(sum[j], product, 1e-4);
    }
  }
}

TEST_F(Encodings, TokensAreFollowedByWhatConcernsTheNewRequest) {
  RequestContext context = {
      .belief = {0.1f, 0.2f, 0.3f, 0.4f}, .added_cost_min = 12, .action_cost_min = {}};
  context.action_cost_min[15] = -5.0f;
  std::vector<float> state(TokensSize(kCustomers), -1.0f);
  EncodeTokens(city_, State(2), context, kCustomers, state);

  const float* asked = state.data() + 2 * kTokenSize;
  EXPECT_EQ(asked[0], 1.0f);
  EXPECT_EQ(asked[1], 1.0f);
  EXPECT_FLOAT_EQ(asked[2], city_.points[asked_[2].origin].x - city_.points[city_.depot].x);
  EXPECT_FLOAT_EQ(asked[5], city_.points[asked_[2].destination].y - city_.points[city_.depot].y);
  EXPECT_FLOAT_EQ(asked[6], asked_[2].pickup_early / 14400.0f);
  EXPECT_FLOAT_EQ(asked[10], city_.travel(asked_[2].origin, asked_[2].destination) / 600.0f);
  EXPECT_EQ(asked[11], 0.0f);
  const Trip& first = agreed_[0];
  const Ticks slack =
      first.dropoff_early - first.pickup_early - city_.travel(first.origin, first.destination);
  EXPECT_EQ(state[1], 0.0f);
  EXPECT_FLOAT_EQ(state[11], slack / 600.0f);

  for (int i = 3 * kTokenSize; i < kCustomers * kTokenSize; ++i) EXPECT_EQ(state[i], 0.0f);
  const float* rest = state.data() + kCustomers * kTokenSize;
  EXPECT_FLOAT_EQ(rest[0], 2.0f / 30);
  EXPECT_FLOAT_EQ(rest[4], 0.4f);
  EXPECT_FLOAT_EQ(rest[5], 0.2f);
  EXPECT_FLOAT_EQ(rest[6 + 15], -0.5f);
  EXPECT_EQ(rest + 6 + 16, state.data() + state.size());
}

TEST_F(Encodings, AtTheEndNoRequestIsNew) {
  std::vector<float> state(TokensSize(kCustomers));
  EncodeTokens(city_, State(kCustomers), {}, kCustomers, state);
  for (int k = 0; k < kCustomers; ++k) {
    EXPECT_EQ(state[k * kTokenSize], 1.0f);
    EXPECT_EQ(state[k * kTokenSize + 1], 0.0f);
  }
}

}  // namespace
}  // namespace dray::dvrptw
