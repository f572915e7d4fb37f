#include "src/search/gaussian_process.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "src/base/rng.h"
#include "src/search/order_kernel.h"

namespace dray {
namespace {

struct Inverse {
  SquareMatrix matrix;
  double log_determinant = 0;
};

// Gauss and Jordan, with pivoting by rows: another algorithm than the one under test.
Inverse Invert(SquareMatrix a) {
  const int n = a.size();
  Inverse result{SquareMatrix(n)};
  for (int i = 0; i < n; ++i) result.matrix(i, i) = 1;
  for (int column = 0; column < n; ++column) {
    int pivot = column;
    for (int row = column; row < n; ++row) {
      if (std::abs(a(row, column)) > std::abs(a(pivot, column))) pivot = row;
    }
    for (int k = 0; k < n; ++k) {
      std::swap(a(pivot, k), a(column, k));
      std::swap(result.matrix(pivot, k), result.matrix(column, k));
    }
    const double divisor = a(column, column);
    result.log_determinant += std::log(std::abs(divisor));
    for (int k = 0; k < n; ++k) {
      a(column, k) /= divisor;
      result.matrix(column, k) /= divisor;
    }
    for (int row = 0; row < n; ++row) {
      const double factor = a(row, column);
      if (row == column || factor == 0) continue;
      for (int k = 0; k < n; ++k) {
        a(row, k) -= factor * a(column, k);
        result.matrix(row, k) -= factor * result.matrix(column, k);
      }
    }
  }
  return result;
}

// The textbook formulas, every observation a row of its own.
Posterior Reference(const SquareMatrix& prior, const std::vector<Observation>& seen) {
  const int n = static_cast<int>(seen.size());
  const auto at = [&](int i) -> const Observation& { return seen[static_cast<size_t>(i)]; };
  SquareMatrix covariance(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) covariance(i, j) = prior(at(i).point, at(j).point);
    covariance(i, i) += at(i).noise_variance;
  }
  const Inverse inverse = Invert(covariance);
  Posterior posterior;
  for (int point = 0; point < prior.size(); ++point) {
    double mean = 0, variance = prior(point, point);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const double weight = prior(point, at(i).point) * inverse.matrix(i, j);
        mean += weight * at(j).value;
        variance -= weight * prior(at(j).point, point);
      }
    }
    posterior.mean.push_back(mean);
    posterior.variance.push_back(variance);
  }
  double quadratic = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) quadratic += at(i).value * inverse.matrix(i, j) * at(j).value;
  }
  posterior.log_marginal_likelihood =
      -0.5 * (quadratic + inverse.log_determinant + n * std::log(2 * std::numbers::pi));
  return posterior;
}

std::vector<Observation> RandomObservations(uint64_t seed, int count, int domain) {
  Rng rng(seed, RngPurpose::kTest, 0);
  std::vector<Observation> seen;
  for (int i = 0; i < count; ++i) {
    seen.push_back({static_cast<int>(rng.Below(static_cast<uint32_t>(domain))), rng.Normal(),
                    rng.Uniform(0.01, 0.5)});
  }
  return seen;
}

TEST(GaussianProcess, PosteriorIsThatOfADirectInverse) {
  for (const auto kernel : {SearchConfig::MALLOWS, SearchConfig::KENDALL}) {
    SearchConfig config;
    config.set_kernel(kernel);
    const SquareMatrix prior = OrderCovariance(config, Orders(5));
    for (uint64_t seed = 1; seed <= 5; ++seed) {
      // Some points are seen several times.
      const auto seen = RandomObservations(seed, 40, 60);
      const Posterior posterior = Regress(prior, seen);
      const Posterior reference = Reference(prior, seen);
      for (size_t i = 0; i < 120; ++i) {
        EXPECT_NEAR(posterior.mean[i], reference.mean[i], 1e-9);
        EXPECT_NEAR(posterior.variance[i], reference.variance[i], 1e-9);
      }
      EXPECT_NEAR(posterior.log_marginal_likelihood, reference.log_marginal_likelihood, 1e-8);
    }
  }
}

TEST(GaussianProcess, OneObservationIsSolvedInTheHead) {
  SquareMatrix prior(2);
  prior(0, 0) = prior(1, 1) = 1;
  prior(0, 1) = prior(1, 0) = 0.5;
  const std::vector<Observation> seen = {{0, 3.0, 1.0}};
  const Posterior posterior = Regress(prior, seen);
  EXPECT_DOUBLE_EQ(posterior.mean[0], 1.5);
  EXPECT_DOUBLE_EQ(posterior.mean[1], 0.75);
  EXPECT_DOUBLE_EQ(posterior.variance[0], 0.5);
  EXPECT_DOUBLE_EQ(posterior.variance[1], 0.875);
  EXPECT_DOUBLE_EQ(posterior.log_marginal_likelihood,
                   -0.5 * (4.5 + std::log(4 * std::numbers::pi)));
}

TEST(GaussianProcess, WithoutObservationsItIsThePrior) {
  const SquareMatrix prior = OrderCovariance(SearchConfig(), Orders(4));
  const Posterior posterior = Regress(prior, {});
  EXPECT_EQ(posterior.mean, std::vector<double>(24, 0.0));
  EXPECT_EQ(posterior.variance, std::vector<double>(24, 1.0));
  EXPECT_EQ(posterior.log_marginal_likelihood, 0);
}

TEST(GaussianProcess, NearlyExactObservationsAreHit) {
  SearchConfig config;
  const Orders orders(5);
  const SquareMatrix prior = OrderCovariance(config, orders);
  std::vector<Observation> seen;
  for (int i = 0; i < 120; ++i) seen.push_back({i, std::sin(i), 1e-9});
  const Posterior posterior = Regress(prior, seen);
  for (int i = 0; i < 120; ++i) {
    EXPECT_NEAR(posterior.mean[static_cast<size_t>(i)], std::sin(i), 1e-6);
    EXPECT_LT(posterior.variance[static_cast<size_t>(i)], 1e-8);
    EXPECT_GE(posterior.variance[static_cast<size_t>(i)], 0);
  }
}

TEST(GaussianProcess, ASingularCovarianceGetsJitter) {
  SearchConfig config;
  config.set_kernel(SearchConfig::KENDALL);
  const SquareMatrix prior = OrderCovariance(config, Orders(5));
  std::vector<Observation> seen;
  for (int i = 0; i < 120; ++i) seen.push_back({i, prior(i, 7), 1e-16});
  const Posterior posterior = Regress(prior, seen);
  for (int i = 0; i < 120; ++i) {
    EXPECT_NEAR(posterior.mean[static_cast<size_t>(i)], prior(i, 7), 1e-3);
  }
}

TEST(Cholesky, SolvesAndHasTheDeterminantOfADirectInverse) {
  SquareMatrix matrix = OrderCovariance(SearchConfig(), Orders(4));
  const Cholesky factor(matrix);
  const Inverse inverse = Invert(matrix);
  EXPECT_NEAR(factor.LogDeterminant(), inverse.log_determinant, 1e-10);
  std::vector<double> unit(24);
  unit[3] = 1;
  const std::vector<double> x = factor.Solve(unit);
  for (int i = 0; i < 24; ++i) EXPECT_NEAR(x[static_cast<size_t>(i)], inverse.matrix(i, 3), 1e-10);
}

TEST(CholeskyDeathTest, AMatrixFarFromPositiveDefiniteIsABug) {
  SquareMatrix matrix(2);
  matrix(0, 0) = matrix(1, 1) = 1;
  matrix(0, 1) = matrix(1, 0) = 2;
  EXPECT_DEATH(Cholesky{matrix}, "jitter");
}

}  // namespace
}  // namespace dray
