#pragma once

#include <cstdint>
#include <vector>

#include "src/config/config.pb.h"
#include "src/search/gaussian_process.h"
#include "src/search/orders.h"
#include "src/search/trial.h"

namespace dray {

// Chooses which orders to train next, from what came of those before. Its whole state is the list
// of results that it was told, in their order: told the same again, it chooses the same again.
//
//   gp_ucb  the order with the highest upper confidence bound under a Gaussian process over all
//           orders (Srinivas et al., 2010). Several at once as GP-BUCB has it (Desautels et al.,
//           2014): each choice is put in as if it had come out at the posterior mean, so that the
//           next goes elsewhere. An order may be chosen again; its results average out the noise.
//   random  all orders in an order that the seed decides, and then again in another.
//
// A training that did not comply tells nothing about what following the order is worth. It is put
// in at the posterior mean too: nothing is learned from its return, and the search goes elsewhere
// first.
class OrderSearch {
 public:
  OrderSearch(const SearchConfig& config, int items, uint64_t seed);

  // The next orders by index, all different as long as there are so many. The first ones are the
  // same for any larger count.
  std::vector<int> Next(int count) const;

  // Impossible results are an Error. One without episodes or without a finite return counts as one
  // that did not comply.
  void Tell(int order, const TrialResult& result);

  // Whether a result counts: its policy complied enough, and it has a return.
  bool Counts(const TrialResult& result) const;

  // What is believed of each order's return, in units of return, and the bounds of the next choice.
  // Before the first result: mean 0, standard deviation 1.
  struct Belief {
    std::vector<double> mean, standard_deviation, upper_bound;
    double log_marginal_likelihood = 0;  // of the standardised returns
  };
  Belief Believed() const;

  const Orders& orders() const { return orders_; }
  int told() const { return static_cast<int>(results_.size()); }

 private:
  struct Told {
    int order;
    TrialResult result;
  };
  // Returns are searched among in units of their own spread.
  struct Scale {
    double mean = 0;
    double deviation = 1;
    double episode_variance = 0;  // typical of one episode, in units of return squared
  };

  Scale ScaleNow() const;
  // In standardised units.
  double NoiseOf(const TrialResult& result, const Scale& scale) const;
  std::vector<Observation> Counted(const Scale& scale) const;
  std::vector<int> NextByBound(int count) const;
  std::vector<int> NextAtRandom(int count) const;

  SearchConfig config_;
  Orders orders_;
  uint64_t seed_;
  SquareMatrix prior_;
  std::vector<Told> results_;
};

}  // namespace dray
