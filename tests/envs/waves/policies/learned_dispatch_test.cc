#include "src/envs/waves/policies/learned_dispatch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/base/error.h"
#include "src/envs/waves/waves.h"
#include "src/nets/net_shape.h"
#include "src/nets/policy.h"
#include "src/nets/sampling.h"
#include "tests/envs/waves/town.h"

namespace dray::waves {
namespace {

Config TownConfig() {
  Config config;
  config.mutable_env()->set_name("waves");
  WavesConfig& task = *config.mutable_env()->MutableExtension(WavesConfig::waves);
  task.add_instances(kTown);  // as carried by a run
  task.set_draws(kTownDraws);
  config.mutable_network()->add_hidden(8);
  return config;
}

// Weights by chance, so that actions depend on all that is observed.
std::string SomeWeights(const Config& config, const EnvSpec& spec) {
  Rng rng(5, RngPurpose::kTest, 0);
  PolicyWeights weights;
  weights.version = 1;
  weights.actor.resize(ParameterCount(spec, config.network(), NetRole::kActor));
  for (float& weight : weights.actor) weight = static_cast<float>(2 * rng.Uniform() - 1);
  return weights.ToBytes();
}

TEST(LearnedDispatch, DecidesAsThePolicyDoesInTheEnvironment) {
  const Config config = TownConfig();
  const auto world =
      std::make_shared<const WavesWorld>(config.env().GetExtension(WavesConfig::waves));
  const std::string weights = SomeWeights(config, world->spec);
  const LearnedDispatch learned(config, weights);
  Policy policy(world->spec, config.network());
  policy.Load(weights);
  const auto town = world->instances.at(0);
  int epochs = 0, held = 0, decisions = 0;
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    Day day(town, seed);
    while (!day.done()) {
      const Observer observer(*town);
      std::vector<float> observation(Observer::kSize);
      Agenda agenda(day);
      while (!agenda.finished()) {
        observer.Write(day, agenda, observation);
        agenda.Decide(BestAction(policy.Outputs(observation), {}) == 1);
      }
      std::vector<int> expected, ids;
      for (const Request& request : agenda.dispatched()) expected.push_back(request.id);
      Rng rng(seed, RngPurpose::kTest, day.epoch());
      const Routes routes = learned.Decide(day, {.rounds = 50}, rng);
      for (const auto& route : routes) ids.insert(ids.end(), route.begin(), route.end());
      std::ranges::sort(expected);
      std::ranges::sort(ids);
      EXPECT_EQ(ids, expected);
      held += static_cast<int>(agenda.held().size());
      decisions += agenda.decided();
      day.Dispatch(routes);
      ++epochs;
    }
  }
  EXPECT_EQ(epochs, 5 * town->epochs());
  EXPECT_GT(held, 0);
  EXPECT_LT(held, decisions);
}

TEST(LearnedDispatch, WeightsOfAnotherNetworkAreAnError) {
  Config config = TownConfig();
  const WavesWorld world(config.env().GetExtension(WavesConfig::waves));
  const std::string weights = SomeWeights(config, world.spec);
  config.mutable_network()->add_hidden(8);
  EXPECT_THROW(LearnedDispatch(config, weights), Error);
}

}  // namespace
}  // namespace dray::waves
