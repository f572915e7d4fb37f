#include "src/envs/dvrptw/flexibility/bayes.h"

#include <algorithm>
#include <cmath>

#include "src/base/counts.h"
#include "src/base/error.h"

namespace dray::dvrptw {

Flexibility LikeliestType(const TypeBelief& belief) {
  return delivery::kEveryFlexibility[std::ranges::max_element(belief) - belief.begin()];
}

BayesBelief::BayesBelief(int riders, double noise, TypeBelief prior)
    : evidence_(riders), noise_(noise), prior_(prior) {
  DRAY_CHECK(noise >= 0 && noise <= 0.5);
  for (const float share : prior) DRAY_CHECK_GT(share, 0.0f);
}

void BayesBelief::Add(const Choice& choice) {
  Evidence& evidence = evidence_.at(choice.rider);
  ++evidence.answers;
  const uint8_t fitting = FittingTypes(choice.action, choice.accepted == 1);
  if (fitting == kAllTypes) return;
  ++evidence.telling;
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    evidence.against[type] += (fitting >> type & 1) == 0;
  }
}

int64_t BayesBelief::telling_answers(int rider) const { return evidence_.at(rider).telling; }

int64_t BayesBelief::answers(int rider) const { return evidence_.at(rider).answers; }

TypeBelief BayesBelief::Posterior(int rider) const {
  const Evidence& evidence = evidence_.at(rider);
  // All types have the same number of answers, so only differences between contradictions matter.
  const int64_t fewest = std::ranges::min(evidence.against);
  std::array<double, kFlexibilityTypes> weights{};
  double total = 0;
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    const double more = evidence.against[type] - fewest;
    weights[type] = prior_[type] * std::pow(noise_ / (1 - noise_), more);
    total += weights[type];
  }
  TypeBelief posterior{};
  for (int type = 0; type < kFlexibilityTypes; ++type) {
    posterior[type] = weights[type] / total;
  }
  return posterior;
}

BayesBelief BayesBelief::Of(std::span<const Choice> choices) const {
  BayesBelief belief(riders(), noise_, prior_);
  for (const Choice& choice : choices) belief.Add(choice);
  return belief;
}

void BayesBelief::Save(ByteWriter& out) const { out.PutVector(evidence_); }

void BayesBelief::Load(ByteReader& in) {
  std::vector<Evidence> evidence(evidence_.size());
  in.GetInto(std::span(evidence));
  for (const Evidence& rider : evidence) {
    if (rider.telling < 0 || rider.answers < rider.telling || !IsCount(rider.answers) ||
        std::ranges::any_of(rider.against, [&](int64_t n) { return n < 0 || n > rider.telling; })) {
      throw Failure("saved evidence about a rider's type is damaged");
    }
  }
  evidence_ = std::move(evidence);
}

}  // namespace dray::dvrptw
