#pragma once

#include <memory>
#include <string>
#include <vector>

#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/red_player.h"
#include "src/nets/trained_policy.h"

namespace dray::cage2 {

// A setting that names one or several policies, and the text in which a run carries them along.
struct OpponentSetting {
  std::string setting;  // path of the setting
  std::string env;      // task that the policies were trained on
  // A Mixture of run folders, checkpoints, and folders of runs, whose runs divide their share.
  std::string text;
  std::string carried;  // if empty or of another text, the policies are read
};

struct Opponent {
  std::string path;
  double share = 1;  // episodes that it plays
  TrainedPolicy policy;
};

std::vector<Opponent> ReadOpponents(const OpponentSetting& named);
std::vector<double> SharesOf(const std::vector<Opponent>& opponents);
// Returns the text to carry. It does not include the policies' own opponents.
std::string CarryOpponents(const OpponentSetting& named);

OpponentSetting RedOpponent(const Cage2Config& config);
// Returns true if a learned red agent plays in some episodes.
bool MeetsLearnedRed(const Cage2Config& config);

// Makes the red agent of red_policy. Throws an Error if a policy cannot be read.
std::shared_ptr<RedPlayer> MakeTrainedRed(const Cage2Config& config);

}  // namespace dray::cage2
