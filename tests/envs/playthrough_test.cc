// Recorded games. A change to an environment that shows here is a change of the task: read the
// difference, and if it is meant, record the games anew with
//   bazel run //tests/envs:playthrough_test -- --regenerate
// and commit them. scripts/generate.sh records those of new environments (--record-missing).

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/env/registry.h"
#include "tests/envs/batch_player.h"

namespace dray {
namespace {

constexpr int kSteps = 30;
constexpr uint64_t kSeed = 2024;
constexpr char kFolder[] = "tests/envs/golden/";

std::string Rounded(float value) {
  char text[64];
  std::snprintf(text, sizeof(text), "%.6f", static_cast<double>(value));
  // Which zero it is depends on the last bit alone.
  return std::string_view(text) == "-0.000000" ? "0.000000" : text;
}

std::string Row(std::span<const float> values) {
  std::string row;
  for (const float value : values) row.append(" ").append(Rounded(value));
  return row;
}

std::string MaskRow(const std::vector<uint8_t>& mask) {
  std::string row;
  for (const uint8_t allowed : mask) row += allowed ? '1' : '0';
  return row;
}

std::string Situation(const BatchPlayer& player) {
  std::string text =
      Cat(player.env->Render(0), "\nobservation", Row(player.ObservationOf(0)), "\n");
  if (!player.masks.empty()) text += Cat("mask ", MaskRow(player.masks), "\n");
  return text;
}

std::string Playthrough(const std::string& name) {
  BatchPlayer player = MakePlayer(name, kSeed, /*first_index=*/0, /*count=*/1);
  player.Reset();
  std::string text = Cat(name, ", seed ", kSeed, "\n", Situation(player));
  for (int step = 0; step < kSteps; ++step) {
    player.Step();
    text += player.indices.empty() ? Cat("action", Row(player.values))
                                   : Cat("action ", player.indices[0]);
    text += Cat(" -> reward ", Rounded(player.rewards[0]));
    if (player.terminated[0]) text += ", terminated";
    if (player.truncated[0]) text += ", truncated";
    text += "\n";
    if (player.Ended(0)) text += Cat("final", Row(player.FinalObservationOf(0)), "\n");
    text += Situation(player);
    for (const Episode& episode : player.env->TakeEpisodes()) {
      text += Cat("episode of ", episode.length, " steps, return ", episode.total_reward, "\n");
    }
  }
  return text;
}

class PlaythroughTest : public testing::TestWithParam<std::string> {};

TEST_P(PlaythroughTest, IsAsRecorded) {
  const std::string path = kFolder + GetParam() + ".txt";
  ASSERT_TRUE(std::filesystem::exists(path))
      << GetParam() << " has no recorded game " << path << ": run scripts/generate.sh";
  EXPECT_EQ(Playthrough(GetParam()), ReadFile(path))
      << "if the change is meant, record it with: "
         "bazel run //tests/envs:playthrough_test -- --regenerate";
}

TEST(RecordedGames, AllBelongToARegisteredEnvironment) {
  const std::vector<std::string> names = EnvNames();
  size_t games = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    ++games;
    const std::string stem = entry.path().stem().string();
    EXPECT_TRUE(std::count(names.begin(), names.end(), stem)) << entry.path() << " is left over";
  }
  EXPECT_GT(games, 0u);
}

INSTANTIATE_TEST_SUITE_P(Registry, PlaythroughTest, testing::ValuesIn(EnvNames()),
                         [](const auto& info) { return info.param; });

int Record(bool missing_only) {
  const char* workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (workspace == nullptr) {
    std::fprintf(stderr, "this writes to the source tree: start it with bazel run\n");
    return 2;
  }
  for (const std::string& name : EnvNames()) {
    const std::string path = std::string(workspace) + "/" + kFolder + name + ".txt";
    if (missing_only && std::filesystem::exists(path)) continue;
    WriteFileAtomically(path, Playthrough(name));
    std::printf("wrote %s\n", path.c_str());
  }
  return 0;
}

}  // namespace
}  // namespace dray

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  if (wanted == "--regenerate") return dray::Record(/*missing_only=*/false);
  if (wanted == "--record-missing") return dray::Record(/*missing_only=*/true);
  return RUN_ALL_TESTS();
}
