#include "src/nets/moments.h"

#include <algorithm>
#include <cmath>

#include "src/base/counts.h"
#include "src/base/error.h"

namespace dray {

void Moments::Add(std::span<const float> rows) {
  const size_t width = mean_.size();
  if (width == 0) return;
  DRAY_CHECK_EQ(rows.size() % width, 0u);
  Moments added(width);
  added.count_ = rows.size() / width;
  if (added.count_ == 0) return;
  for (size_t i = 0; i < rows.size(); ++i) added.mean_[i % width] += rows[i];
  for (double& mean : added.mean_) mean /= added.count_;
  for (size_t i = 0; i < rows.size(); ++i) {
    const double distance = rows[i] - added.mean_[i % width];
    added.m2_[i % width] += distance * distance;
  }
  Merge(added);
}

void Moments::Merge(const Moments& other) {
  DRAY_CHECK_EQ(mean_.size(), other.mean_.size());
  if (other.count_ == 0) return;
  const double a = count_, b = other.count_;
  for (size_t i = 0; i < mean_.size(); ++i) {
    const double delta = other.mean_[i] - mean_[i];
    mean_[i] += delta * (b / (a + b));
    m2_[i] += other.m2_[i] + delta * delta * (a * b / (a + b));
  }
  count_ += other.count_;
}

std::vector<double> Moments::Variance() const {
  std::vector<double> variance(mean_.size(), 1.0);
  if (count_ == 0) return variance;
  for (size_t i = 0; i < variance.size(); ++i) variance[i] = m2_[i] / count_;
  return variance;
}

void Moments::Save(ByteWriter& out) const {
  out.Put(count_);
  out.PutVector(mean_);
  out.PutVector(m2_);
}

void Moments::Load(ByteReader& in) {
  const auto count = in.Get<int64_t>();
  if (!IsCount(count)) throw Failure("saved statistics are damaged: they are of ", count, " rows");
  count_ = count;
  in.GetInto<double>(mean_);
  in.GetInto<double>(m2_);
}

ObservationScaling ObservationScaling::From(const Moments& moments, double clip, int unscaled) {
  ObservationScaling scaling;
  scaling.clip = clip;
  for (const double mean : moments.mean()) scaling.mean.push_back(mean);
  for (const double variance : moments.Variance()) {
    scaling.scale.push_back(1.0 / std::sqrt(variance + 1e-8));
  }
  std::fill_n(scaling.mean.rbegin(), unscaled, 0.0f);
  std::fill_n(scaling.scale.rbegin(), unscaled, 1.0f);
  return scaling;
}

void ObservationScaling::Apply(std::span<const float> rows, std::span<float> out) const {
  const size_t width = mean.size();
  for (size_t i = 0; i < rows.size(); ++i) {
    out[i] = std::clamp((rows[i] - mean[i % width]) * scale[i % width], -clip, clip);
  }
}

}  // namespace dray
