// The game on its own dice against the original on its: returns, and how often each bit of the
// observation is set at each step.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "src/envs/cage2/game.h"
#include "src/envs/cage2/scripted_policies.h"
#include "tests/envs/cage2/act.h"

namespace dray::cage2 {
namespace {

constexpr int kEpisodes = 20000;
constexpr int kSteps = 100;
constexpr int kBits = 52;
constexpr int kHorizons[] = {30, 50, 100};

struct Moments {
  void Add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return sum / count; }
  double standard_error() const {
    return std::sqrt((squares / count - mean() * mean()) / (count - 1));
  }

  double sum = 0;
  double squares = 0;
  int count = 0;
};

struct Matchup {
  const char* name;  // of the reference's files
  RedAgent red;
  const char* policy;
  int reference_episodes;
};

// For gtest.
void PrintTo(const Matchup& matchup, std::ostream* out) { *out << matchup.name; }

std::vector<std::vector<double>> ReadTable(const Matchup& matchup, const char* kind) {
  const std::string path = std::string("tests/data/cage2/") + matchup.name + ".g0." + kind + ".csv";
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::vector<std::vector<double>> rows;
  std::string line;
  std::getline(file, line);  // the names of the columns
  while (std::getline(file, line)) {
    std::stringstream values(line);
    std::vector<double>& row = rows.emplace_back();
    for (std::string value; std::getline(values, value, ',');) row.push_back(std::stod(value));
  }
  return rows;
}

struct Played {
  Moments returns[3];
  std::vector<std::vector<double>> bits =
      std::vector<std::vector<double>>(kSteps, std::vector<double>(kBits));
};

void PlayEpisode(Game& game, Player& policy, uint64_t index, Played& played) {
  Rng chances(1, RngPurpose::kTest, 2 * index);
  RngChance chance(chances);
  policy.Begin(static_cast<int>(index), 1);
  uint64_t observation = 0;
  double total = 0;
  int horizon = 0;
  for (int step = 0; step < kSteps; ++step) {
    const StepRecord record = game.Step(ActAfter(observation, policy), chance);
    observation = record.observation;
    total += record.reward();
    for (int bit = 0; bit < kBits; ++bit)
      played.bits[step][bit] += (observation >> (kBits - 1 - bit) & 1) / double{kEpisodes};
    if (step + 1 == kHorizons[horizon]) played.returns[horizon++].Add(total);
  }
}

Played PlayAll(const Matchup& matchup) {
  Played played;
  const auto policy = MakeScriptedPolicy(matchup.policy, 1, ShippedNetwork());
  Game game;
  for (uint64_t i = 0; i < kEpisodes; ++i) {
    game.Reset(matchup.red);
    PlayEpisode(game, *policy, i, played);
  }
  return played;
}

class Distributions : public testing::TestWithParam<Matchup> {};

TEST_P(Distributions, AreTheOriginals) {
  const Matchup& matchup = GetParam();
  const Played played = PlayAll(matchup);

  Moments reference[3];
  for (const std::vector<double>& row : ReadTable(matchup, "returns")) {
    for (int i = 0; i < 3; ++i) reference[i].Add(row[i + 1]);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(reference[i].count, matchup.reference_episodes);
    const double ours = played.returns[i].mean();
    const double theirs = reference[i].mean();
    const double error =
        std::hypot(played.returns[i].standard_error(), reference[i].standard_error());
    std::printf("%s, %d steps: %.2f, original %.2f, z %.2f\n", matchup.name, kHorizons[i], ours,
                theirs, (ours - theirs) / error);
    EXPECT_LE(std::abs(ours - theirs), 4 * error) << kHorizons[i] << " steps";
  }

  const std::vector<std::vector<double>> bits = ReadTable(matchup, "bits");
  ASSERT_EQ(bits.size(), size_t{kSteps});
  double largest = 0;
  Moments z;
  for (int step = 0; step < kSteps; ++step) {
    for (int bit = 0; bit < kBits; ++bit) {
      const double share = played.bits[step][bit];
      const double difference = bits[step][bit] - share;
      largest = std::max(largest, std::abs(difference));
      const double variance = share * (1 - share) / matchup.reference_episodes;
      if (variance == 0) {
        EXPECT_NEAR(difference, 0, 1e-3) << "bit " << bit << " at step " << step + 1;
      } else {
        z.Add(difference / std::sqrt(variance));
      }
    }
  }
  // Where nobody attacks there is nothing to see, and no bit is ever set.
  const double rms_z = z.count == 0 ? 0 : std::sqrt(z.squares / z.count);
  std::printf("%s, bits: largest difference %.3f, rms z %.2f\n", matchup.name, largest, rms_z);
  EXPECT_LE(largest, 0.13);
  EXPECT_LE(rms_z, 1.4);
}

INSTANTIATE_TEST_SUITE_P(
    Cage2, Distributions,
    testing::Values(
        Matchup{"bline.sleep", RedAgent::kBline, "sleep", 200},
        Matchup{"bline.random145", RedAgent::kBline, "random", 300},
        Matchup{"bline.react_remove_restore", RedAgent::kBline, "react_remove_restore", 200},
        Matchup{"meander.sleep", RedAgent::kMeander, "sleep", 200},
        Matchup{"meander.random145", RedAgent::kMeander, "random", 300},
        Matchup{"meander.react_remove_restore", RedAgent::kMeander, "react_remove_restore", 200},
        Matchup{"sleep.random145", RedAgent::kSleep, "random", 200}));

}  // namespace
}  // namespace dray::cage2
