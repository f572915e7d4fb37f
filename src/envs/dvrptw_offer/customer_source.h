#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/delivery/episode_key.h"
#include "src/envs/dvrptw_offer/customer.h"
#include "src/envs/dvrptw_offer/dvrptw_offer.pb.h"
#include "src/routing/problem.h"

namespace dray::dvrptw_offer {

using delivery::EpisodeKey;

// Reads the file env.dvrptw_offer.instance.
Problem ReadCustomers(const DvrptwOfferConfig& config);

// Returns the cost of losing a customer in ticks: 1.5 times the mean round trip from the depot.
int64_t LostPenalty(int64_t round_trips, int customers);

// A possible rest of a day.
struct Future {
  std::vector<Customer> customers;  // still to come, in order of arrival
  // Stops of the day's problem, with those of the customers still to come drawn anew.
  std::vector<Stop> stops;
  std::span<const Ticks> travel;  // row by row
  int64_t lost_penalty = 0;

  std::vector<Point> points;        // used for generated customers
  std::vector<Ticks> drawn_travel;  // memory of travel, for generated customers
};

// Provides the customers of every episode: their places, demands and own windows are the stops of a
// problem, one request each. They are generated for every episode, or read once from a file.
class CustomerSource {
 public:
  explicit CustomerSource(const DvrptwOfferConfig& config);

  int customers() const { return customers_; }
  // Returns the customers of an episode in order of arrival; writes the problem with their stops.
  std::vector<Customer> Draw(const EpisodeKey& key, Problem* stops) const;
  // Draws how a day may go on after these customers of `stops` were `seen`. Uses only what is known
  // beforehand: the stops of a file, or how customers are generated. Reuses the memory of `future`.
  void DrawFuture(const Problem& stops, std::span<const Customer> seen, Rng& rng,
                  Future& future) const;

 private:
  Problem Generate(Rng& rng) const;
  // Generates the customers still to come anew, at the stops that they have.
  void Replace(const Problem& stops, Rng& rng, Future& future) const;
  void DrawAnswers(std::span<Customer> customers, Rng& rng) const;

  int customers_;
  delivery::TypeSplit types_;
  Fleet fleet_;                          // used for generated customers
  std::shared_ptr<const Problem> file_;  // null: generated
};

}  // namespace dray::dvrptw_offer
