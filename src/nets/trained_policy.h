#pragma once

#include <string>
#include <string_view>

#include "src/config/config.pb.h"
#include "src/env/env.h"
#include "src/nets/policy.h"

namespace dray {

// A trained policy to play with or against: its task, network and weights, without what resuming
// its training would need.
struct TrainedPolicy {
  Config config;        // env and network only
  std::string weights;  // see Policy::Load

  // Reads a policy from a checkpoint file, or from the newest checkpoint of a run folder. If it is
  // missing, damaged or of an environment other than `env` (empty: any), throws an Error that
  // begins with `setting`, the path of the setting that names it.
  static TrainedPolicy Read(const std::string& path, std::string_view env,
                            const std::string& setting);

  // Encodes the policy as one line of text with a checksum, small enough to be stored in another
  // run's settings.
  std::string ToText() const;
  static TrainedPolicy FromText(std::string_view text, std::string_view env,
                                const std::string& setting);

  // Makes a policy that can act in environments of this spec. Throws an Error that begins with
  // `setting` if the weights do not fit or are not finite.
  Policy Make(const EnvSpec& spec, const std::string& setting) const;
};

}  // namespace dray
