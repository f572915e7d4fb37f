#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "src/config/config.pb.h"
#include "src/envs/dvrptw/negotiate_env.h"
#include "src/nets/policy.h"

namespace dray::dvrptw {

// A proposal to a rider, with all options.
struct Proposal {
  struct Option {
    double probability = 0;           // according to the policy
    std::optional<double> added_min;  // cost that it adds; none: cannot be served
    bool allowed = false;             // according to the beliefs about the rider
  };

  int action = 0;  // the most probable one
  std::array<Option, kShiftActions> options;
};

// Lets a trained policy answer real riders one by one: requests and answers are given from outside,
// not drawn.
class Desk {
 public:
  // `side_model` has what was learned about the riders; may be empty.
  Desk(const Config& config, std::string_view weights, std::string_view side_model);

  const World& world() const { return env_.world(); }
  // Number of requests answered today, and of those in a whole day.
  int answered() const { return answered_; }
  int customers() const { return std::ssize(world().riders); }
  bool HasAsked(int rider) const { return has_asked_[rider] != 0; }

  // Returns whether all requests of the day were answered.
  bool over() const { return over_; }

  // Asks for a trip that is Servable, of a rider who has not asked today. Answer must follow before
  // the next request.
  Proposal Ask(int rider, const Trip& trip);
  // Gives the rider's answer to the last proposal; returns whether the request is served.
  bool Answer(bool agrees);
  // Requests agreed on today.
  const PlannedRequests& planned() const { return planned_; }
  // Rider of each planned request.
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
  std::vector<uint8_t> has_asked_;  // one per rider
  PlannedRequests planned_;
  std::vector<int> planned_riders_;
  std::vector<float> observation_, final_observation_;
  std::vector<uint8_t> mask_;
  std::vector<int16_t> bag_;
};

}  // namespace dray::dvrptw
