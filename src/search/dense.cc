#include "src/search/dense.h"

#include <algorithm>
#include <cmath>

#include "src/base/error.h"

namespace dray {
namespace {

// Relative to the largest number on the diagonal.
constexpr double kFirstJitter = 1e-12;
constexpr double kLargestJitter = 1e-3;
// A pivot below this is rounding error.
constexpr double kLeastPivot = 1e-14;

double LargestDiagonal(const SquareMatrix& matrix) {
  double largest = 0;
  for (int i = 0; i < matrix.size(); ++i) largest = std::max(largest, matrix(i, i));
  return largest;
}

}  // namespace

Cholesky::Cholesky(const SquareMatrix& matrix) : lower_(matrix.size()) {
  const double scale = LargestDiagonal(matrix);
  while (!Factor(matrix)) {
    jitter_ = jitter_ == 0 ? kFirstJitter * scale : 10 * jitter_;
    DRAY_CHECK_LE(jitter_, kLargestJitter * scale);
  }
}

bool Cholesky::Factor(const SquareMatrix& matrix) {
  const double least = kLeastPivot * LargestDiagonal(matrix);
  for (int i = 0; i < matrix.size(); ++i) {
    for (int j = 0; j <= i; ++j) {
      double sum = matrix(i, j) + (i == j ? jitter_ : 0);
      for (int k = 0; k < j; ++k) sum -= lower_(i, k) * lower_(j, k);
      if (i == j && !(sum > least)) return false;
      lower_(i, j) = i == j ? std::sqrt(sum) : sum / lower_(j, j);
    }
  }
  return true;
}

double Cholesky::LogDeterminant() const {
  double sum = 0;
  for (int i = 0; i < lower_.size(); ++i) sum += 2 * std::log(lower_(i, i));
  return sum;
}

std::vector<double> Cholesky::Forward(std::span<const double> b) const {
  DRAY_CHECK_EQ(std::ssize(b), lower_.size());
  std::vector<double> x(b.begin(), b.end());
  for (int i = 0; i < lower_.size(); ++i) {
    double& value = x[i];
    for (int k = 0; k < i; ++k) value -= lower_(i, k) * x[k];
    value /= lower_(i, i);
  }
  return x;
}

std::vector<double> Cholesky::Solve(std::span<const double> b) const {
  std::vector<double> x = Forward(b);
  for (int i = lower_.size() - 1; i >= 0; --i) {
    double& value = x[i];
    for (int k = i + 1; k < lower_.size(); ++k) value -= lower_(k, i) * x[k];
    value /= lower_(i, i);
  }
  return x;
}

std::vector<double> Cholesky::InverseDiagonal() const {
  const size_t size = lower_.size();
  std::vector<double> diagonal(size), column(size);
  for (int j = 0; j < lower_.size(); ++j) {
    // Column j of L⁻¹, which is 0 above j.
    for (int i = j; i < lower_.size(); ++i) {
      double value = i == j ? 1 : 0;
      for (int k = j; k < i; ++k) value -= lower_(i, k) * column[k];
      value /= lower_(i, i);
      column[i] = value;
      diagonal[j] += value * value;
    }
  }
  return diagonal;
}

}  // namespace dray
