#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/episode.h"
#include "src/envs/dvrptw/offer_customer.h"
#include "src/envs/dvrptw/offer_source.h"
#include "src/envs/dvrptw/planned_requests.h"
#include "src/oracle/insertion.h"
#include "src/routing/problem.h"

namespace dray {

// One episode of one environment.
class OfferDay {
 public:
  explicit OfferDay(const OfferSource& source) : source_(&source) {}

  void Begin(const EpisodeKey& key);
  // With other customers than the source has for this key.
  void Begin(const EpisodeKey& key, Problem stops, std::vector<OfferCustomer> customers);

  const EpisodeKey& key() const { return key_; }
  int step() const { return static_cast<int>(actions_.size()); }
  int customers() const { return static_cast<int>(customers_.size()); }
  bool over() const { return step() == customers(); }
  const OfferCustomer& customer() const { return customers_[actions_.size()]; }
  // Its place, demand and own window.
  const Stop& asked() const { return stops_.stops[customer().stop]; }
  // Everybody's.
  const Problem& stops() const { return stops_; }
  const std::vector<OfferCustomer>& everybody() const { return customers_; }
  // The slot that customer i booked, or -1.
  int booked(int i) const { return booked_[i]; }
  // The window at a stop for which a slot is booked: the slot, as far as its own window allows.
  // Closes before it opens when they do not meet.
  RequestWindows WindowOf(const Stop& stop, int slot) const;
  int64_t lost_penalty() const { return lost_penalty_; }

  // Shows these slots; whether one was booked. The booked request then stands last in own.problem,
  // to be planned.
  bool Decide(int action);

  PlannedRequests own;  // of those who booked
  double total_reward = 0;

  int served() const { return static_cast<int>(own.problem.requests.size()); }
  // By type: served, and asked so far.
  const std::array<int, kFlexibilityTypes>& served_by_type() const { return served_by_type_; }
  const std::array<int, kFlexibilityTypes>& asked_by_type() const { return asked_by_type_; }

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  const OfferSource* source_;
  EpisodeKey key_;
  std::vector<OfferCustomer> customers_;
  Problem stops_;
  int64_t lost_penalty_ = 0;
  std::vector<int8_t> actions_;
  std::vector<int8_t> booked_;
  std::array<int, kFlexibilityTypes> served_by_type_{};
  std::array<int, kFlexibilityTypes> asked_by_type_{};
};

}  // namespace dray
