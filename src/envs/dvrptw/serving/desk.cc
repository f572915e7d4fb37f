#include "src/envs/dvrptw/serving/desk.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"
#include "src/nets/sampling.h"

namespace dray::dvrptw {
namespace {

// The masked softmax of the policy's outputs.
std::array<double, kShiftActions> Probabilities(std::span<const float> logits,
                                                std::span<const uint8_t> mask) {
  double most = -INFINITY;
  for (size_t i = 0; i < kShiftActions; ++i) {
    if (mask[i] != 0) most = std::max(most, static_cast<double>(logits[i]));
  }
  std::array<double, kShiftActions> shares{};
  double sum = 0;
  for (size_t i = 0; i < kShiftActions; ++i) {
    if (mask[i] != 0) sum += shares[i] = std::exp(logits[i] - most);
  }
  for (double& share : shares) share /= sum;
  return shares;
}

}  // namespace

Desk::Desk(const Config& config, std::string_view weights, std::string_view side_model)
    : env_(config.env().GetExtension(DvrptwConfig::dvrptw),
           {.seed = config.evaluation().seed(), .purpose = RngPurpose::kEvaluation},
           /*count=*/1, [this](const Rider&, const Trip&, int /*action*/) { return agrees_; }),
      policy_(env_.spec(), config.network()),
      has_asked_(env_.world().riders.size()),
      observation_(static_cast<size_t>(env_.spec().observation_size)),
      final_observation_(observation_.size()),
      mask_(kShiftActions),
      bag_(static_cast<size_t>(env_.spec().bag.indices())) {
  policy_.Load(weights);
  // As at the end of a run: nothing is tried out any more.
  env_.OnRollout({.progress = 1, .side_model = side_model});
  // The last request of a day ends it: its plan is kept here.
  env_.set_day_watcher([this](int /*env*/, const Day& day) { planned_ = day.own; });
  BeginDay();
}

void Desk::BeginDay() {
  env_.Reset(observation_, mask_, bag_);
  policy_.Resume(std::vector<std::vector<int16_t>>(1));
  std::ranges::fill(has_asked_, uint8_t{0});
  answered_ = 0;
  over_ = false;
  planned_ = env_.day(0).own;
  planned_riders_.clear();
}

Proposal Desk::Ask(int rider, const Trip& trip) {
  DRAY_CHECK(!over_ && !HasAsked(rider));
  rider_ = rider;
  env_.Ask(/*env=*/0, rider, trip, observation_, mask_, bag_);
  std::array<int64_t, kShiftActions> costs;
  env_.PriceActions(0, costs);
  const std::span<const float> logits = policy_.Follow(observation_, bag_);
  const auto shares = Probabilities(logits, mask_);
  Proposal proposal;
  for (size_t i = 0; i < kShiftActions; ++i) {
    proposal.options[i] = {.probability = shares[i], .added_min = {}, .allowed = mask_[i] != 0};
    if (costs[i] != PricedInsertion::kImpossible) {
      proposal.options[i].added_min = Minutes(costs[i]);
    }
  }
  action_ = BestAction(logits, mask_);
  proposal.action = action_;
  return proposal;
}

bool Desk::Answer(bool agrees) {
  agrees_ = agrees;
  float reward = 0;
  uint8_t terminated = 0, truncated = 0;
  const StepSlots slots{observation_,       mask_, {&reward, 1}, {&terminated, 1}, {&truncated, 1},
                        final_observation_, bag_};
  const int32_t action = action_;
  const size_t before = planned_.problem.requests.size();
  env_.Step({{&action, 1}, {}}, slots);
  env_.TakeEpisodes();
  env_.TakeSideSamples();
  over_ = terminated != 0;
  if (!over_) planned_ = env_.day(0).own;
  has_asked_[rider_] = 1;
  ++answered_;
  const bool served = planned_.problem.requests.size() > before;
  if (served) planned_riders_.push_back(rider_);
  return served;
}

}  // namespace dray::dvrptw
