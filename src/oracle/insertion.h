#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/local_search.h"
#include "src/oracle/oracle.h"
#include "src/oracle/tours.h"

namespace dray {

// Inserts requests in order, each at its cheapest place, then runs local search to a local optimum.
class InsertionOracle : public Oracle {
 public:
  explicit InsertionOracle(bool local_search = true) : with_local_search_(local_search) {}

  std::string name() const override { return "insertion"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;

  // Keeps the plans and inserts the missing requests; runs local search only if enabled.
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

 private:
  OracleAnswer Finish();

  bool with_local_search_;
  TourBook book_;
  Tours tours_;
  LocalSearch local_search_;
};

// Time windows that a request could have instead of its own.
struct RequestWindows {
  Ticks pickup_opens = 0;
  Ticks pickup_closes = 0;
  Ticks delivery_opens = 0;  // only for pairs
  Ticks delivery_closes = 0;
};

// Prices a request that a plan does not serve yet, under any number of windows, without changing
// the plan.
class PricedInsertion {
 public:
  static constexpr int64_t kImpossible = Seat::kImpossible;

  // Loads a plan that is feasible for all requests it contains.
  void Load(const Problem& problem, const Plan& plan);

  // Writes the cost of serving the request at its cheapest place, per window: added travel, plus
  // the vehicle if one more must be paid for. kImpossible if no vehicle can serve it.
  void Price(int request, std::span<const RequestWindows> windows, std::span<int64_t> costs);

 private:
  TourBook book_;
  Tours tours_;
  Route alone_;
};

}  // namespace dray
