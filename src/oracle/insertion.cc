#include "src/oracle/insertion.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/oracle/oracle_entry.h"

namespace dray {

std::vector<OracleAnswer> InsertionOracle::Solve(std::span<const Problem* const> problems) {
  std::vector<OracleAnswer> answers;
  answers.reserve(problems.size());
  for (const Problem* problem : problems) {
    book_.Load(*problem);
    book_.Clear(tours_);
    answers.push_back(Finish());
  }
  return answers;
}

std::vector<OracleAnswer> InsertionOracle::Improve(std::span<const Problem* const> problems,
                                                   std::span<const Plan* const> plans) {
  DRAY_CHECK_EQ(problems.size(), plans.size());
  std::vector<OracleAnswer> answers;
  answers.reserve(problems.size());
  for (size_t i = 0; i < problems.size(); ++i) {
    book_.Load(*problems[i]);
    book_.Adopt(*plans[i], tours_);
    answers.push_back(Finish());
  }
  return answers;
}

OracleAnswer InsertionOracle::Finish() {
  book_.InsertAbsent(tours_);
  if (with_local_search_) {
    local_search_.Run(book_, tours_);
    // The moves may have made room.
    if (!tours_.absent.empty()) book_.InsertAbsent(tours_);
  }
  return book_.Answer(tours_);
}

namespace oracles {

OracleEntry insertion() {
  return {.make = [](const OracleConfig&, const OracleContext&) -> std::unique_ptr<Oracle> {
    return std::make_unique<InsertionOracle>();
  }};
}

}  // namespace oracles

void PricedInsertion::Load(const Problem& problem, const Plan& plan) {
  book_.Load(problem);
  book_.Adopt(plan, tours_);
  alone_.Clear(book_.table());
}

void PricedInsertion::Price(int request, std::span<const RequestWindows> windows,
                            std::span<int64_t> costs) {
  DRAY_CHECK_EQ(windows.size(), costs.size());
  DRAY_CHECK(tours_.slot_of[request] < 0);
  RequestView view = book_.table().View(request);
  const int capacity = book_.table().capacity();
  const int64_t opening = book_.OpeningCost(tours_);
  for (size_t i = 0; i < windows.size(); ++i) {
    view.pickup.opens = windows[i].pickup_opens;
    view.pickup.closes = windows[i].pickup_closes;
    view.delivery.opens = windows[i].delivery_opens;
    view.delivery.closes = windows[i].delivery_closes;
    int64_t best = kImpossible;
    for (const int slot : tours_.used) {
      const Insertion where = tours_.routes[slot].Cheapest(view, capacity);
      if (where.possible()) best = std::min<int64_t>(best, where.cost);
    }
    if (opening != Seat::kImpossible) {
      const Insertion where = alone_.Cheapest(view, capacity);
      if (where.possible()) best = std::min(best, where.cost + opening);
    }
    costs[i] = best;
  }
}

}  // namespace dray
