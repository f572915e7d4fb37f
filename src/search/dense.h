#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace dray {

// A square matrix of doubles, row by row.
class SquareMatrix {
 public:
  explicit SquareMatrix(int size) : size_(size), values_(int64_t{size} * size) {}

  int size() const { return size_; }
  double& operator()(int row, int column) { return values_[Place(row, column)]; }
  double operator()(int row, int column) const { return values_[Place(row, column)]; }

 private:
  int64_t Place(int row, int column) const { return int64_t{row} * size_ + column; }

  int size_;
  std::vector<double> values_;
};

// Cholesky decomposition A = L Lᵀ of a symmetric positive definite matrix. If rounding makes the
// matrix indefinite, as with a covariance of low rank, the smallest jitter that helps is added to
// its diagonal.
class Cholesky {
 public:
  // A matrix that is far from positive definite is a bug.
  explicit Cholesky(const SquareMatrix& matrix);

  // Amount added to the diagonal; almost always 0.
  double jitter() const { return jitter_; }
  double LogDeterminant() const;
  // Returns L⁻¹ b.
  std::vector<double> Forward(std::span<const double> b) const;
  // Returns A⁻¹ b.
  std::vector<double> Solve(std::span<const double> b) const;
  // Returns the diagonal of A⁻¹.
  std::vector<double> InverseDiagonal() const;

 private:
  bool Factor(const SquareMatrix& matrix);

  SquareMatrix lower_;
  double jitter_ = 0;
};

}  // namespace dray
