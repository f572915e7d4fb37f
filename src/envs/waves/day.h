#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/waves/instance.h"
#include "src/envs/waves/numpy_random.h"
#include "src/envs/waves/request.h"

namespace dray::waves {

// Numbers of requests, route by route, in the order of their visits.
using Routes = std::vector<std::vector<int>>;

// A day of the dynamic problem of the EURO Meets NeurIPS 2022 competition, exactly as its
// environment plays it. In each epoch, routes are chosen for some of the open requests; the cost is
// the driving time of all routes. Guarantees:
// - The requests of a day that is not live are a function of (instance, seed) alone: decisions do
//   not change what arrives.
// - open() is sorted by number, and open()[i].id are the numbers that Dispatch takes.
// - Every open request can be served by a vehicle that leaves at departure() and serves nothing
//   else, so an epoch always has valid routes.
// - Nothing depends on the machine or on floating-point arithmetic.
class Day {
 public:
  Day(std::shared_ptr<const Instance> instance, uint64_t seed);
  // Returns a day whose requests all come from outside, by Add.
  static Day Live(std::shared_ptr<const Instance> instance);

  const Instance& instance() const { return *instance_; }
  uint64_t seed() const { return seed_; }
  // Returns which of the instance's recorded days this one is; -1 if it is none.
  int recorded_day() const {
    return live_ || instance_->recorded.empty()
               ? -1
               : static_cast<int>(seed_ % instance_->recorded.size());
  }
  // Epoch to decide; after the last decision, instance().last_epoch + 1.
  int epoch() const { return epoch_; }
  bool done() const { return epoch_ > instance_->last_epoch; }
  bool last_epoch() const { return epoch_ == instance_->last_epoch; }
  // Time at which the vehicles of this epoch leave. Later than a request's `opens` is allowed.
  Ticks departure() const { return instance_->Departure(epoch_); }
  // Requests that arrived and are not dispatched; empty when done. In the last epoch, all must go.
  std::span<const Request> open() const { return open_; }
  // Requests that have arrived so far, dispatched or not; the request with number i is at i - 1.
  std::span<const Request> arrived() const { return arrived_; }

  // Returns the reason why the rules forbid these routes, in one line that names the request; empty
  // if they allow them.
  std::optional<std::string> FindFault(const Routes& routes) const;
  // Adds requests to the open ones of a live day, with the next numbers. One that no vehicle of
  // this epoch can serve is an Error, and nothing changes.
  void Add(std::span<const Request> requests);
  // Sends vehicles on these routes and begins the next epoch. Forbidden routes are an Error and
  // change nothing.
  void Dispatch(const Routes& routes);

  // Driving time of all routes dispatched so far, in seconds.
  int64_t cost() const { return cost_; }
  // Returns the driving time of routes over requests that have arrived.
  int64_t DrivingTime(const Routes& routes) const;
  // Routes of each epoch so far, from instance().first_epoch on.
  std::span<const Routes> dispatched() const { return dispatched_; }

  // Saves the seed and the decisions; Load plays them again. The instance is not saved.
  void Save(ByteWriter& out) const;
  static Day Load(std::shared_ptr<const Instance> instance, ByteReader& in);

 private:
  Day(std::shared_ptr<const Instance> instance, uint64_t seed, bool live);

  void BeginEpoch();
  void Open(std::span<const Request> requests);
  // Returns the requests that arrive at the beginning of the epoch.
  std::vector<Request> Arriving();
  const Request* FindOpen(int id) const;
  std::optional<std::string> FindFault(std::span<const int> route) const;

  std::shared_ptr<const Instance> instance_;
  uint64_t seed_;
  bool live_;
  NumpyRandom random_;
  int epoch_;
  std::vector<Request> arrived_;
  std::vector<Request> open_;
  std::vector<Routes> dispatched_;
  int64_t cost_ = 0;
};

}  // namespace dray::waves
