#include "src/envs/registry.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/nearest_name.h"
#include "src/envs/acrobot/acrobot.h"
#include "src/envs/cage2/cage2.h"
#include "src/envs/cartpole/cartpole.h"
#include "src/envs/dvrptw/dvrptw.h"
#include "src/envs/mountaincar/mountaincar.h"
#include "src/envs/pendulum/pendulum.h"
#include "src/envs/vec_env.h"

namespace dray {
namespace {

using Maker = std::unique_ptr<BatchEnv> (*)(const EnvConfig&, const EnvStreams&, int count);

// A batch of the plain environment T, made from its own message in the config.
template <typename T, const auto& message>
std::unique_ptr<BatchEnv> BatchOf(const EnvConfig& config, const EnvStreams& streams, int count) {
  std::vector<std::unique_ptr<Env>> envs;
  for (int i = 0; i < count; ++i) {
    envs.push_back(std::make_unique<T>(config.GetExtension(message)));
  }
  return std::make_unique<VecEnv>(std::move(envs), streams);
}

constexpr std::pair<std::string_view, Maker> kEnvs[] = {
    {"acrobot", BatchOf<Acrobot, acrobot>},
    {"cage2", BatchOf<Cage2, Cage2Config::cage2>},
    {"cartpole", BatchOf<CartPole, cartpole>},
    {"dvrptw", MakeDvrptw},
    {"mountaincar", BatchOf<MountainCar, mountaincar>},
    {"pendulum", BatchOf<Pendulum, pendulum>},
};

Error UnknownName(const std::string& name) {
  const std::vector<std::string> known = EnvNames();
  const std::string nearest = NearestName(name, known);
  std::string message = "unknown environment \"" + name + "\": ";
  if (!nearest.empty()) message += "did you mean \"" + nearest + "\"? ";
  message += "Known: ";
  for (size_t i = 0; i < known.size(); ++i) message += (i > 0 ? ", " : "") + known[i];
  return UsageError(message);
}

}  // namespace

std::vector<std::string> EnvNames() {
  std::vector<std::string> names;
  for (const auto& [name, make] : kEnvs) names.emplace_back(name);
  std::sort(names.begin(), names.end());
  return names;
}

std::unique_ptr<BatchEnv> MakeBatchEnv(const EnvConfig& config, const EnvStreams& streams,
                                       int count) {
  DRAY_CHECK_GE(count, 1);
  for (const auto& [name, make] : kEnvs) {
    if (name == config.name()) return make(config, streams, count);
  }
  throw UnknownName(config.name());
}

EnvSpec SpecOf(const EnvConfig& config) { return MakeBatchEnv(config, {}, 1)->spec(); }

}  // namespace dray
