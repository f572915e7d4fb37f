#include "src/search/order_kernel.h"

#include <cmath>

#include "src/base/error.h"

namespace dray {

double OrderKernel(const SearchConfig& config, int discordant, int pairs, double variance) {
  switch (config.kernel()) {
    case SearchConfig::MALLOWS:
      return variance * std::exp(-config.decay() * discordant);
    case SearchConfig::KENDALL:
      // One item has no pairs, and its only order equals itself.
      return pairs == 0 ? variance : variance * (1 - 2.0 * discordant / pairs);
  }
  CheckFailed(__FILE__, __LINE__, "a known kernel", "");
}

SquareMatrix OrderCovariance(const SearchConfig& config, const Orders& orders) {
  SquareMatrix covariance(orders.count());
  for (int a = 0; a < orders.count(); ++a) {
    for (int b = 0; b <= a; ++b) {
      covariance(a, b) = covariance(b, a) =
          OrderKernel(config, orders.DiscordantPairs(a, b), orders.pairs());
    }
  }
  return covariance;
}

}  // namespace dray
