#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/env/env.h"
#include "src/envs/dvrptw/booking_odds.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/offer_day.h"
#include "src/envs/dvrptw/step_pricing.h"
#include "src/oracle/insertion.h"

namespace dray {

// Customers come one by one; each action is the set of slots that one is offered. All environments
// are stepped together, and one call of the oracle plans what was booked in all of them.
//
// The observation is a token per customer so far, then what concerns the new one:
//   token    here, new, x and y from the depot in units of the longest way (without a map: the ways
//            there and back), demand by capacity, window opens and closes by the day, lost
//   context  share of customers seen, share of them served, vehicles by free vehicles, and last,
//            for each slot, whether it can be served and what that adds by the mean way out and
//            back
class OfferEnv : public BatchEnv {
 public:
  OfferEnv(const DvrptwConfig& config, const EnvStreams& streams, int count);
  // With an oracle other than the config's.
  OfferEnv(const DvrptwConfig& config, const EnvStreams& streams, int count, MadeOracle oracle);

  const EnvSpec& spec() const override { return spec_; }
  int size() const override { return static_cast<int>(days_.size()); }
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

  const OfferSource& source() const { return source_; }
  const OfferDay& day(int env) const { return days_[env]; }
  // What each slot would add for the present customer of an environment at the cheapest place, in
  // ticks; PricedInsertion::kImpossible where nobody can serve it.
  const SlotPrices& prices(int env) const { return prices_[env]; }

  // Called with every day that is over, before the next one begins.
  using DayWatcher = std::function<void(int env, const OfferDay& day)>;
  void set_day_watcher(DayWatcher watcher) { watcher_ = std::move(watcher); }

 private:
  EnvSpec MakeSpec(const std::string& oracle_note) const;
  void BeginDay(size_t env);
  void CloseDay(size_t env);
  // What each slot would add for the new customer of an environment.
  void PriceSlots(size_t env);
  void WriteObservation(size_t env, std::span<float> out) const;
  void WriteMask(size_t env, std::span<uint8_t> mask) const;

  const DvrptwConfig config_;
  OfferSource source_;
  StepPricing pricing_;
  EnvSpec spec_;
  std::vector<OfferDay> days_;
  std::vector<EpisodeKey> next_;
  std::vector<SlotPrices> prices_;  // of the new customer, by environment
  PricedInsertion insertion_;
  DayWatcher watcher_;
  std::vector<Episode> episodes_;
};

}  // namespace dray
