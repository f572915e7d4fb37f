#include "src/envs/dvrptw/oracle_training/sequence_validation.h"

#include <numeric>
#include <utility>

#include "src/base/error.h"
#include "src/base/parallel_for.h"
#include "src/oracle/ruin_recreate.h"
#include "src/routing/plan.h"

namespace dray::dvrptw {
namespace {

constexpr size_t kBatch = 256;

double Sum(const std::vector<int64_t>& costs) {
  return static_cast<double>(std::accumulate(costs.begin(), costs.end(), int64_t{0}));
}

}  // namespace

SequenceValidation::SequenceValidation(std::vector<Problem> problems, const Reference& reference,
                                       int threads)
    : problems_(std::move(problems)), costs_(problems_.size()) {
  DRAY_CHECK(!problems_.empty());
  ParallelFor(threads, problems_.size(), [&](size_t i, int) {
    RuinRecreateOracle search({.rounds = reference.rounds, .searches = reference.searches});
    costs_[i] = search.SolveOne(problems_[i]).cost.total();
  });
}

double SequenceValidation::Gap(Oracle& oracle) const {
  double sum = 0;
  for (size_t start = 0; start < problems_.size(); start += kBatch) {
    std::vector<const Problem*> pointers;
    for (size_t i = start; i < std::min(start + kBatch, problems_.size()); ++i)
      pointers.push_back(&problems_[i]);
    const std::vector<OracleAnswer> answers = oracle.Solve(pointers);
    for (size_t i = 0; i < answers.size(); ++i) {
      const Simulation driven = Simulate(*pointers[i], answers[i].plan);
      DRAY_CHECK(driven.violations.empty());
      DRAY_CHECK_EQ(driven.cost.unserved, 0);
      sum += static_cast<double>(driven.cost.total());
    }
  }
  return sum / Sum(costs_) - 1;
}

double SequenceValidation::mean_cost() const {
  return Sum(costs_) / static_cast<double>(costs_.size());
}

}  // namespace dray::dvrptw
