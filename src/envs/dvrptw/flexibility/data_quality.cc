#include "src/envs/dvrptw/flexibility/data_quality.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

// Least probability of a type that the answers determine.
constexpr float kTold = 0.9f;
// Maximum number of riders named in a line.
constexpr size_t kNamed = 10;

std::string Customers(const std::vector<int>& riders) {
  std::string text = riders.size() == 1 ? "customer " : "customers ";
  for (size_t i = 0; i < std::min(riders.size(), kNamed); ++i) {
    text += Cat(i == 0 ? "" : ", ", riders[i]);
  }
  if (riders.size() > kNamed) text += Cat(" and ", riders.size() - kNamed, " more");
  return text;
}

}  // namespace

std::vector<std::string> DataQualityWarnings(const BayesBelief& evidence, int few_answers) {
  std::vector<int> unseen, few, one_sided;
  for (int rider = 0; rider < evidence.riders(); ++rider) {
    if (evidence.answers(rider) == 0) {
      unseen.push_back(rider);
    } else if (evidence.telling_answers(rider) < few_answers) {
      few.push_back(rider);
    } else if (std::ranges::max(evidence.Posterior(rider)) < kTold) {
      one_sided.push_back(rider);
    }
  }
  std::vector<std::string> warnings;
  const auto warn = [&warnings](const std::vector<int>& riders, const std::string& what) {
    if (!riders.empty()) {
      warnings.push_back(Cat("Data quality: ", what, " of ", Customers(riders)));
    }
  };
  warn(unseen, "no observations");
  warn(few, Cat("fewer than ", few_answers, " answers to a shift"));
  warn(one_sided, "one-sided observations, which leave several types open,");
  return warnings;
}

}  // namespace dray::dvrptw
