#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/delivery/planned_requests.h"
#include "src/envs/dvrptw_offer/customer.h"
#include "src/envs/dvrptw_offer/customer_source.h"
#include "src/oracle/insertion.h"
#include "src/routing/problem.h"

namespace dray::dvrptw_offer {

using delivery::PlannedRequests;

// One episode of one environment: customers come one by one, and each is offered some slots.
class Day {
 public:
  explicit Day(const CustomerSource& source) : source_(&source) {}

  void Begin(const EpisodeKey& key);
  // Begins a day with other customers than the source has for this key.
  void Begin(const EpisodeKey& key, Problem stops, std::vector<Customer> customers);

  const EpisodeKey& key() const { return key_; }
  int step() const { return std::ssize(actions_); }
  int customers() const { return std::ssize(customers_); }
  bool over() const { return step() == customers(); }
  // The current customer; not once the day is over.
  const Customer& customer() const { return customers_[actions_.size()]; }
  // Place, demand and own window of the current customer.
  const Stop& asked() const { return stops_.stops[customer().stop]; }
  // Stops of all customers of the day.
  const Problem& stops() const { return stops_; }
  const std::vector<Customer>& everybody() const { return customers_; }
  // Slot that customer i booked, or -1.
  int booked(int i) const { return booked_[i]; }
  // Returns the time window at a stop for a booked slot: where the slot and the stop's own window
  // overlap. Closes before it opens if they do not.
  RequestWindows WindowOf(const Stop& stop, int slot) const;
  int64_t lost_penalty() const { return lost_penalty_; }

  // Offers these slots; returns whether one was booked. The booked request is then the last one of
  // own.problem and still has to be planned.
  bool Decide(int action);

  PlannedRequests own;  // requests of those who booked
  double total_reward = 0;

  int served() const { return std::ssize(own.problem.requests); }
  // Customers so far by type: those served, and all.
  const std::array<int, kFlexibilityTypes>& served_by_type() const { return served_by_type_; }
  const std::array<int, kFlexibilityTypes>& asked_by_type() const { return asked_by_type_; }

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  const CustomerSource* source_;
  EpisodeKey key_;
  std::vector<Customer> customers_;
  Problem stops_;
  int64_t lost_penalty_ = 0;
  std::vector<int8_t> actions_;
  std::vector<int8_t> booked_;
  std::array<int, kFlexibilityTypes> served_by_type_{};
  std::array<int, kFlexibilityTypes> asked_by_type_{};
};

}  // namespace dray::dvrptw_offer
