#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "src/base/bytes.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/episode.h"
#include "src/envs/dvrptw/planned_requests.h"
#include "src/envs/dvrptw/riders.h"
#include "src/oracle/insertion.h"
#include "src/routing/problem.h"

namespace dray {

// Offer: a customer is shown some of the day's four slots and books one, or goes elsewhere.
inline constexpr int kSlots = 4;
inline constexpr int kOfferActions = 1 << kSlots;  // bit i: slot i is offered
inline constexpr int kOfferAll = kOfferActions - 1;

struct OfferCustomer {
  int stop = 0;                           // of the template
  Flexibility type = Flexibility::kNone;  // hidden from the policy
  int personal_slot = 0;                  // the one that type none accepts
  double taste = 0;                       // in [0, 1): which of the slots it could take it takes

  // Late dropoff takes the later two, early pickup the earlier two, none its own, both any.
  uint8_t Accepts() const;
};

// Where an episode's customers come from: their places, demands and own windows are the stops of a
// problem, one request each. Generated anew for every episode, or read from a file once.
class OfferSource {
 public:
  explicit OfferSource(const DvrptwConfig& config);

  int customers() const { return customers_; }
  // The customers of an episode, in order of arrival, and the problem they are stops of.
  std::vector<OfferCustomer> Draw(const EpisodeKey& key, Problem* stops) const;

 private:
  Problem Generate(Rng& rng) const;

  int customers_;
  DvrptwConfig::TypeSplit types_;
  Fleet fleet_;                          // of generated customers
  std::shared_ptr<const Problem> file_;  // null: generated
};

// One episode of one environment.
class OfferDay {
 public:
  explicit OfferDay(const OfferSource& source) : source_(&source) {}

  void Begin(const EpisodeKey& key);

  const EpisodeKey& key() const { return key_; }
  int step() const { return static_cast<int>(actions_.size()); }
  int customers() const { return static_cast<int>(customers_.size()); }
  bool over() const { return step() == customers(); }
  const OfferCustomer& customer() const { return customers_[actions_.size()]; }
  // Everybody's place, demand and own window.
  const Problem& stops() const { return stops_; }
  const std::vector<OfferCustomer>& everybody() const { return customers_; }
  // The slot that customer i booked, or -1.
  int booked(int i) const { return booked_[static_cast<size_t>(i)]; }
  // The window of a customer that books a slot: the slot, as far as its own window allows. Closes
  // before it opens when they do not meet.
  RequestWindows WindowOf(const OfferCustomer& customer, int slot) const;
  // What losing a customer costs, in ticks: 1.5 times the mean way there and back.
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
