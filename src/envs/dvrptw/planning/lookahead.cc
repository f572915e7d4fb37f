#include "src/envs/dvrptw/planning/lookahead.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

namespace dray {
namespace {

constexpr int kLook = 8;  // futures between two looks at who is clearly worse
constexpr int kFirstLook = 16;
// Standard errors of a paired difference: many looks and many shifts make two of them too few.
constexpr double kClearly = 3;
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
                      std::span<const TypeBelief> beliefs, const Prior& prior) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  options_.Load(day, mask);
  if (options_.actions().size() == 1) return options_.actions()[0];
  Begin(beliefs[static_cast<size_t>(day.arrival().rider)]);
  std::vector<int> pending = PendingRiders(world_, day);
  Rng rng = ChanceOf(day, /*stream=*/0);
  for (int played = 1; played <= settings_.futures; ++played) {
    DrawFuture(world_, beliefs, pending, rng, future_);
    PlayOne(future_, rng.Next64());
    if (played >= kFirstLook && played % kLook == 0) {
      DropWorse(prior);
      if (candidates_.size() == 1) break;
    }
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    if (settings_.decision_ms > 0 && took.count() > settings_.decision_ms) break;
  }
  Rank(prior);
  return candidates_[0].action;
}

void Lookahead::Begin(const TypeBelief& belief) {
  candidates_.clear();
  may_refuse_ = false;
  for (const int action : options_.actions()) {
    const double agrees = AgreesTo(belief, action);
    may_refuse_ |= agrees < kSurely;
    candidates_.push_back({.action = action, .agrees = agrees, .values = {}, .score = 0});
  }
}

void Lookahead::PlayOne(const Future& future, uint64_t chance) {
  // What comes of a shift that is refused is what comes of none.
  const double refused = may_refuse_ ? foresight_.Play(options_, kNoShift, future, chance) : 0;
  for (Candidate& candidate : candidates_) {
    double value = refused;
    if (!may_refuse_ || candidate.action != kNoShift) {
      value = foresight_.Play(options_, candidate.action, future, chance);
      ++played_;
      if (may_refuse_) value = candidate.agrees * value + (1 - candidate.agrees) * refused;
    }
    candidate.values.push_back(value);
  }
}

void Lookahead::Rank(const Prior& prior) {
  for (Candidate& candidate : candidates_) {
    const auto count = static_cast<double>(candidate.values.size());
    double sum = std::accumulate(candidate.values.begin(), candidate.values.end(), 0.0);
    if (!prior.minutes.empty()) {
      sum += prior.futures * prior.minutes[static_cast<size_t>(candidate.action)];
    }
    candidate.score = sum / std::max(1.0, count + prior.futures);
  }
  // Of equals the one that comes first: no shift does.
  std::ranges::stable_sort(candidates_, {}, &Candidate::score);
}

void Lookahead::DropWorse(const Prior& prior) {
  Rank(prior);
  const std::vector<double>& best = candidates_[0].values;
  const auto count = static_cast<double>(best.size());
  std::erase_if(candidates_, [&](const Candidate& candidate) {
    double mean = 0, squares = 0;
    for (size_t i = 0; i < best.size(); ++i) mean += (candidate.values[i] - best[i]) / count;
    for (size_t i = 0; i < best.size(); ++i) {
      const double off = candidate.values[i] - best[i] - mean;
      squares += off * off;
    }
    const double error = std::sqrt(squares / (count - 1) / count) * count / (count + prior.futures);
    return candidate.score - candidates_[0].score > kClearly * error && squares > 0;
  });
}

}  // namespace dray
