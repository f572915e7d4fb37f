#include "src/envs/cage2_red/blue_player.h"

#include <utility>

#include "src/base/error.h"
#include "src/envs/cage2/blue_scripts.h"
#include "src/envs/cage2/cage2.h"
#include "src/nets/policy.h"
#include "src/nets/sampling.h"

namespace dray::cage2 {
namespace {

template <typename Script>
class ScriptedBlue final : public BluePlayer {
 public:
  ScriptedBlue(const Script& fresh, const Network& network)
      : fresh_(fresh), script_(fresh), bits_(network.observation_bits()) {}

  void Begin() override { script_ = fresh_; }
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

class TrainedBlue final : public BluePlayer {
 public:
  TrainedBlue(std::shared_ptr<Policy> policy, bool greedy)
      : policy_(std::move(policy)), greedy_(greedy) {}

  int Act(std::span<const float> observation, std::span<const uint8_t> mask, Rng& rng) override {
    const std::span<const float> logits = policy_->Outputs(observation);
    return greedy_ ? BestAction(logits, mask) : DrawCategorical(logits, mask, rng).action;
  }

 private:
  const std::shared_ptr<Policy> policy_;
  const bool greedy_;
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
  for (const char* name : {"first_red", "red_policy", "red_carried"}) {
    game->GetReflection()->ClearField(game, game->GetDescriptor()->FindFieldByName(name));
  }
}

// Only its spec is used; nobody plays it.
class NoRed final : public RedPlayer {
 public:
  RedMove Choose(const RedKnowledge&, float, Rng&) override { return {}; }
};

std::function<std::unique_ptr<BluePlayer>()> TrainedMaker(const TrainedPolicy& trained,
                                                          const Cage2RedConfig& config,
                                                          const Cage2Config& game) {
  const EnvSpec spec = Cage2(game, std::make_shared<NoRed>()).spec();
  const auto policy = std::make_shared<Policy>(trained.Make(spec, BlueOpponent(config).setting));
  return [policy, greedy = config.blue_greedy()]() -> std::unique_ptr<BluePlayer> {
    return std::make_unique<TrainedBlue>(policy, greedy);
  };
}

TrainedPolicy ReadBlue(const Cage2RedConfig& config) {
  try {
    return ReadOpponent(BlueOpponent(config));
  } catch (const Error& error) {
    // A misspelt script name is taken for a folder.
    if (config.blue().find('/') != std::string::npos) throw;
    throw Error(error.kind(), Cat(error.what(), "; or one of ", kScriptNames));
  }
}

}  // namespace

bool MeetsTrainedBlue(const Cage2RedConfig& config) { return !ScriptNamed(config.blue()); }

OpponentSetting BlueOpponent(const Cage2RedConfig& config) {
  return {.setting = "env.cage2_red.blue",
          .env = "cage2",
          .path = config.blue(),
          .carried = config.blue_carried()};
}

Defence MakeDefence(const Cage2RedConfig& config) {
  Defence defence;
  if (!MeetsTrainedBlue(config)) {
    SetRules(config, &defence.game);
    defence.make_player = ScriptNamed(config.blue());
    return defence;
  }
  const TrainedPolicy trained = ReadBlue(config);
  defence.game = trained.config.env().GetExtension(Cage2Config::cage2);
  SetRules(config, &defence.game);
  defence.make_player = TrainedMaker(trained, config, defence.game);
  return defence;
}

}  // namespace dray::cage2
