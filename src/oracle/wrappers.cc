#include "src/oracle/wrappers.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "src/base/error.h"

namespace dray {

std::vector<OracleAnswer> TimedOracle::Solve(std::span<const Problem* const> problems) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<OracleAnswer> answers = inner_->Solve(problems);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  ++times_.calls;
  times_.problems += static_cast<int64_t>(problems.size());
  times_.seconds += elapsed.count();
  ++times_.batch_sizes[problems.size()];
  return answers;
}

OracleTimes TimedOracle::TakeTimes() { return std::exchange(times_, {}); }

SplittingOracle::SplittingOracle(std::unique_ptr<Oracle> inner, size_t max_batch)
    : inner_(std::move(inner)), limit_(max_batch) {
  DRAY_CHECK_GT(max_batch, size_t{0});
}

std::vector<OracleAnswer> SplittingOracle::Solve(std::span<const Problem* const> problems) {
  std::vector<OracleAnswer> answers;
  answers.reserve(problems.size());
  while (answers.size() < problems.size()) {
    const auto part =
        problems.subspan(answers.size(), std::min(limit_, problems.size() - answers.size()));
    try {
      std::vector<OracleAnswer> some = inner_->Solve(part);
      DRAY_CHECK_EQ(some.size(), part.size());
      std::move(some.begin(), some.end(), std::back_inserter(answers));
    } catch (const std::bad_alloc&) {
      if (part.size() == 1) {
        throw Failure("the ", name(), " oracle ran out of memory on one problem of ",
                      part[0]->requests.size(), " requests");
      }
      limit_ = part.size() / 2;
    }
  }
  return answers;
}

}  // namespace dray
