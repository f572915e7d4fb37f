#include "src/oracle/ruin_recreate.h"

#include <utility>

#include "src/base/error.h"
#include "src/oracle/fewest_vehicles_search.h"
#include "src/oracle/oracle_entry.h"
#include "src/oracle/ruin_recreate_search.h"

namespace dray {
namespace {

auto Rank(const OracleAnswer& answer) {
  return std::make_pair(answer.cost.unserved, answer.cost.total());
}

}  // namespace

int64_t MostRounds(const RuinRecreateOptions& options) {
  const int64_t rounds = int64_t{options.rounds} * options.searches;
  // Rounds of founders, and of their children.
  return options.fewest_vehicles ? 15 * rounds : rounds;
}

RuinRecreateOracle::RuinRecreateOracle(RuinRecreateOptions options)
    : options_(options), search_(std::make_unique<RuinRecreateSearch>(options)) {
  DRAY_CHECK_GE(options.rounds, 0);
  DRAY_CHECK_GE(options.searches, 1);
}

RuinRecreateOracle::~RuinRecreateOracle() = default;

std::vector<OracleAnswer> RuinRecreateOracle::Solve(std::span<const Problem* const> problems) {
  std::vector<OracleAnswer> answers;
  answers.reserve(problems.size());
  for (const Problem* problem : problems) {
    answers.push_back(options_.fewest_vehicles
                          ? FewestVehiclesSearch(options_, *search_).Run(*problem)
                          : LeastTravel(*problem));
  }
  return answers;
}

OracleAnswer RuinRecreateOracle::LeastTravel(const Problem& problem) {
  OracleAnswer best = search_->Run(problem, nullptr, options_.rounds, 0);
  for (int search = 1; search < options_.searches; ++search) {
    OracleAnswer other = search_->Run(problem, nullptr, options_.rounds, search);
    if (Rank(other) < Rank(best)) best = std::move(other);
  }
  return best;
}

std::vector<OracleAnswer> RuinRecreateOracle::Improve(std::span<const Problem* const> problems,
                                                      std::span<const Plan* const> plans) {
  DRAY_CHECK_EQ(problems.size(), plans.size());
  std::vector<OracleAnswer> answers;
  answers.reserve(problems.size());
  for (size_t i = 0; i < problems.size(); ++i) {
    answers.push_back(search_->Run(*problems[i], plans[i], options_.rounds, 0));
  }
  return answers;
}

namespace oracles {

OracleEntry ruin_recreate() {
  return {.make = [](const OracleConfig& config,
                     const OracleContext& context) -> std::unique_ptr<Oracle> {
    return std::make_unique<RuinRecreateOracle>(
        RuinRecreateOptions{.rounds = config.rounds(),
                            .seed = config.seed(),
                            .searches = context.searches,
                            .fewest_vehicles = context.fewest_vehicles,
                            .rounds_done = context.rounds_done});
  }};
}

}  // namespace oracles

}  // namespace dray
