#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"

namespace dray {

// Adam (Kingma & Ba 2015) on plain memory, with the usual decays 0.9 and 0.999.
class Adam {
 public:
  explicit Adam(size_t parameters) : first_(parameters, 0.0f), second_(parameters, 0.0f) {}

  void Step(double learning_rate, std::span<const float> gradients, std::span<float> parameters);

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  std::vector<float> first_;
  std::vector<float> second_;
  int64_t steps_ = 0;
};

}  // namespace dray
