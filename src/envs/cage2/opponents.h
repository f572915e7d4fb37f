#pragma once

#include <memory>
#include <string>

#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/red_player.h"
#include "src/nets/trained_policy.h"

namespace dray::cage2 {

// A setting that names the opponent's policy by its run folder or a checkpoint, and the text in
// which a run carries that policy along.
struct OpponentSetting {
  std::string setting;  // path of the setting
  std::string env;      // task that the policy was trained on
  std::string path;
  std::string carried;  // if empty or from another path, `path` is read
};

TrainedPolicy ReadOpponent(const OpponentSetting& named);
// Returns the text to carry. It does not include the policy's own opponents.
std::string CarryOpponent(const OpponentSetting& named);

OpponentSetting RedOpponent(const Cage2Config& config);
// Returns true if a learned red agent plays in some episodes.
bool MeetsLearnedRed(const Cage2Config& config);

// Makes the red agent of red_policy. Throws an Error if it cannot be read.
std::shared_ptr<RedPlayer> MakeTrainedRed(const Cage2Config& config);

}  // namespace dray::cage2
