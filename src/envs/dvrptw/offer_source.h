#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "src/base/rng.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/episode.h"
#include "src/envs/dvrptw/offer_customer.h"
#include "src/routing/problem.h"

namespace dray {

// The file of env.dvrptw.instance.
Problem ReadCustomers(const DvrptwConfig& config);

// What losing a customer costs, in ticks: 1.5 times the mean way there and back.
int64_t LostPenalty(int64_t round_trips, int customers);

// One way that the rest of a day may go.
struct OfferFuture {
  std::vector<OfferCustomer> customers;  // those to come, in order of arrival
  // As in the day's own problem, with all that concerns those to come drawn anew.
  std::vector<Stop> stops;
  std::span<const Ticks> travel;  // row by row
  int64_t lost_penalty = 0;

  std::vector<Point> points;        // of generated customers
  std::vector<Ticks> drawn_travel;  // behind travel, of generated customers
};

// Where an episode's customers come from: their places, demands and own windows are the stops of a
// problem, one request each. Generated anew for every episode, or read from a file once.
class OfferSource {
 public:
  explicit OfferSource(const DvrptwConfig& config);

  int customers() const { return customers_; }
  // The customers of an episode, in order of arrival, and the problem they are stops of.
  std::vector<OfferCustomer> Draw(const EpisodeKey& key, Problem* stops) const;
  // How a day may go on that has `seen` these customers of `stops`. Of the others it goes by what
  // anybody knows beforehand: a file's customers by their stops, generated ones by how they are
  // generated. Memory of `future` is used again.
  void DrawFuture(const Problem& stops, std::span<const OfferCustomer> seen, Rng& rng,
                  OfferFuture& future) const;

 private:
  Problem Generate(Rng& rng) const;
  // Those to come are generated anew, at the stops that they have.
  void Replace(const Problem& stops, Rng& rng, OfferFuture& future) const;
  void DrawAnswers(std::span<OfferCustomer> customers, Rng& rng) const;

  int customers_;
  DvrptwConfig::TypeSplit types_;
  Fleet fleet_;                          // of generated customers
  std::shared_ptr<const Problem> file_;  // null: generated
};

}  // namespace dray
