#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "src/config/config.pb.h"
#include "src/search/order_model.h"
#include "src/search/orders.h"
#include "src/search/trial.h"

namespace dray {

// Chooses the orders to train next from the results so far. Its whole state is the list of results
// in the order they were told; given the same results, it makes the same choices.
//
//   gp_ucb  A share of the orders is drawn at random by the seed, spread evenly among the others,
//           because a search that only visits good orders never sees how much they are better. The
//           others have the highest upper confidence bound under a Gaussian process over all orders
//           (Srinivas et al., 2010), whose noise is that of the seeds and of the episodes
//           (order_model.h). Several choices at once follow GP-BUCB (Desautels et al., 2014): each
//           is added as if it had resulted in the posterior mean, so that the next one differs. An
//           order is chosen again if its bound is the highest; repeated results average out the
//           luck of the seeds.
//   random  All orders in a random order given by the seed, then again in another.
//
// A training that did not comply says nothing about the value of following the order. It is also
// added at the posterior mean: nothing is learned from its return, and the search tries other
// orders first.
class OrderSearch {
 public:
  OrderSearch(const SearchConfig& config, int items, uint64_t seed);

  // Returns a search with the same settings and no results.
  OrderSearch Fresh(uint64_t seed) const;

  // A chosen order and the belief about its return at that time; NaN before the first result that
  // counts.
  struct Choice {
    int order;
    double mean, standard_deviation, upper_bound;
  };
  // Returns the next orders, all different as long as there are enough. A larger count only appends
  // to them.
  std::vector<Choice> Next(int count) const;

  // Adds a result. Impossible results are an Error. A result without episodes or without a finite
  // return is treated as one that did not comply.
  void Tell(int order, const TrialResult& result);

  // Returns true if a result counts: its policy complied enough and it has a return.
  bool Counts(const TrialResult& result) const;

  // Posterior of each order's return, in units of return, and the bounds for the next choice.
  // Before the first result: mean 0, standard deviation 1.
  struct Belief {
    std::vector<double> mean, standard_deviation, upper_bound;
    // Share of the OrderModel, and its standard deviations in units of return.
    double order_share, order_deviation, seed_deviation;
  };
  Belief Believed() const;

  // Estimates how much more one order returns than another, in units of return, averaged over all
  // shares of the variance by their likelihood: a single share would be overconfident.
  Estimate Difference(int a, int b) const;

  // The results that count, standardised, and the units used.
  struct Scores {
    std::vector<Observation> values;  // with the noise of the mean over episodes
    double mean = 0;
    double deviation = 1;
    double episode_variance = 0;  // typical variance of one episode, in units of return squared
  };
  Scores Scored() const;

  // For each result in order, whether it counts.
  std::vector<bool> Counted() const;

  const SearchConfig& config() const { return config_; }
  const Orders& orders() const { return domain_->orders; }
  // Kernel with variance 1.
  const SquareMatrix& kernel() const { return domain_->kernel; }
  int told() const { return results_.size(); }

 private:
  struct Told {
    int order;
    TrialResult result;
  };
  struct Domain {
    Orders orders;
    SquareMatrix kernel;
  };

  // Noise variance in standardised units.
  double NoiseOf(const TrialResult& result, const Scores& scale) const;
  static Choice InReturns(const Scores& scores, int order, const Posterior& posterior,
                          std::span<const double> bounds);
  // Number of random choices among the first `trials`.
  int RandomOf(int trials) const;
  // Order of the n-th random choice, counted from 0.
  int AtRandom(int n) const;

  SearchConfig config_;
  std::shared_ptr<const Domain> domain_;
  uint64_t seed_;
  std::vector<Told> results_;
};

}  // namespace dray
