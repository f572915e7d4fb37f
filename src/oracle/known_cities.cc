#include "src/oracle/known_cities.h"

namespace dray {

void KnownCities::Add(const TravelMatrix& matrix) {
  const std::lock_guard lock(mutex_);
  if (by_fingerprint_.contains(matrix.fingerprint())) return;
  matrices_.push_front(matrix);
  by_fingerprint_[matrix.fingerprint()] = matrices_.begin();
  bytes_ += BytesOf(matrix);
  // A matrix that is too large by itself is kept until the next one arrives.
  while (bytes_ > most_bytes_ && matrices_.size() > 1) {
    bytes_ -= BytesOf(matrices_.back());
    by_fingerprint_.erase(matrices_.back().fingerprint());
    matrices_.pop_back();
  }
}

std::optional<TravelMatrix> KnownCities::Find(uint64_t fingerprint) {
  const std::lock_guard lock(mutex_);
  const auto found = by_fingerprint_.find(fingerprint);
  if (found == by_fingerprint_.end()) return {};
  matrices_.splice(matrices_.begin(), matrices_, found->second);
  return *found->second;
}

}  // namespace dray
