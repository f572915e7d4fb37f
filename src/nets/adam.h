#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/base/bytes.h"
#include "src/base/thread_team.h"

namespace dray {

struct AdamSettings {
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
};

// Adam (Kingma & Ba 2015) on plain memory.
class Adam {
 public:
  explicit Adam(size_t parameters, const AdamSettings& settings = {});

  // Takes one step along the gradients times `gradient_scale`.
  void Step(double learning_rate, std::span<const float> gradients, std::span<float> parameters,
            double gradient_scale = 1, ThreadTeam& team = ThreadTeam::Alone());

  void Save(ByteWriter& out) const;
  void Load(ByteReader& in);

 private:
  AdamSettings settings_;
  std::vector<float> first_;
  std::vector<float> second_;
  int64_t steps_ = 0;
};

}  // namespace dray
