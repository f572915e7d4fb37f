#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/env/env.h"
#include "src/envs/delivery/step_pricing.h"
#include "src/envs/dvrptw/day.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/flexibility/beliefs.h"
#include "src/envs/dvrptw/flexibility/choice_buffer.h"
#include "src/envs/dvrptw/negotiate_reward.h"
#include "src/envs/dvrptw/observer.h"
#include "src/envs/dvrptw/planning/appraiser.h"
#include "src/envs/dvrptw/world.h"

namespace dray::dvrptw {

// Returns what the oracle of these settings is made for.
inline OracleContext OracleContextOf(const DvrptwConfig& config) {
  return {.requests = config.num_customers(), .settings = "env.dvrptw.oracle."};
}

// Riders ask for trips one by one; an action proposes a shift of the windows. All environments step
// together, and one oracle call prices what was agreed in all of them.
class NegotiateEnv : public BatchEnv {
 public:
  NegotiateEnv(const DvrptwConfig& config, const EnvStreams& streams, int count,
               AcceptanceRule accept = AcceptByType);
  // Uses another oracle than the config's.
  NegotiateEnv(const DvrptwConfig& config, const EnvStreams& streams, int count,
               AcceptanceRule accept, MadeOracle oracle);

  const EnvSpec& spec() const override { return spec_; }
  int size() const override { return std::ssize(days_); }
  void OnRollout(const RolloutContext& context) override;
  void OnRolloutEnd() override { pricing_.OnRolloutEnd(); }
  void Reset(std::span<float> observations, std::span<uint8_t> masks,
             std::span<int16_t> bags) override;
  void Step(const Actions& actions, const StepSlots& slots) override;
  void Appraise(std::span<float> appraisals) override;
  std::vector<Episode> TakeEpisodes() override;
  // Returns the choices of the riders, for ChoicesOf.
  std::string TakeSideSamples() override;
  std::vector<double> TakeRolloutStats() override;
  ServiceUse TakeServiceUse() override { return pricing_.TakeUse(); }
  std::string Render(int env) const override;
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

  const World& world() const { return *world_; }
  const Day& day(int env) const { return days_[env]; }
  // Beliefs about the riders on an environment's current day.
  const Beliefs& beliefs(int env) const { return strangers_[env] != 0 ? nothing_ : beliefs_; }
  double epsilon() const { return epsilon_; }

  // Sets a function that is called with every finished day, before the next one begins.
  using DayWatcher = std::function<void(int env, const Day& day)>;
  void set_day_watcher(DayWatcher watcher) { watcher_ = std::move(watcher); }

  // Replaces the current request by a trip of a rider who has not asked yet today, and writes the
  // environment's state, as Reset does.
  void Ask(int env, int rider, const Trip& trip, std::span<float> observation,
           std::span<uint8_t> mask, std::span<int16_t> bag);

  // See Observer.
  void PriceActions(int env, std::span<int64_t> costs) {
    observer_.PriceActions(days_[env], costs);
  }

 private:
  EnvSpec MakeSpec(const std::string& oracle_note) const;
  std::string SavedName() const;
  void BeginDay(size_t env);
  // Computes what is kept beside a day.
  void Attend(size_t env);
  void CloseDay(size_t env);
  void WriteState(size_t env, std::span<float> observation, std::span<uint8_t> mask,
                  std::span<int16_t> bag);
  void WriteMask(size_t env, std::span<uint8_t> mask) const;

  const DvrptwConfig config_;
  std::shared_ptr<const World> world_;
  AcceptanceRule accept_;
  delivery::StepPricing pricing_;
  Observer observer_;
  EnvSpec spec_;
  std::vector<Day> days_;
  std::vector<EpisodeKey> next_;  // key of the next episode, by environment
  Beliefs beliefs_;
  const Beliefs nothing_;           // beliefs on a day among strangers
  std::vector<uint8_t> strangers_;  // 1 if an environment's day is one among strangers
  double epsilon_ = 0;
  NegotiateReward reward_;
  std::unique_ptr<Appraiser> appraiser_;  // null: actions are not appraised

  DayWatcher watcher_;
  std::vector<Episode> episodes_;
  std::vector<Choice> choices_;
};

}  // namespace dray::dvrptw
