#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/env/env.h"
#include "src/envs/delivery/step_pricing.h"
#include "src/envs/dvrptw_offer/booking_odds.h"
#include "src/envs/dvrptw_offer/day.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "src/oracle/insertion.h"

namespace dray::dvrptw_offer {

// Returns what the oracle of these settings is made for.
inline OracleContext OracleContextOf(const DvrptwOfferConfig& config) {
  return {.requests = config.num_customers(), .settings = "env.dvrptw_offer.oracle."};
}

// Customers come one by one; an action is the set of slots to offer. All environments step
// together, and one oracle call plans what was booked in all of them.
//
// The observation is a token per customer so far, then the context of the new one:
//   token    present, new, x and y from the depot in units of the mean round trip (without
//            coordinates: travel there and back), demand by capacity, window opens and closes by
//            the day, lost
//   context  share of customers seen, share of them served, vehicles by free vehicles; then for
//   each
//            slot whether it can be served, and what that adds in units of the mean round trip
class OfferEnv : public BatchEnv {
 public:
  OfferEnv(const DvrptwOfferConfig& config, const EnvStreams& streams, int count);
  // Uses another oracle than the config's.
  OfferEnv(const DvrptwOfferConfig& config, const EnvStreams& streams, int count,
           MadeOracle oracle);

  const EnvSpec& spec() const override { return spec_; }
  int size() const override { return std::ssize(days_); }
  void Reset(std::span<float> observations, std::span<uint8_t> masks,
             std::span<int16_t> bags) override;
  void Step(const Actions& actions, const StepSlots& slots) override;
  std::vector<Episode> TakeEpisodes() override;
  std::vector<double> TakeRolloutStats() override { return pricing_.TakeStats(); }
  void OnRollout(const RolloutContext& context) override { pricing_.OnRollout(context); }
  void OnRolloutEnd() override { pricing_.OnRolloutEnd(); }
  ServiceUse TakeServiceUse() override { return pricing_.TakeUse(); }
  std::string Render(int env) const override;
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

  const CustomerSource& source() const { return source_; }
  const Day& day(int env) const { return days_[env]; }
  // Cost in ticks that each slot would add for the current customer of an environment;
  // PricedInsertion::kImpossible if the slot cannot be served.
  const SlotPrices& prices(int env) const { return prices_[env]; }

  // Sets a function that is called with every finished day, before the next one begins.
  using DayWatcher = std::function<void(int env, const Day& day)>;
  void set_day_watcher(DayWatcher watcher) { watcher_ = std::move(watcher); }

 private:
  EnvSpec MakeSpec(const std::string& oracle_note) const;
  void BeginDay(size_t env);
  void CloseDay(size_t env);
  void PriceSlots(size_t env);
  bool CanServe(size_t env, int slot) const;
  // Asks the current customer; returns whether a slot was booked.
  bool Offer(size_t env, int action);
  // Plans what was booked in these environments.
  void PlanBooked(std::span<const size_t> booked, std::span<float> rewards);
  void WriteObservation(size_t env, std::span<float> out) const;
  void WriteToken(const Day& day, int customer, float* token) const;
  void WriteMask(size_t env, std::span<uint8_t> mask) const;

  const DvrptwOfferConfig config_;
  CustomerSource source_;
  delivery::StepPricing pricing_;
  EnvSpec spec_;
  std::vector<Day> days_;
  std::vector<EpisodeKey> next_;
  std::vector<SlotPrices> prices_;  // prices for the current customer, by environment
  PricedInsertion insertion_;
  DayWatcher watcher_;
  std::vector<Episode> episodes_;
};

}  // namespace dray::dvrptw_offer
