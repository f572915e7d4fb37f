#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/envs/cage2/cage2.h"
#include "src/envs/cage2/scenario/scenario_files.h"
#include "src/envs/cage2/scenario/shipped_scenario.h"

// A network of one's own is played as the shipped one is.

namespace dray {
namespace {

using testing::HasSubstr;

Cage2Config Example(const std::string& red = "bline") {
  Cage2Config config;
  config.set_scenario("configs/scenarios/file_server.yaml");
  config.set_red(red);
  return config;
}

TEST(Variant, SizesFollowTheScenario) {
  Cage2Config config = Example();
  EXPECT_EQ(Cage2(config).spec().observation_size, 4 * 16);
  EXPECT_EQ(Cage2(config).spec().actions.count, 2 + 11 * 16);
  config.set_observe_history(true);
  EXPECT_EQ(Cage2(config).spec().observation_size, 4 * 16 + 3 * 16 + 2);
  config.set_interface(Cage2Config::REDUCED);
  EXPECT_EQ(Cage2(config).spec().observation_size, 4 * 16 + 13 + 3 * 16 + 2);
  EXPECT_EQ(Cage2(config).spec().actions.count, 4 * 12) << "all but the foothold and op_hosts";
}

// One environment under way, which plays allowed actions at random.
struct Play {
  explicit Play(const Cage2Config& config)
      : env(config), observation(static_cast<size_t>(env.spec().observation_size)) {
    env.Reset(rng, observation);
  }

  Outcome Step() {
    std::vector<uint8_t> mask(static_cast<size_t>(env.spec().actions.count), 1);
    if (env.spec().masked) env.WriteMask(mask);
    int action = 0;
    do {
      action = static_cast<int>(actions.Below(static_cast<uint32_t>(mask.size())));
    } while (mask[static_cast<size_t>(action)] == 0);
    return env.Step({.index = action, .values = {}}, rng, observation);
  }

  Cage2 env;
  std::vector<float> observation;
  Rng rng = Rng(3, RngPurpose::kTest, 0);
  Rng actions = Rng(4, RngPurpose::kTest, 0);
};

TEST(Variant, PlaysOnFromWhereItWasSaved) {
  for (const char* red : {"bline", "meander"}) {
    for (const bool reduced : {false, true}) {
      Cage2Config config = Example(red);
      config.set_green(Cage2Config::ON);
      config.set_observe_history(true);
      config.set_mask_useless(!reduced);
      config.set_interface(reduced ? Cage2Config::REDUCED : Cage2Config::RAW);
      Play play(config), later(config);
      for (int step = 0; step < 60; ++step) play.Step();
      ByteWriter out;
      play.env.Save(out);
      ByteReader in(out.bytes(), "a saved variant");
      later.env.Load(in);
      later.rng = play.rng;
      later.actions = play.actions;
      for (int step = 60; step < 100; ++step) {
        const Outcome outcome = play.Step();
        EXPECT_EQ(outcome.reward, later.Step().reward);
        EXPECT_EQ(play.observation, later.observation);
        EXPECT_EQ(outcome.terminated, step == 99);
      }
    }
  }
}

TEST(Variant, RedTakesTheNewWayAndNewValuesCount) {
  Cage2Config config = Example();
  std::string story;
  double least = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    Play play(config);
    play.rng = Rng(seed, RngPurpose::kTest, 0);
    play.env.Reset(play.rng, play.observation);
    for (int step = 0; step < 100; ++step) {
      const Outcome outcome = play.env.Step({.index = 0, .values = {}}, play.rng, play.observation);
      least = std::min(least, static_cast<double>(outcome.reward));
      story += play.env.Render();
    }
  }
  EXPECT_THAT(story, HasSubstr("takes over User6"));
  EXPECT_THAT(story, HasSubstr("takes over Enterprise3"));
  // User5 or 6, Enterprise3, Enterprise2, the server, and its service.
  EXPECT_FLOAT_EQ(static_cast<float>(least), -(0.1f + 10 + 1 + 1 + 10));
}

std::string RefusalOf(const Cage2Config& config) {
  try {
    Cage2 env(config);
  } catch (const Error& error) {
    return error.what();
  }
  return "not refused";
}

// The shipped scenario with every occurrence of a text replaced.
std::string With(const std::string& old, const std::string& replacement) {
  std::string text = cage2::ShippedFile("scenario2.yaml").value();
  for (size_t at = text.find(old); at != std::string::npos; at = text.find(old, at)) {
    text.replace(at, old.size(), replacement);
    at += replacement.size();
  }
  return text;
}

TEST(Variant, BlineIsRefusedWhereItHasNoWay) {
  Cage2Config config;
  config.set_scenario(With("      Op_Server0: {Interfaces: IP Address}\n", ""));
  EXPECT_EQ(RefusalOf(config),
            "env.cage2.red: bline finds no way through this scenario: Enterprise2, the third host "
            "of Enterprise, does not lead to Op_Server0: see its info");
  config.set_red("0.5 meander, 0.5 bline");
  EXPECT_THAT(RefusalOf(config), HasSubstr("bline finds no way"));
  cage2::Game game({.network = &cage2::NetworkOf(config.scenario())});
  EXPECT_THROW(game.Reset(cage2::RedAgent::kBline), Error);
  config.set_red("meander");
  EXPECT_EQ(RefusalOf(config), "not refused");
}

TEST(Variant, AWorkflowNeedsEveryKind) {
  Cage2Config config;
  config.set_scenario(With("Op_Host", "Enterprise1"));
  EXPECT_THAT(RefusalOf(config), HasSubstr("alphabetical order"));
  std::string text = With("Op_Host0", "Enterprise3");
  for (const char* name : {"Op_Host1", "Op_Host2"}) {
    const std::string other = name == std::string("Op_Host1") ? "Enterprise4" : "Enterprise5";
    for (size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
      text.replace(at, 8, other);
    }
  }
  config.set_scenario(text);
  EXPECT_EQ(RefusalOf(config), "not refused");
  config.mutable_workflow()->set_enabled(true);
  EXPECT_EQ(RefusalOf(config),
            "env.cage2.workflow.enabled: the scenario has no host of the kind op_host, which every "
            "order names");
}

}  // namespace
}  // namespace dray
