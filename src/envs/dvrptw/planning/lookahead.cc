#include "src/envs/dvrptw/planning/lookahead.h"

#include <vector>

namespace dray::dvrptw {
namespace {

constexpr double kSurely = 0.999;

double AgreesTo(const TypeBelief& belief, int action) {
  double sum = 0;
  for (const Flexibility type : delivery::kEveryFlexibility) {
    if (Accepts(type, action)) sum += belief[Index(type)];
  }
  return sum;
}

}  // namespace

Lookahead::Lookahead(const World& world, const Settings& settings)
    : world_(world),
      settings_(settings),
      options_(world, settings.foresight.patience_weight),
      foresight_(world, settings.foresight) {}

int Lookahead::Decide(const Day& day, std::span<const uint8_t> mask,
                      std::span<const TypeBelief> beliefs, const delivery::Race::Prior& prior) {
  options_.Load(day, mask);
  if (options_.actions().size() == 1) return options_.actions()[0];
  Begin(beliefs[day.arrival().rider], prior);
  std::vector<int> pending = PendingRiders(world_, day);
  Rng rng = delivery::DecisionRng(day.key(), day.step(), /*stream=*/0);
  return race_.Run(settings_.limits, [&] {
    DrawFuture(world_, beliefs, pending, rng, future_);
    PlayOne(future_, rng.Next64());
  });
}

void Lookahead::Begin(const TypeBelief& belief, const delivery::Race::Prior& prior) {
  may_refuse_ = false;
  for (const int action : options_.actions()) {
    double& agrees = agrees_[action];
    agrees = AgreesTo(belief, action);
    may_refuse_ |= agrees < kSurely;
  }
  race_.Begin(options_.actions(), prior);
}

void Lookahead::PlayOne(const Future& future, uint64_t chance) {
  // A refused shift leads to the same as no shift.
  const double refused = may_refuse_ ? foresight_.Play(options_, kNoShift, future, chance) : 0;
  race_.Play([&](int action) {
    if (may_refuse_ && action == kNoShift) return refused;
    const double value = foresight_.Play(options_, action, future, chance);
    ++played_;
    const double agrees = agrees_[action];
    return may_refuse_ ? agrees * value + (1 - agrees) * refused : value;
  });
}

}  // namespace dray::dvrptw
