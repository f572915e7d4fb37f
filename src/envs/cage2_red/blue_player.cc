#include "src/envs/cage2_red/blue_player.h"

#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/envs/cage2/blue_scripts.h"
#include "src/envs/cage2/cage2.h"
#include "src/envs/cage2/mixture.h"
#include "src/nets/policy.h"
#include "src/nets/sampling.h"

namespace dray::cage2 {
namespace {

template <typename Script>
class ScriptedBlue final : public BluePlayer {
 public:
  ScriptedBlue(const Script& fresh, const Network& network)
      : fresh_(fresh), script_(fresh), bits_(network.observation_bits()) {}

  void Begin(Rng& /*rng*/) override { script_ = fresh_; }
  int Act(std::span<const float> observation, std::span<const uint8_t> /*mask*/,
          Rng& rng) override {
    return script_.Act(BitsOf(observation, bits_), rng);
  }
  void Save(ByteWriter& out) const override { script_.Save(out); }
  void Load(ByteReader& in) override { script_.Load(in); }

 private:
  const Script fresh_;
  Script script_;
  const size_t bits_;
};

// Policies that the players of all environments share, and the share of each.
struct TrainedPool {
  std::vector<Policy> policies;
  std::vector<double> shares;
};

class TrainedBlue final : public BluePlayer {
 public:
  TrainedBlue(std::shared_ptr<TrainedPool> pool, bool greedy)
      : pool_(std::move(pool)), greedy_(greedy) {}

  void Begin(Rng& rng) override { playing_ = DrawShare(pool_->shares, rng); }
  int Act(std::span<const float> observation, std::span<const uint8_t> mask, Rng& rng) override {
    const std::span<const float> logits = pool_->policies[playing_].Outputs(observation);
    return greedy_ ? BestAction(logits, mask) : DrawCategorical(logits, mask, rng).action;
  }
  void Save(ByteWriter& out) const override {
    if (pool_->policies.size() > 1) out.Put<uint32_t>(playing_);
  }
  void Load(ByteReader& in) override {
    playing_ = pool_->policies.size() > 1 ? in.Get<uint32_t>() : 0;
    if (playing_ < pool_->policies.size()) return;
    throw Failure("a saved state of cage2_red's blue names policy ", playing_, " of ",
                  pool_->policies.size());
  }

 private:
  const std::shared_ptr<TrainedPool> pool_;
  const bool greedy_;
  size_t playing_ = 0;
};

constexpr char kScriptNames[] = "sleep, random, react_restore, react_remove_restore";

// Returns a function that makes players of a script, or nothing if the name is not a script.
std::function<std::unique_ptr<BluePlayer>()> ScriptNamed(const std::string& name) {
  const Network& network = ShippedNetwork();
  const auto scripted = [&](auto script) {
    return [script, &network]() -> std::unique_ptr<BluePlayer> {
      return std::make_unique<ScriptedBlue<decltype(script)>>(script, network);
    };
  };
  if (name == "sleep") return scripted(Sleeper());
  if (name == "random") return scripted(Random{static_cast<uint32_t>(network.blue_actions())});
  if (name == "react_restore") return scripted(React(/*removes=*/false, network));
  if (name == "react_remove_restore") return scripted(React(/*removes=*/true, network));
  return nullptr;
}

// The rules are those of this task; blue's interface is the one it was trained with.
void SetRules(const Cage2RedConfig& config, Cage2Config* game) {
  game->set_release(config.release());
  game->set_wrapper(config.wrapper());
  game->set_green(config.green());
  game->set_max_steps(config.max_steps());
  game->set_truncate(config.truncate());
  game->set_red("learned");
  for (const char* name : {"first_red", "first_share", "red_policy", "red_carried", "red_greedy"}) {
    game->GetReflection()->ClearField(game, game->GetDescriptor()->FindFieldByName(name));
  }
}

// Only its spec is used; nobody plays it.
class NoRed final : public RedPlayer {
 public:
  RedMove Choose(size_t, const RedKnowledge&, float, Rng&) override { return {}; }
};

std::vector<Opponent> ReadBlues(const Cage2RedConfig& config) {
  try {
    return ReadOpponents(BlueOpponent(config));
  } catch (const Error& error) {
    // A misspelt script name is taken for a folder.
    if (config.blue().find('/') != std::string::npos) throw;
    throw Error(error.kind(), Cat(error.what(), "; or one of ", kScriptNames));
  }
}

// Returns the game that a trained blue plays, by the rules of this task.
Cage2Config GameOf(const Opponent& blue, const Cage2RedConfig& config) {
  Cage2Config game = blue.policy.config.env().GetExtension(Cage2Config::cage2);
  SetRules(config, &game);
  return game;
}

// Returns the game that all of them play.
Cage2Config CommonGame(const std::vector<Opponent>& blues, const Cage2RedConfig& config) {
  const Cage2Config game = GameOf(blues[0], config);
  for (const Opponent& each : blues) {
    if (GameOf(each, config).SerializeAsString() == game.SerializeAsString()) continue;
    throw UsageError(BlueOpponent(config).setting, ": ", blues[0].path, " and ", each.path,
                     " were trained with other settings of env.cage2 (scenario, interface, "
                     "observe_history, mask_useless or workflow)");
  }
  return game;
}

}  // namespace

bool MeetsTrainedBlue(const Cage2RedConfig& config) { return !ScriptNamed(config.blue()); }

OpponentSetting BlueOpponent(const Cage2RedConfig& config) {
  return {.setting = "env.cage2_red.blue",
          .env = "cage2",
          .text = config.blue(),
          .carried = config.blue_carried()};
}

Defence MakeDefence(const Cage2RedConfig& config) {
  Defence defence;
  if (!MeetsTrainedBlue(config)) {
    SetRules(config, &defence.game);
    defence.make_player = ScriptNamed(config.blue());
    return defence;
  }
  const std::vector<Opponent> blues = ReadBlues(config);
  defence.game = CommonGame(blues, config);
  const EnvSpec spec = Cage2(defence.game, std::make_shared<NoRed>()).spec();
  const auto pool = std::make_shared<TrainedPool>();
  pool->shares = SharesOf(blues);
  for (const Opponent& each : blues) {
    pool->policies.push_back(each.policy.Make(spec, BlueOpponent(config).setting));
  }
  defence.make_player = [pool, greedy = config.blue_greedy()]() -> std::unique_ptr<BluePlayer> {
    return std::make_unique<TrainedBlue>(pool, greedy);
  };
  return defence;
}

}  // namespace dray::cage2
