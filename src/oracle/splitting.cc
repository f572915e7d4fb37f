#include "src/oracle/splitting.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/base/error.h"

namespace dray {

SplittingOracle::SplittingOracle(std::shared_ptr<Oracle> inner, size_t max_batch)
    : inner_(std::move(inner)), limit_(max_batch) {
  DRAY_CHECK_GT(max_batch, size_t{0});
}

template <typename Call>
std::vector<OracleAnswer> SplittingOracle::InParts(std::span<const Problem* const> problems,
                                                   const Call& call) {
  std::vector<OracleAnswer> answers;
  answers.reserve(problems.size());
  while (answers.size() < problems.size()) {
    const auto part =
        problems.subspan(answers.size(), std::min(limit(), problems.size() - answers.size()));
    try {
      std::vector<OracleAnswer> some = call(part, answers.size());
      DRAY_CHECK_EQ(some.size(), part.size());
      std::move(some.begin(), some.end(), std::back_inserter(answers));
    } catch (const std::bad_alloc&) {
      if (part.size() == 1) {
        throw Failure("the ", name(), " oracle ran out of memory on one problem of ",
                      part[0]->requests.size(),
                      " requests: free memory on its device, or choose another kind of oracle");
      }
      limit_ = part.size() / 2;
      ++splits_;
      ++untaken_splits_;
    }
  }
  return answers;
}

std::vector<OracleAnswer> SplittingOracle::Solve(std::span<const Problem* const> problems) {
  return InParts(problems, [&](auto part, size_t /*start*/) { return inner_->Solve(part); });
}

std::vector<OracleAnswer> SplittingOracle::Improve(std::span<const Problem* const> problems,
                                                   std::span<const Plan* const> plans) {
  DRAY_CHECK_EQ(problems.size(), plans.size());
  return InParts(problems, [&](auto part, size_t start) {
    return inner_->Improve(part, plans.subspan(start, part.size()));
  });
}

}  // namespace dray
