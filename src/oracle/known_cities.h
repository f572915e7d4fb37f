#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <map>
#include <mutex>
#include <optional>

#include "src/routing/problem.h"

namespace dray {

// Thread-safe cache of travel matrices by fingerprint. Evicts the least recently used ones beyond
// `most_bytes`.
class KnownCities {
 public:
  explicit KnownCities(size_t most_bytes) : most_bytes_(most_bytes) {}

  void Add(const TravelMatrix& matrix);
  std::optional<TravelMatrix> Find(uint64_t fingerprint);

 private:
  static size_t BytesOf(const TravelMatrix& matrix) { return matrix.times().size_bytes(); }

  const size_t most_bytes_;
  std::mutex mutex_;
  std::list<TravelMatrix> matrices_;  // most recently used first
  std::map<uint64_t, std::list<TravelMatrix>::iterator> by_fingerprint_;
  size_t bytes_ = 0;
};

}  // namespace dray
