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

// Defends one environment while red learns.
class BluePlayer {
 public:
  virtual ~BluePlayer() = default;

  // Called at the start of an episode.
  virtual void Begin(Rng& rng) = 0;
  virtual int Act(std::span<const float> observation, std::span<const uint8_t> mask, Rng& rng) = 0;

  virtual void Save(ByteWriter& /*out*/) const {}
  virtual void Load(ByteReader& /*in*/) {}
};

// The defender of env.cage2_red.blue: its settings of the game, against a learned red, and a
// function that makes one player per environment. Players of a trained blue share its network and
// must be used by one thread.
struct Defence {
  Cage2Config game;
  std::function<std::unique_ptr<BluePlayer>()> make_player;
};

// Throws an Error if the name is unknown or the run cannot be read.
Defence MakeDefence(const Cage2RedConfig& config);

// Returns true if blue is a trained policy, not a script.
bool MeetsTrainedBlue(const Cage2RedConfig& config);
OpponentSetting BlueOpponent(const Cage2RedConfig& config);

}  // namespace dray::cage2
