#include "src/envs/dvrptw/planning/lookahead.h"

#include <chrono>
#include <vector>

namespace dray {
namespace {

constexpr double kSurely = 0.999;

double AgreesTo(const TypeBelief& belief, int action) {
  double sum = 0;
  for (size_t type = 0; type < belief.size(); ++type) {
    if (Accepts(static_cast<Flexibility>(type), action)) sum += belief[type];
  }
  return sum;
}

}  // namespace

Lookahead::Lookahead(const DeliveryWorld& world, const Settings& settings)
    : world_(world),
      settings_(settings),
      options_(world, settings.foresight.patience_weight),
      foresight_(world, settings.foresight) {}

int Lookahead::Decide(const DeliveryDay& day, std::span<const uint8_t> mask,
                      std::span<const TypeBelief> beliefs, const Race::Prior& prior) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  options_.Load(day, mask);
  if (options_.actions().size() == 1) return options_.actions()[0];
  Begin(beliefs[day.arrival().rider], prior);
  std::vector<int> pending = PendingRiders(world_, day);
  Rng rng = ChanceOf(day, /*stream=*/0);
  for (int played = 0; played < settings_.futures; ++played) {
    DrawFuture(world_, beliefs, pending, rng, future_);
    PlayOne(future_, rng.Next64());
    if (race_.Decided()) break;
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    if (settings_.decision_ms > 0 && took.count() > settings_.decision_ms) break;
  }
  return race_.Best();
}

void Lookahead::Begin(const TypeBelief& belief, const Race::Prior& prior) {
  may_refuse_ = false;
  for (const int action : options_.actions()) {
    double& agrees = agrees_[action];
    agrees = AgreesTo(belief, action);
    may_refuse_ |= agrees < kSurely;
  }
  race_.Begin(options_.actions(), prior);
}

void Lookahead::PlayOne(const Future& future, uint64_t chance) {
  // What comes of a shift that is refused is what comes of none.
  const double refused = may_refuse_ ? foresight_.Play(options_, kNoShift, future, chance) : 0;
  race_.Play([&](int action) {
    if (may_refuse_ && action == kNoShift) return refused;
    const double value = foresight_.Play(options_, action, future, chance);
    ++played_;
    const double agrees = agrees_[action];
    return may_refuse_ ? agrees * value + (1 - agrees) * refused : value;
  });
}

}  // namespace dray
