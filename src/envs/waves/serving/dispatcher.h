#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/waves/day.h"
#include "src/envs/waves/policies/dispatch_policy.h"

namespace dray::waves {

// An order told from outside; its request has no number yet.
struct LiveOrder {
  std::string name;
  Request request;
};

// What leaves with one wave, and what waits.
struct Wave {
  Ticks departure = 0;
  Routes routes;                 // numbers of requests
  std::vector<Request> waiting;  // as the next wave will see them, with must_go
};

// Decides wave by wave for orders that come from outside.
class Dispatcher {
 public:
  Dispatcher(std::shared_ptr<const Instance> instance, std::unique_ptr<DispatchPolicy> policy,
             const Effort& effort, uint64_t seed);

  const Instance& instance() const { return *instance_; }
  const Day& day() const { return day_; }
  // Name of the order with this number.
  const std::string& NameOf(int id) const { return names_.at(id - 1); }

  void BeginDay();
  // Dispatches the wave that leaves at `departure`, a whole hour after those before, with new
  // orders. An order that cannot be served, is known already or had to leave with an earlier wave
  // is an Error, and nothing changes.
  Wave Dispatch(Ticks departure, const std::vector<LiveOrder>& orders);

 private:
  std::shared_ptr<const Instance> instance_;
  std::unique_ptr<DispatchPolicy> policy_;
  Effort effort_;
  Rng rng_;
  Day day_;
  std::vector<std::string> names_;
};

}  // namespace dray::waves
