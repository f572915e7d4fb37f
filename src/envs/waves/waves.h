#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/env/env.h"
#include "src/envs/waves/agenda.h"
#include "src/envs/waves/day.h"
#include "src/envs/waves/instances.h"
#include "src/envs/waves/observer.h"
#include "src/envs/waves/waves.pb.h"

namespace dray::waves {

// Instances and settings shared by the environments of a batch.
struct WavesWorld {
  explicit WavesWorld(const WavesConfig& settings);

  EnvSpec spec;
  Instances instances;
  std::vector<Observer> observers;  // one per instance
  int rounds = 0;
};

// Dispatching in waves, one decision per step: the request at hand waits (0) or leaves with this
// epoch's vehicles (1). Requests that must go take no step, so an epoch may have none. The episode
// is a day. Its return is minus the driving time in hours; a step pays the change of an estimate,
// the driving time of earlier epochs plus that of this epoch's routes by cheapest insertion.
class Waves : public Env {
 public:
  explicit Waves(std::shared_ptr<const WavesWorld> world);

  const EnvSpec& spec() const override { return world_->spec; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  void WriteEpisodeStats(std::span<double> stats) const override;
  std::string Render() const override;
  // Returns the day that the last step ended, for DayOfFrame; empty: it ended none.
  std::string Frame() const override { return ended_day_; }

  // Writes the instance, the day's decisions and those of the running epoch.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  // A running day.
  struct State {
    int instance = 0;
    std::optional<Day> day;
    std::optional<Agenda> agenda;  // none when the day is done
    int decisions = 0;             // made on this day
    int dispatched = 0;            // decisions to dispatch
  };

  // Dispatches finished epochs until there is a decision or the day is done.
  void Advance(State& state) const;
  State StartDay(int instance, uint64_t seed) const;
  // Driving time so far, in seconds, that of the running epoch estimated.
  int64_t Estimate() const;
  void Observe(std::span<float> observation) const;

  const std::shared_ptr<const WavesWorld> world_;
  State state_;
  std::string ended_day_;
};

// Returns the day of a frame that is not empty.
Day DayOfFrame(const Instances& instances, std::string_view frame);

}  // namespace dray::waves
