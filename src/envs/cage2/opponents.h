#pragma once

#include <memory>
#include <string>

#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/red_player.h"
#include "src/nets/trained_policy.h"

namespace dray::cage2 {

// A setting that names the policy of the other side, by the folder of its run or by a checkpoint,
// and the text by which a run carries that policy along.
struct OpponentSetting {
  std::string setting;  // its path
  std::string env;      // what the policy was trained on
  std::string path;
  std::string carried;  // empty, or of another path: the folder is read
};

TrainedPolicy ReadOpponent(const OpponentSetting& named);
// What to carry. The policy's own opponents are not in it.
std::string CarryOpponent(const OpponentSetting& named);

OpponentSetting RedOpponent(const Cage2Config& config);
// Whether some episodes meet a red agent that learned.
bool MeetsLearnedRed(const Cage2Config& config);

// The red agent of red_policy: its network, on its own random numbers. What cannot be read is an
// Error.
std::shared_ptr<RedPlayer> MakeTrainedRed(const Cage2Config& config);

}  // namespace dray::cage2
