#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "src/oracle/local_search.h"
#include "src/oracle/oracle.h"
#include "src/oracle/tours.h"

namespace dray {

// Cheapest insertion in the order of the requests, then local search to an optimum of its moves.
class InsertionOracle : public Oracle {
 public:
  explicit InsertionOracle(bool local_search = true) : with_local_search_(local_search) {}

  std::string name() const override { return "insertion"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override;

  // Keeps the plans and inserts what they lack; no local search unless the oracle has one.
  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override;

 private:
  OracleAnswer Finish();

  bool with_local_search_;
  TourBook book_;
  Tours tours_;
  LocalSearch local_search_;
};

// Windows that a request might get instead of its own.
struct RequestWindows {
  Ticks pickup_opens = 0;
  Ticks pickup_closes = 0;
  Ticks delivery_opens = 0;  // of a pair
  Ticks delivery_closes = 0;
};

// Prices a request that a kept plan does not serve yet, with any number of windows, and leaves the
// plan as it is.
class PricedInsertion {
 public:
  static constexpr int64_t kImpossible = Seat::kImpossible;

  // Takes a plan that is feasible for all requests it has.
  void Load(const Problem& problem, const Plan& plan);

  // What serving the request adds at its cheapest place, by window: travel, and the vehicle if one
  // more must be paid. kImpossible: no vehicle can.
  void Price(int request, std::span<const RequestWindows> windows, std::span<int64_t> costs);

 private:
  TourBook book_;
  Tours tours_;
  Route alone_;
};

}  // namespace dray
