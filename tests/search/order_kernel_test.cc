#include "src/search/order_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dray {
namespace {

SearchConfig WithKernel(SearchConfig::Kernel kernel, double decay = 0.2) {
  SearchConfig config;
  config.set_kernel(kernel);
  config.set_decay(decay);
  return config;
}

// All eigenvalues of a symmetric matrix, ascending, by Jacobi's rotations: another way than the
// factorisation that the search goes by.
std::vector<double> Eigenvalues(SquareMatrix m) {
  const int n = m.size();
  for (int sweep = 0; sweep < 20; ++sweep) {
    double off = 0;
    for (int p = 0; p < n; ++p) {
      for (int q = p + 1; q < n; ++q) {
        off += m(p, q) * m(p, q);
        if (std::abs(m(p, q)) < 1e-300) continue;
        const double theta = (m(q, q) - m(p, p)) / (2 * m(p, q));
        const double t = (theta >= 0 ? 1 : -1) / (std::abs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < n; ++k) {
          const double kp = m(k, p), kq = m(k, q);
          m(k, p) = c * kp - s * kq;
          m(k, q) = s * kp + c * kq;
        }
        for (int k = 0; k < n; ++k) {
          const double pk = m(p, k), qk = m(q, k);
          m(p, k) = c * pk - s * qk;
          m(q, k) = s * pk + c * qk;
        }
      }
    }
    if (off < 1e-20) break;
  }
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(m(i, i));
  std::ranges::sort(values);
  return values;
}

TEST(OrderKernel, MallowsDecaysWithEachDiscordantPair) {
  const SearchConfig config = WithKernel(SearchConfig::MALLOWS, 0.3);
  EXPECT_DOUBLE_EQ(OrderKernel(config, 0, 10), 1);
  EXPECT_DOUBLE_EQ(OrderKernel(config, 1, 10), std::exp(-0.3));
  EXPECT_DOUBLE_EQ(OrderKernel(config, 10, 10, 4), 4 * std::exp(-3));
}

TEST(OrderKernel, KendallIsTheRankCorrelation) {
  const SearchConfig config = WithKernel(SearchConfig::KENDALL);
  EXPECT_DOUBLE_EQ(OrderKernel(config, 0, 10), 1);
  EXPECT_DOUBLE_EQ(OrderKernel(config, 5, 10), 0);
  EXPECT_DOUBLE_EQ(OrderKernel(config, 10, 10), -1);
  EXPECT_DOUBLE_EQ(OrderKernel(config, 10, 10, 4), -4);
  EXPECT_DOUBLE_EQ(OrderKernel(config, 0, 0), 1);
}

TEST(OrderKernel, MallowsIsPositiveDefiniteOverAll120Orders) {
  for (const double decay : {0.05, 0.2, 1.0, 5.0}) {
    const SquareMatrix covariance =
        OrderCovariance(WithKernel(SearchConfig::MALLOWS, decay), Orders(5));
    EXPECT_GT(Eigenvalues(covariance).front(), 1e-9) << decay;
    EXPECT_EQ(Cholesky(covariance).jitter(), 0) << decay;
  }
}

TEST(OrderKernel, KendallIsPositiveSemidefiniteOfRankTenOverAll120Orders) {
  const SquareMatrix covariance = OrderCovariance(WithKernel(SearchConfig::KENDALL), Orders(5));
  const std::vector<double> values = Eigenvalues(covariance);
  EXPECT_GT(values.front(), -1e-10);
  EXPECT_EQ(std::ranges::count_if(values, [](double v) { return v > 1e-6; }), 10);
  const double jitter = Cholesky(covariance).jitter();
  EXPECT_GT(jitter, 0);
  EXPECT_LT(jitter, 1e-9);
}

}  // namespace
}  // namespace dray
