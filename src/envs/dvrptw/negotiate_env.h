#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/env/env.h"
#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/flexibility/choice_buffer.h"
#include "src/envs/dvrptw/negotiate_reward.h"
#include "src/envs/dvrptw/planning/appraiser.h"
#include "src/envs/dvrptw/planning/outlook.h"
#include "src/envs/dvrptw/step_pricing.h"
#include "src/envs/dvrptw/world.h"

namespace dray {

// Riders ask for trips one by one; each action proposes a shift of the windows. All environments
// are stepped together, and one call of the oracle prices what was agreed in all of them.
class NegotiateEnv : public BatchEnv {
 public:
  NegotiateEnv(const DvrptwConfig& config, const EnvStreams& streams, int count,
               AcceptanceRule accept = AcceptByType);
  // With an oracle other than the config's.
  NegotiateEnv(const DvrptwConfig& config, const EnvStreams& streams, int count,
               AcceptanceRule accept, MadeOracle oracle);

  const EnvSpec& spec() const override { return spec_; }
  int size() const override { return static_cast<int>(days_.size()); }
  void OnRollout(const RolloutContext& context) override;
  void OnRolloutEnd() override { pricing_.OnRolloutEnd(); }
  void Reset(std::span<float> observations, std::span<uint8_t> masks,
             std::span<int16_t> bags) override;
  void Step(const Actions& actions, const StepSlots& slots) override;
  void Appraise(std::span<float> appraisals) override;
  std::vector<Episode> TakeEpisodes() override;
  // Choices of the riders, as ChoicesOf reads them.
  std::string TakeSideSamples() override;
  std::vector<double> TakeRolloutStats() override;
  ServiceUse TakeServiceUse() override { return pricing_.TakeUse(); }
  std::string Render(int env) const override;
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

  const DeliveryWorld& world() const { return *world_; }
  const DeliveryDay& day(int env) const { return days_[env]; }
  // What is believed of the riders of an environment's present day.
  const Beliefs& beliefs(int env) const { return BeliefsOf(static_cast<size_t>(env)); }
  double epsilon() const { return epsilon_; }

  // Called with every day that is over, before the next one begins.
  using DayWatcher = std::function<void(int env, const DeliveryDay& day)>;
  void set_day_watcher(DayWatcher watcher) { watcher_ = std::move(watcher); }

  // Somebody outside asks in place of the rider whose turn it would be: a trip of a rider who has
  // not asked yet today. Writes the environment's state anew, as Reset does.
  void Ask(int env, int rider, const Trip& trip, std::span<float> observation,
           std::span<uint8_t> mask, std::span<int16_t> bag);

  // What agreeing to each action adds to the plan of an environment at the cheapest place, patience
  // not included, in ticks; PricedInsertion::kImpossible where nobody can serve it.
  void PriceActions(int env, std::span<int64_t> costs);

 private:
  EnvSpec MakeSpec(const std::string& oracle_note) const;
  std::string SavedName() const;
  void BeginDay(size_t env);
  // What is kept beside a day, worked out anew.
  void Attend(size_t env);
  void CloseDay(size_t env);
  void WriteState(size_t env, std::span<float> observation, std::span<int16_t> bag);
  void WriteObservation(size_t env, std::span<float> out);
  void WriteMask(size_t env, std::span<uint8_t> mask) const;
  S3Context ContextOf(size_t env);
  const Beliefs& BeliefsOf(size_t env) const;
  const TypeBelief& BeliefOf(size_t env) const;

  const DvrptwConfig config_;
  std::shared_ptr<const DeliveryWorld> world_;
  AcceptanceRule accept_;
  StepPricing pricing_;
  S2Layout layout_;
  EnvSpec spec_;
  std::vector<DeliveryDay> days_;
  std::vector<EpisodeKey> next_;  // the episode after the present one, by environment
  Beliefs beliefs_;
  const Beliefs nothing_;           // is known, on a day among strangers
  std::vector<uint8_t> strangers_;  // by environment: whether its day is one
  double epsilon_ = 0;
  NegotiateReward reward_;
  std::unique_ptr<Outlook> outlook_;      // of S4
  std::unique_ptr<Appraiser> appraiser_;  // null: actions are not appraised

  DayWatcher watcher_;
  std::vector<Episode> episodes_;
  std::vector<Choice> choices_;
  PricedInsertion insertion_;
};

}  // namespace dray
