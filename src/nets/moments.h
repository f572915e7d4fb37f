#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"

namespace dray {

// Running mean and variance of vectors, in double precision. Merging two gives the result of one
// pass over both data sets, whatever the split.
class Moments {
 public:
  explicit Moments(int width) : mean_(width, 0.0), m2_(width, 0.0) {}

  // Adds whole rows of mean().size() values.
  void Add(std::span<const float> rows);
  void Merge(const Moments& other);

  int64_t count() const { return count_; }
  const std::vector<double>& mean() const { return mean_; }
  // Population variance; 1 before anything is added, so that normalising then changes nothing.
  std::vector<double> Variance() const;

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  int64_t count_ = 0;
  std::vector<double> mean_;
  std::vector<double> m2_;  // sum of squared distances from the mean
};

// A fixed shift and scale of observations, published with a policy: (x - mean) * scale, clipped to
// +-clip. Empty vectors leave observations unchanged.
struct ObservationScaling {
  std::vector<float> mean;
  std::vector<float> scale;
  float clip = 0;

  // Leaves the last `unscaled` numbers as they are.
  static ObservationScaling From(const Moments& moments, double clip, int unscaled = 0);

  bool active() const { return !mean.empty(); }
  // Scales whole rows; `rows` and `out` may be the same memory.
  void Apply(std::span<const float> rows, std::span<float> out) const;
};

}  // namespace dray
