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

struct Textbook {
  Posterior posterior;
  double restricted_log_likelihood;
  SquareMatrix projection;  // P
};

// The textbook formulas, every observation a row of its own.
Textbook Reference(const SquareMatrix& prior, const std::vector<Observation>& seen) {
  const int n = static_cast<int>(seen.size());
  const auto at = [&](int i) -> const Observation& { return seen[static_cast<size_t>(i)]; };
  SquareMatrix covariance(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) covariance(i, j) = prior(at(i).point, at(j).point);
    covariance(i, i) += at(i).noise_variance;
  }
  const Inverse inverse = Invert(covariance);
  const SquareMatrix& c = inverse.matrix;
  std::vector<double> rows(seen.size());  // C⁻¹ 1
  double sum = 0, weighted = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      rows[static_cast<size_t>(i)] += c(i, j);
      sum += c(i, j);
      weighted += c(i, j) * at(j).value;
    }
  }
  const double mu = weighted / sum;
  Textbook result{{}, 0, SquareMatrix(n)};
  for (int point = 0; point < prior.size(); ++point) {
    double mean = mu, variance = prior(point, point), ones = 1;
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        const double weight = prior(point, at(i).point) * c(i, j);
        mean += weight * (at(j).value - mu);
        variance -= weight * prior(at(j).point, point);
        ones -= weight;
      }
    }
    result.posterior.mean.push_back(mean);
    result.posterior.variance.push_back(variance + ones * ones / sum);
  }
  double quadratic = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      result.projection(i, j) =
          c(i, j) - rows[static_cast<size_t>(i)] * rows[static_cast<size_t>(j)] / sum;
      quadratic += at(i).value * result.projection(i, j) * at(j).value;
    }
  }
  result.restricted_log_likelihood = -0.5 * (quadratic + inverse.log_determinant + std::log(sum) +
                                             (n - 1) * std::log(2 * std::numbers::pi));
  return result;
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
      const GaussianProcess process(prior, 1, seen);
      const Posterior posterior = process.Believed();
      const Textbook reference = Reference(prior, seen);
      for (size_t i = 0; i < 120; ++i) {
        EXPECT_NEAR(posterior.mean[i], reference.posterior.mean[i], 1e-9);
        EXPECT_NEAR(posterior.variance[i], reference.posterior.variance[i], 1e-9);
      }
      EXPECT_NEAR(process.restricted_log_likelihood(), reference.restricted_log_likelihood, 1e-8);
      const std::vector<GaussianProcess::Influence> influences = process.Influences();
      for (int i = 0; i < 40; ++i) {
        double weight = 0;
        for (int j = 0; j < 40; ++j) {
          weight += reference.projection(i, j) * seen[static_cast<size_t>(j)].value;
        }
        EXPECT_NEAR(influences[static_cast<size_t>(i)].weight, weight, 1e-8);
        EXPECT_NEAR(influences[static_cast<size_t>(i)].precision, reference.projection(i, i), 1e-8);
      }
    }
  }
}

TEST(GaussianProcess, TwoObservationsAreSolvedInTheHead) {
  SquareMatrix prior(3);
  for (int i = 0; i < 3; ++i) prior(i, i) = 1;
  const std::vector<Observation> seen = {{0, 3.0, 1.0}, {1, 5.0, 1.0}};
  const GaussianProcess process(prior, 1, seen);
  const Posterior posterior = process.Believed();
  // The mean is 4; half of what an observation is off it is noise.
  EXPECT_DOUBLE_EQ(posterior.mean[0], 3.5);
  EXPECT_DOUBLE_EQ(posterior.mean[1], 4.5);
  EXPECT_DOUBLE_EQ(posterior.mean[2], 4);
  // What is not known of the mean counts in full for the third point.
  EXPECT_DOUBLE_EQ(posterior.variance[2], 1 + 1);
  const Estimate difference = process.Difference(1, 0);
  EXPECT_DOUBLE_EQ(difference.mean, 1);
  EXPECT_DOUBLE_EQ(difference.variance, 1);
  // The contrast (5 - 3) / √2 has variance 2; the determinant of two ones is 2.
  EXPECT_DOUBLE_EQ(process.restricted_log_likelihood(),
                   -0.5 * (1 + std::log(4 * std::numbers::pi)) - 0.5 * std::log(2.0));
}

TEST(GaussianProcess, WithoutObservationsItIsThePrior) {
  const SquareMatrix prior = OrderCovariance(SearchConfig(), Orders(4));
  const GaussianProcess process(prior, 1, {});
  EXPECT_EQ(process.Believed().mean, std::vector<double>(24, 0.0));
  EXPECT_EQ(process.Believed().variance, std::vector<double>(24, 1.0));
  EXPECT_EQ(process.restricted_log_likelihood(), 0);
}

TEST(GaussianProcess, NearlyExactObservationsAreHit) {
  SearchConfig config;
  const Orders orders(5);
  const SquareMatrix prior = OrderCovariance(config, orders);
  std::vector<Observation> seen;
  for (int i = 0; i < 120; ++i) seen.push_back({i, std::sin(i), 1e-9});
  const Posterior posterior = GaussianProcess(prior, 1, seen).Believed();
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
  const Posterior posterior = GaussianProcess(prior, 1, seen).Believed();
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
