#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "src/nets/policy.h"

namespace dray {

// What is proposed to a rider, and what it was chosen from.
struct Proposal {
  struct Option {
    double probability = 0;           // by the policy
    std::optional<double> added_min;  // to the plan's cost at the cheapest place; none: nobody can
    bool allowed = false;             // by what is believed of the rider
  };

  int action = 0;  // the likeliest one
  std::array<Option, kShiftActions> options;
};

// A trained policy that answers riders from outside, one by one: who asks, and whether they agree,
// is not drawn but told.
class DeliveryDesk {
 public:
  // `side_model`: what was learned of the riders; empty: nothing.
  DeliveryDesk(const Config& config, std::string_view weights, std::string_view side_model);

  const DeliveryWorld& world() const { return env_.world(); }
  // Requests that were answered today, and those that a day has.
  int answered() const { return answered_; }
  int customers() const { return static_cast<int>(world().riders.size()); }
  bool HasAsked(int rider) const { return has_asked_[rider] != 0; }

  // Nobody else can ask today.
  bool over() const { return over_; }

  // A rider who has not asked today asks for a trip that is Servable. Nobody else asks before the
  // answer.
  Proposal Ask(int rider, const Trip& trip);
  // The rider's answer to the last proposal; whether the request is served at all.
  bool Answer(bool agrees);
  // What was agreed to today.
  const PlannedRequests& planned() const { return planned_; }
  // The rider of each of its requests.
  const std::vector<int>& planned_riders() const { return planned_riders_; }

  void BeginDay();

 private:
  NegotiateEnv env_;
  Policy policy_;
  bool agrees_ = false;
  bool over_ = false;
  int answered_ = 0;
  int rider_ = 0;
  int action_ = 0;
  std::vector<uint8_t> has_asked_;  // by rider
  PlannedRequests planned_;
  std::vector<int> planned_riders_;
  std::vector<float> observation_, final_observation_;
  std::vector<uint8_t> mask_;
  std::vector<int16_t> bag_;
};

}  // namespace dray
