#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "src/config/config.pb.h"
#include "src/search/order_model.h"
#include "src/search/orders.h"
#include "src/search/trial.h"

namespace dray {

// Chooses which orders to train next, from what came of those before. Its whole state is the list
// of results that it was told, in their order: told the same again, it chooses the same again.
//
//   gp_ucb  a share of the orders at random, which the seed decides, evenly among the others: a
//           search that goes only where it is good never sees by how much. Else the order with
//           the highest upper confidence bound under a Gaussian process over all orders (Srinivas
//           et al., 2010), whose noise is that of the seeds and of the episodes (order_model.h).
//           Several at once as GP-BUCB has it (Desautels et al., 2014): each choice is put in as if
//           it had come out at the posterior mean, so that the next goes elsewhere. An order is
//           chosen again when its bound is the highest; its results average out the luck of seeds.
//   random  all orders in an order that the seed decides, and then again in another.
//
// A training that did not comply tells nothing about what following the order is worth. It is put
// in at the posterior mean too: nothing is learned from its return, and the search goes elsewhere
// first.
class OrderSearch {
 public:
  OrderSearch(const SearchConfig& config, int items, uint64_t seed);

  // A search with the same settings that was told nothing.
  OrderSearch Fresh(uint64_t seed) const;

  // An order, and what was believed of its return when it was chosen; before the first result that
  // counts: not a number.
  struct Choice {
    int order;
    double mean, standard_deviation, upper_bound;
  };
  // The next orders, all different as long as there are so many. The first ones are the same for
  // any larger count.
  std::vector<Choice> Next(int count) const;

  // Impossible results are an Error. One without episodes or without a finite return counts as one
  // that did not comply.
  void Tell(int order, const TrialResult& result);

  // Whether a result counts: its policy complied enough, and it has a return.
  bool Counts(const TrialResult& result) const;

  // What is believed of each order's return, in units of return, and the bounds of the next choice.
  // Before the first result: mean 0, standard deviation 1.
  struct Belief {
    std::vector<double> mean, standard_deviation, upper_bound;
    // OrderModel's, and what it makes of returns: standard deviations.
    double order_share, order_deviation, seed_deviation;
  };
  Belief Believed() const;

  // How much more one order returns than another, in units of return, over all shares of the
  // variance that orders may have by their likelihood: one share alone would be too sure.
  Estimate Difference(int a, int b) const;

  // The results that count, in units of their own spread, and what these units are.
  struct Scores {
    std::vector<Observation> values;  // noise: that of the mean over episodes
    double mean = 0;
    double deviation = 1;
    double episode_variance = 0;  // typical of one episode, in units of return squared
  };
  Scores Scored() const;

  // What was told: in their order, whether each counts.
  std::vector<bool> Counted() const;

  const SearchConfig& config() const { return config_; }
  const Orders& orders() const { return domain_->orders; }
  // Of variance 1.
  const SquareMatrix& kernel() const { return domain_->kernel; }
  int told() const { return static_cast<int>(results_.size()); }

 private:
  struct Told {
    int order;
    TrialResult result;
  };
  struct Domain {
    Orders orders;
    SquareMatrix kernel;
  };

  // In standardised units.
  double NoiseOf(const TrialResult& result, const Scores& scale) const;
  static Choice InReturns(const Scores& scores, int order, const Posterior& posterior,
                          std::span<const double> bounds);
  // Of the first so many trials, how many are left to chance.
  int RandomOf(int trials) const;
  // The order of the n-th of them, from 0.
  int AtRandom(int n) const;

  SearchConfig config_;
  std::shared_ptr<const Domain> domain_;
  uint64_t seed_;
  std::vector<Told> results_;
};

}  // namespace dray
