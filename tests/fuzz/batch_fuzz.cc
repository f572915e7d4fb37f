// A rollout's batch, up to what the learner follows its indices with.

#include <algorithm>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/rollout/bag_lists.h"
#include "src/rollout/batch.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {
namespace {

constexpr int kSteps = 3, kEnvs = 2;

std::vector<EnvSpec> Specs() {
  std::vector<EnvSpec> specs(4);
  for (EnvSpec& spec : specs) {
    spec.name = "made up";
    spec.observation_size = 3;
    spec.max_episode_steps = 5;
    spec.actions = ActionSpace::Discrete(4);
  }
  specs[1].masked = specs[1].appraises = true;
  specs[2].actions = ActionSpace::Box({-1, -1}, {1, 1});
  specs[3].masked = true;
  specs[3].bag = {.width = 20, .own = 2, .joining = 1};
  return specs;
}

std::string Valid(const EnvSpec& spec) {
  BatchWriter writer(BatchShape::Of(spec, kSteps, kEnvs));
  auto& columns = writer.columns();
  std::ranges::fill(columns.observations, 0.5f);
  std::ranges::fill(columns.bags, int16_t{3});
  std::ranges::fill(columns.masks, uint8_t{1});
  std::ranges::fill(columns.action_indices, 1);
  std::ranges::fill(columns.action_values, 0.5f);
  std::ranges::fill(columns.appraisals, 0.5f);
  std::ranges::fill(columns.log_probs, -1.0f);
  std::ranges::fill(columns.rewards, 1.0f);
  std::ranges::fill(columns.discounted_returns, 1.0f);
  std::ranges::fill(columns.terminated, uint8_t{0});
  std::ranges::fill(columns.truncated, uint8_t{0});
  writer.AddCutEpisode(3, std::vector<float>(static_cast<size_t>(spec.observation_size), 1.0f));
  if (spec.bag.width > 0) writer.AddJoinedBefore(1, std::vector<int16_t>{7});
  return std::string(writer.Finish({.policy_version = 1})->view());
}

}  // namespace

// Twice the bytes themselves, and lists of what joined the bags of at most five steps.
size_t MostMemory(size_t bytes) { return Times(40, bytes + 2000); }

void Read(std::string_view bytes) {
  const EnvSpec spec = Specs()[TakeChoice(bytes, 4)];
  const bool raw = TakeChoice(bytes, 2) == 1;
  const Blob aligned(raw ? std::string(bytes) : Edited(Valid(spec), bytes));
  const BatchReader batch(aligned.view());
  batch.ExpectOf(spec);
  const auto& columns = batch.columns();
  // As the learner follows them.
  std::vector<float> outputs(static_cast<size_t>(spec.actions.outputs()), 1.0f);
  std::vector<float> table(static_cast<size_t>(spec.bag.width), 1.0f);
  float sum = 0;
  for (const int32_t action : columns.action_indices) sum += outputs[static_cast<size_t>(action)];
  std::vector<float> samples(static_cast<size_t>(batch.shape().samples()));
  for (const CutEpisode& cut : batch.cuts()) {
    samples[static_cast<size_t>(cut.sample)] = cut.final_observation.at(0);
  }
  std::vector<std::vector<int16_t>> joined(static_cast<size_t>(batch.shape().envs));
  for (const JoinedBefore& before : batch.joined_before()) {
    joined[static_cast<size_t>(before.env)] = before.indices;
  }
  std::vector<uint8_t> ended(columns.terminated.size());
  std::ranges::transform(columns.terminated, columns.truncated, ended.begin(), std::logical_or<>());
  const BagLists lists = ListBags(batch.shape(), columns.bags, std::move(joined), ended);
  for (const int32_t index : lists.indices) sum += table[static_cast<size_t>(index)];
  [[maybe_unused]] const volatile float kept = sum;
}

}  // namespace dray::fuzz
