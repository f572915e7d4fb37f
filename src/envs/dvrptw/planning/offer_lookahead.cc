#include "src/envs/dvrptw/planning/offer_lookahead.h"

#include <chrono>
#include <vector>

#include "src/envs/dvrptw/random_streams.h"

namespace dray {
namespace {

// What the rule thinks is wrong in the mean but without noise. Beside 48 futures, 8 such make a
// decision a quarter cheaper and no worse, as far as 128 days can tell; 32 make it worse.
constexpr double kRuleFutures = 8;

// Everything random about one decision: named by day and step, so that it is the same for any
// layout of shards.
Rng ChanceAt(const OfferDay& day) {
  const EpisodeKey& key = day.key();
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  const uint64_t day_seed = Rng(env_seed, kFuturesStream, key.episode).Next64();
  return Rng(day_seed, kFuturesStream, static_cast<uint64_t>(day.step()));
}

}  // namespace

OfferLookahead::OfferLookahead(const OfferSource& source, const Settings& settings)
    : source_(source),
      settings_(settings),
      foresight_(settings.shares, settings.rounds),
      odds_(settings.shares) {}

int OfferLookahead::Decide(const OfferDay& day) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const int possible = LoadOutcomes(day);
  if (possible == 0) return 0;
  Rng rng = ChanceAt(day);
  const auto seen = std::span(day.everybody()).first(static_cast<size_t>(day.step()) + 1);
  source_.DrawFuture(day.stops(), seen, rng, future_);
  Begin(possible, future_);
  for (int played = 0; played < settings_.futures; ++played) {
    source_.DrawFuture(day.stops(), seen, rng, future_);
    PlayOne(day, rng.Next64());
    if (race_.Decided()) break;
    const std::chrono::duration<double, std::milli> took = Clock::now() - start;
    if (settings_.decision_ms > 0 && took.count() > settings_.decision_ms) break;
  }
  return race_.Best();
}

void OfferLookahead::Begin(int possible, const OfferFuture& future) {
  const double lost = KeenOnServing(static_cast<double>(future.lost_penalty));
  std::vector<int> offers;
  for (int offered = possible; offered >= 0; --offered) {
    if ((offered & ~possible) != 0) continue;
    offers.push_back(offered);
    prior_[offered] = static_cast<float>(odds_.Expected(offered, prices_, lost));
  }
  race_.Begin(offers, {prior_, future.customers.empty() ? 0 : kRuleFutures});
}

int OfferLookahead::LoadOutcomes(const OfferDay& day) {
  StopSketch& before = after_[kLost];
  before.Load(day.own.problem, day.own.plan);
  const SlotWindows windows = WindowsOf(day, day.asked());
  SlotSeats seats;
  before.Cheapest(day.asked(), windows, seats);
  for (size_t slot = 0; slot < kSlots; ++slot) {
    prices_[slot] = seats[slot].price;
    if (!seats[slot].possible()) continue;
    after_[slot] = before;
    after_[slot].Add(Agreed(day.asked(), windows[slot]), seats[slot]);
  }
  return PossibleSlots(seats);
}

double OfferLookahead::ChanceOf(size_t outcome, int offered) const {
  return outcome == kLost ? odds_.IsLost(offered) : odds_.Books(offered, static_cast<int>(outcome));
}

void OfferLookahead::PlayOne(const OfferDay& day, uint64_t chance) {
  std::array<double, kOutcomes> values{};
  for (size_t outcome = 0; outcome < kOutcomes; ++outcome) {
    if (!race_.Any([&](int offered) { return ChanceOf(outcome, offered) > 0; })) continue;
    values[outcome] = foresight_.Play(day, after_[outcome], future_, chance);
    ++played_;
  }
  values[kLost] += static_cast<double>(future_.lost_penalty);
  race_.Play([&](int offered) {
    double mean = 0;
    for (size_t outcome = 0; outcome < kOutcomes; ++outcome) {
      mean += ChanceOf(outcome, offered) * values[outcome];
    }
    return mean;
  });
}

}  // namespace dray
