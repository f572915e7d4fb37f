#pragma once

#include <string>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/policy.h"

namespace dray {

// A policy as a run left it, for those who play with or against it: what it was trained on, its
// network and its weights, without what a training needs to go on.
struct TrainedPolicy {
  Config config;        // env and network alone
  std::string weights;  // for Policy::Load

  // From a run folder, by its newest checkpoint, or from a checkpoint's file. What is not there,
  // damaged, or of another environment than `env` (empty: any) is an Error that begins with
  // `setting`, the path of the setting that names it.
  static TrainedPolicy Read(const std::string& path, std::string_view env,
                            const std::string& setting);

  // One line of text, with a checksum: small enough to travel with the settings of another run.
  std::string ToText() const;
  static TrainedPolicy FromText(std::string_view text, std::string_view env,
                                const std::string& setting);

  // Ready to act in environments of this spec. Weights that do not fit it, or are not finite, are
  // an Error, likewise.
  Policy Make(const EnvSpec& spec, const std::string& setting) const;
};

}  // namespace dray
