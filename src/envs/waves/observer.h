#pragma once

#include <memory>
#include <span>
#include <vector>

#include "src/envs/waves/agenda.h"
#include "src/envs/waves/day.h"

namespace dray::waves {

// Writes what the policy sees of the request that it decides, as numbers of about 0 to 1:
//   the request   epochs it can wait, hours until it opens and closes, width of its window, load,
//                 service, drives from and to the depot
//   the epoch     share of the day that is over, epochs left, requests dispatched, held and not
//                 decided, hours of driving so far
//   its company   cost of inserting it into the routes so far, relative to a route of its own; the
//                 two largest savings by sharing a route with a dispatched request, one not
//                 decided, and one held until the next epoch
//   the future    requests expected near it in the next epoch and in the rest of the day
class Observer {
 public:
  static constexpr int kSize = 24;

  explicit Observer(const Instance& instance);

  // The agenda is not finished.
  void Write(const Day& day, const Agenda& agenda, std::span<float> observation) const;

 private:
  const Instance* instance_;
  std::vector<double> near_;      // share of the customers that are near each place
  std::vector<double> arriving_;  // requests expected in each epoch, as a share of the draws
};

}  // namespace dray::waves
