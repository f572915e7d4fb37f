#pragma once

#include <functional>
#include <memory>
#include <span>

#include "src/base/bytes.h"
#include "src/base/rng.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/cage2_red.pb.h"
#include "src/envs/cage2/opponents.h"

namespace dray::cage2 {

// Who defends one environment while red learns.
class BluePlayer {
 public:
  virtual ~BluePlayer() = default;

  // An episode begins.
  virtual void Begin() {}
  virtual int Act(std::span<const float> observation, std::span<const uint8_t> mask, Rng& rng) = 0;

  virtual void Save(ByteWriter& /*out*/) const {}
  virtual void Load(ByteReader& /*in*/) {}
};

// What env.cage2_red.blue means: the game as that blue sees it, played against a red that is
// learned, and makers of one player for each environment. Players of a trained blue share its
// network, and belong to one thread.
struct Defence {
  Cage2Config game;
  std::function<std::unique_ptr<BluePlayer>()> make_player;
};

// An unknown name, or a run that cannot be read, is an Error.
Defence MakeDefence(const Cage2RedConfig& config);

// Whether blue is a trained policy rather than one of the scripts.
bool MeetsTrainedBlue(const Cage2RedConfig& config);
OpponentSetting BlueOpponent(const Cage2RedConfig& config);

}  // namespace dray::cage2
