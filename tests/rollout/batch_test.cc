#include "src/rollout/batch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "src/base/error.h"
#include "src/base/rng.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

EnvSpec Discrete(int observation_size, int actions, bool masked) {
  EnvSpec spec;
  spec.observation_size = observation_size;
  spec.actions = ActionSpace::Discrete(actions);
  spec.masked = masked;
  return spec;
}

// S2 of the delivery task: six indices of the new request, six of the one agreed before.
EnvSpec Bagged() {
  EnvSpec spec = Discrete(0, 16, /*masked=*/true);
  spec.bag = {.width = 1212, .own = 6, .joining = 6};
  return spec;
}

EnvSpec Appraised(int actions) {
  EnvSpec spec = Discrete(2, actions, /*masked=*/false);
  spec.appraises = true;
  return spec;
}

EnvSpec Continuous(int observation_size, int values) {
  EnvSpec spec;
  spec.observation_size = observation_size;
  spec.actions = ActionSpace::Box(std::vector<float>(values, -1), std::vector<float>(values, 1));
  return spec;
}

// Element i of a column is i + offset: every column differs.
template <typename T>
void Count(std::span<T> column, int offset) {
  std::iota(column.begin(), column.end(), static_cast<T>(offset));
}
template <typename T>
void ExpectCount(std::span<const T> column, size_t size, int offset) {
  std::vector<T> expected(size);
  Count<T>(expected, offset);
  EXPECT_THAT(column, ElementsAreArray(expected));
}

// 3 steps of 2 environments, with one episode cut at sample 3.
SharedBlob Written(const EnvSpec& spec) {
  BatchWriter writer(BatchShape::Of(spec, /*steps=*/3, /*envs=*/2));
  BatchColumns<MutableSpan>& columns = writer.columns();
  Count(columns.observations, 10);
  Count(columns.bags, 15);
  Count(columns.masks, 20);
  Count(columns.action_indices, 30);
  Count(columns.action_values, 40);
  Count(columns.appraisals, 45);
  Count(columns.log_probs, 50);
  Count(columns.rewards, 60);
  Count(columns.discounted_returns, 70);
  Count(columns.terminated, 80);
  Count(columns.truncated, 90);
  std::vector<float> last(spec.observation_size, 0.5f);
  writer.AddCutEpisode(3, last);
  if (spec.bag.width > 0) writer.AddJoinedBefore(1, std::vector<int16_t>{7, 1211, 7});
  BatchOrigin origin;
  origin.policy_version = 12;
  origin.shard = 4;
  origin.first_env = 64;
  return writer.Finish(origin);
}

void ExpectRoundTrip(const EnvSpec& spec, size_t mask_size, size_t indices, size_t values) {
  const SharedBlob blob = Written(spec);
  const BatchReader batch(blob->view());
  const auto width = static_cast<size_t>(spec.observation_size);
  EXPECT_EQ(batch.shape().samples(), 6);
  ExpectCount(batch.columns().observations, (3 + 1) * 2 * width, 10);
  ExpectCount(batch.columns().bags, (3 + 1) * 2 * static_cast<size_t>(spec.bag.indices()), 15);
  ExpectCount(batch.columns().masks, (3 + 1) * 2 * mask_size, 20);
  ExpectCount(batch.columns().action_indices, indices, 30);
  ExpectCount(batch.columns().action_values, values, 40);
  ExpectCount(batch.columns().appraisals,
              spec.appraises ? 6 * static_cast<size_t>(spec.actions.count) : 0, 45);
  ExpectCount(batch.columns().log_probs, 6, 50);
  ExpectCount(batch.columns().rewards, 6, 60);
  ExpectCount(batch.columns().discounted_returns, 6, 70);
  ExpectCount(batch.columns().terminated, 6, 80);
  ExpectCount(batch.columns().truncated, 6, 90);
  EXPECT_EQ(batch.origin().policy_version, 12);
  EXPECT_EQ(batch.origin().shard, 4);
  EXPECT_EQ(batch.origin().first_env, 64);
  ASSERT_EQ(batch.cuts().size(), 1u);
  EXPECT_EQ(batch.cuts()[0].sample, 3);
  EXPECT_EQ(batch.cuts()[0].final_observation, std::vector<float>(width, 0.5f));
}

TEST(Batch, DiscreteActionsComeBackAsWritten) {
  ExpectRoundTrip(Discrete(4, 2, /*masked=*/false), 0, 6, 0);
}

TEST(Batch, MasksComeBackAsWritten) { ExpectRoundTrip(Discrete(3, 5, /*masked=*/true), 5, 6, 0); }

TEST(Batch, ContinuousActionsComeBackAsWritten) { ExpectRoundTrip(Continuous(3, 2), 0, 0, 12); }

TEST(Batch, AppraisalsComeBackAsWritten) { ExpectRoundTrip(Appraised(3), 0, 6, 0); }

TEST(Batch, BagsComeBackAsWritten) {
  ExpectRoundTrip(Bagged(), 16, 6, 0);
  const SharedBlob blob = Written(Bagged());
  const BatchReader batch(blob->view());
  ASSERT_EQ(batch.joined_before().size(), 1u);
  EXPECT_EQ(batch.joined_before()[0].env, 1);
  EXPECT_THAT(batch.joined_before()[0].indices, ElementsAre(7, 1211, 7));
}

TEST(Batch, ColumnsAreAlignedForVectorLoads) {
  const SharedBlob blob = Written(Discrete(3, 5, /*masked=*/true));
  const BatchReader batch(blob->view());
  for (const void* column : {static_cast<const void*>(batch.columns().observations.data()),
                             static_cast<const void*>(batch.columns().masks.data()),
                             static_cast<const void*>(batch.columns().rewards.data()),
                             static_cast<const void*>(batch.columns().truncated.data())}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(column) % 64, 0u);
  }
}

TEST(Batch, ASampleOfCartPoleTakesThirtyFourBytes) {
  // 4 observed floats, the action, its log-probability, reward, discounted return, two flags.
  constexpr size_t kSample = 16 + 4 + 4 + 4 + 4 + 2;
  constexpr size_t kEnvs = 64, kSteps = 128;
  const size_t bytes = BatchBytes(BatchShape::Of(Discrete(4, 2, false), kSteps, kEnvs));
  const size_t last_observations = 16 * kEnvs;
  EXPECT_EQ(bytes, kSample * kSteps * kEnvs + last_observations + /*header=*/128);
}

TEST(Batch, ASampleOfTheDeliveryTaskTakesFiftyEightBytes) {
  // Twelve indices of 16 bits, 16 bytes of mask, the action, its log-probability, reward,
  // discounted return, two flags; the table of 1,212 floats would be 4,848.
  constexpr size_t kBag = 12 * 2, kMask = 16;
  constexpr size_t kSample = kBag + kMask + 4 + 4 + 4 + 4 + 2;
  static_assert(kBag == 24 && kSample == 58);
  constexpr size_t kEnvs = 64, kSteps = 30;
  const size_t bytes = BatchBytes(BatchShape::Of(Bagged(), kSteps, kEnvs));
  const size_t last_states = (kBag + kMask) * kEnvs;
  EXPECT_EQ(bytes, kSample * kSteps * kEnvs + last_states + /*header=*/128);
  // What has no fixed size is empty when every rollout is a whole episode.
  BatchWriter writer(BatchShape::Of(Bagged(), kSteps, kEnvs));
  std::ranges::fill(writer.columns().bags, int16_t{-1});
  EXPECT_EQ(writer.Finish({})->size(), bytes + 2 * sizeof(uint64_t));
}

TEST(Batch, AnIndexOutsideTheTableIsAnError) {
  const EnvSpec spec = Bagged();
  for (const int16_t index : {int16_t{-2}, int16_t{1212}}) {
    BatchWriter in_a_step(BatchShape::Of(spec, 1, 1)), before(BatchShape::Of(spec, 1, 1));
    in_a_step.columns().bags[23] = index;
    before.AddJoinedBefore(0, std::vector<int16_t>{index});
    EXPECT_THROW(BatchReader(in_a_step.Finish({})->view()), Error);
    EXPECT_THROW(BatchReader(before.Finish({})->view()), Error);
  }
  BatchWriter elsewhere(BatchShape::Of(spec, 1, 1));
  elsewhere.AddJoinedBefore(1, std::vector<int16_t>{0});
  EXPECT_THROW(BatchReader(elsewhere.Finish({})->view()), Error);
}

// What reading the bytes says; empty when they are a batch.
std::string ErrorOf(std::string_view bytes) {
  try {
    const Blob copy(bytes);  // aligned, and asan sees a read beyond the end
    const BatchReader batch(copy.view());
    // All that a reader promises is readable and within its shape.
    double sum = 0;
    for (const float value : batch.columns().observations) sum += value;
    for (const uint8_t value : batch.columns().truncated) sum += value;
    for (const CutEpisode& cut : batch.cuts()) {
      EXPECT_LT(cut.sample, batch.shape().samples());
      if (!cut.final_observation.empty()) sum += cut.final_observation.back();
    }
    for (const int16_t index : batch.columns().bags) EXPECT_LT(index, batch.shape().bag.width);
    [[maybe_unused]] const volatile double read = sum;
    return "";
  } catch (const Error& error) {
    EXPECT_STRNE(error.what(), "");
    return error.what();
  }
}

TEST(Batch, EveryTruncationIsAnError) {
  const SharedBlob blob = Written(Discrete(4, 2, /*masked=*/false));
  for (size_t size = 0; size < blob->size(); ++size)
    EXPECT_THAT(ErrorOf(blob->view().substr(0, size)), HasSubstr("batch is truncated")) << size;
  EXPECT_NE(ErrorOf(std::string(blob->view()) + "x"), "");
}

TEST(Batch, OtherBytesAreAnError) {
  EXPECT_THAT(ErrorOf(std::string(1000, 'x')), HasSubstr("not a rollout batch of this version"));
}

TEST(Batch, DamagedBytesAreAnErrorOrABatchNeverACrash) {
  Rng rng(1, RngPurpose::kTest, 0);
  EnvSpec spec = Discrete(3, 5, /*masked=*/true);
  spec.bag = {.width = 2000, .own = 2, .joining = 1};
  const SharedBlob blob = Written(spec);
  const size_t size = blob->size();
  const size_t header = 64, tail = size - BatchBytes(BatchShape::Of(spec, 3, 2));
  int errors = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes(blob->view());
    for (uint32_t flips = 1 + rng.Below(4); flips > 0; --flips) {
      // Half of them in the header, half in the tail: columns hold any bytes.
      const size_t at = rng.Below(2) == 0 ? rng.Below(header) : size - 1 - rng.Below(tail);
      const uint32_t kind = rng.Below(3);
      bytes[at] = static_cast<char>(kind == 0   ? bytes[at] ^ (1 << rng.Below(8))
                                    : kind == 1 ? rng.Below(256)
                                                : 0xff);
    }
    if (rng.Below(4) == 0) bytes.resize(rng.Below(size));
    errors += !ErrorOf(bytes).empty();
  }
  EXPECT_GT(errors, 2500);
  EXPECT_LT(errors, 5000);
}

TEST(Batch, AShapeWhoseSizeOverflowsToThatOfTheBytesIsAnError) {
  // 4 x 12940095 x 63727 x 2^24 bytes of observations and 18 for each sample are 0 modulo 2^64.
  BatchShape shape;
  shape.steps = 63726;
  shape.envs = 1 << 24;
  shape.observation_size = 12940095;
  ASSERT_EQ(BatchBytes(shape), 128u);
  const SharedBlob blob = Written(Discrete(4, 2, /*masked=*/false));
  const uint64_t tail = 16;  // no cut episodes and none under way
  std::string bytes = std::string(blob->view().substr(0, 64)) + std::string(tail, '\0');
  std::memcpy(bytes.data() + 8, &tail, sizeof(tail));
  std::memcpy(bytes.data() + 16, &shape, sizeof(shape));
  EXPECT_THAT(ErrorOf(bytes), HasSubstr("truncated"));
}

TEST(Batch, SizesOutOfRangeAreAnError) {
  const SharedBlob blob = Written(Discrete(4, 2, /*masked=*/false));
  constexpr size_t kShape = 16;  // after the magic number and the size of the tail
  for (const int32_t size : {-1, 0, 1 << 24, (1 << 24) + 1, INT32_MAX, INT32_MIN}) {
    for (size_t field = 0; field < 8; ++field) {
      std::string bytes(blob->view());
      for (size_t also = field; also < 8; ++also) {
        std::memcpy(bytes.data() + kShape + 4 * also, &size, sizeof(size));
        if (size == 0 && also > 2) continue;  // no actions' values, masks and bags: as it was
        EXPECT_NE(ErrorOf(bytes), "") << size << " from " << field << " to " << also;
      }
    }
  }
}

// One step of one environment that `change` has damaged, against what `spec` allows.
template <typename Change>
std::string ErrorAgainst(const EnvSpec& spec, const Change& change) {
  BatchWriter writer(BatchShape::Of(spec, /*steps=*/2, /*envs=*/1));
  auto& columns = writer.columns();
  std::ranges::fill(columns.masks, uint8_t{1});
  std::ranges::fill(columns.action_indices, 0);
  std::ranges::fill(columns.bags, int16_t{-1});
  std::ranges::fill(columns.terminated, uint8_t{0});
  std::ranges::fill(columns.truncated, uint8_t{0});
  change(writer);
  const SharedBlob blob = writer.Finish({});
  try {
    BatchReader(blob->view()).ExpectOf(spec);
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(Batch, AnActionThatTheTaskDoesNotHaveIsAnError) {
  const EnvSpec spec = Discrete(3, 5, /*masked=*/false);
  for (const int32_t action : {-1, 5, 6, INT32_MAX, INT32_MIN}) {
    EXPECT_THAT(ErrorAgainst(spec, [&](BatchWriter& b) { b.columns().action_indices[1] = action; }),
                HasSubstr(Cat("action ", action, " of 5 at sample 1")));
  }
  EXPECT_EQ(ErrorAgainst(spec, [](BatchWriter& b) { b.columns().action_indices[1] = 4; }), "");
}

TEST(Batch, AnActionThatItsMaskForbidsIsAnError) {
  const EnvSpec spec = Discrete(3, 5, /*masked=*/true);
  EXPECT_THAT(ErrorAgainst(spec, [](BatchWriter& b) { b.columns().masks[5 + 0] = 0; }),
              HasSubstr("action 0 at sample 1, where the mask forbids it"));
  EXPECT_EQ(ErrorAgainst(spec, [](BatchWriter& b) { b.columns().masks[5 + 1] = 0; }), "");
}

TEST(Batch, ABatchOfAnotherTaskIsAnError) {
  const SharedBlob blob = Written(Discrete(4, 2, /*masked=*/false));
  const BatchReader batch(blob->view());
  EXPECT_THROW(batch.ExpectOf(Discrete(5, 2, false)), Error);
  EXPECT_THROW(batch.ExpectOf(Discrete(4, 2, true)), Error);
  EXPECT_THROW(batch.ExpectOf(Continuous(4, 2)), Error);
  EXPECT_THROW(batch.ExpectOf(Bagged()), Error);
}

TEST(Batch, AnEpisodeThatIsLongerThanTheTasksIsAnErrorWhereBagsGrowWithIt) {
  EnvSpec spec = Bagged();
  spec.max_episode_steps = 3;
  const auto nothing = [](BatchWriter&) {};
  const auto joined = [](size_t states) {
    return [=](BatchWriter& b) { b.AddJoinedBefore(0, std::vector<int16_t>(6 * states, -1)); };
  };
  EXPECT_EQ(ErrorAgainst(spec, nothing), "");
  EXPECT_THAT(ErrorAgainst(spec, joined(1)), HasSubstr("episode of more than 3 steps"));
  EXPECT_EQ(ErrorAgainst(spec,
                         [&](BatchWriter& b) {
                           joined(2)(b);
                           b.columns().terminated[0] = 1;
                         }),
            "");
}

TEST(Batch, ABagWithoutIndicesIsAnError) {
  BatchShape shape = BatchShape::Of(Discrete(4, 2, /*masked=*/false), 1, 1);
  shape.bag.width = 10;
  EXPECT_NE(ErrorOf(BatchWriter(shape).Finish({})->view()), "");
}

TEST(Batch, AnOriginThatCannotBeIsAnError) {
  for (const BatchOrigin& origin : {BatchOrigin{.policy_version = -1}, BatchOrigin{.shard = -1},
                                    BatchOrigin{.first_env = INT32_MIN}}) {
    BatchWriter writer(BatchShape::Of(Discrete(4, 2, /*masked=*/false), 1, 1));
    EXPECT_NE(ErrorOf(writer.Finish(origin)->view()), "");
  }
}

}  // namespace
}  // namespace dray
