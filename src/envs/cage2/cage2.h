#pragma once

#include <memory>
#include <string>

#include "src/env/env.h"
#include "src/env/episode_clock.h"
#include "src/envs/cage2/cage2.pb.h"
#include "src/envs/cage2/frame.h"
#include "src/envs/cage2/game.h"
#include "src/envs/cage2/notes.h"
#include "src/envs/cage2/red_mixture.h"
#include "src/envs/cage2/red_player.h"
#include "src/envs/cage2/reduced_actions.h"
#include "src/envs/cage2/scan_memory.h"
#include "src/envs/cage2/workflow.h"

namespace dray {

// CAGE challenge 2 as a learning task: adds to game.h the end of an episode, blue's interfaces, and
// a workflow to comply with.
//
// An observation consists of, in this order: four bits per host; with interface reduced, the scan
// memory; with observe_history, Notes; with a workflow, its order (25 values) and, with
// observe_fixed, the kinds fixed so far (5 values).
class Cage2 : public Env {
 public:
  // Throws an Error if the settings contradict each other. `learned_red` plays the learned red
  // agent where there is one; if null, the policies of red_policy do.
  explicit Cage2(const Cage2Config& config,
                 std::shared_ptr<cage2::RedPlayer> learned_red = nullptr);

  const EnvSpec& spec() const override { return spec_; }
  void OnProgress(double progress) override { progress_ = progress; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  // Masks decoys on hosts that already have all of them (interface reduced, or mask_useless), and
  // fixes while blue rests (rest_steps).
  void WriteMask(std::span<uint8_t> mask) const override;
  void WriteEpisodeStats(std::span<double> stats) const override;
  // Describes the last step; before the first one, names the red agent.
  std::string Render() const override;
  std::string Frame() const override;

  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

  // Access for the red side. time() is the elapsed share of the episode.
  const cage2::Network& network() const { return network_; }
  const cage2::RedKnowledge& red_knowledge() const { return knowledge_; }
  const cage2::StepRecord& last_record() const { return last_.record; }
  float time() const;

 private:
  // Counts of the current episode.
  struct Account {
    cage2::ReducedActions reduced;
    cage2::ScanMemory scans;
    cage2::Notes notes;
    cage2::Order order{};
    cage2::Compliance compliance;
    int32_t rest = 0;  // steps left in which nothing can be fixed
    int32_t return_tenths = 0;
    int32_t return_30_tenths = 0;
    int32_t return_50_tenths = 0;
    int32_t steps_server_down = 0;
  };

  void BeginRed(cage2::RedAgent red, Rng& rng);
  void LoadRed(ByteReader& in);
  // Plays one step of the game, including a learned red.
  cage2::StepRecord Play(int blue_action, Rng& rng);
  // Returns the compliance reward of an action and records it. Called before the action is played.
  double Align(int blue_action, const cage2::Intrusion& intrusion);
  cage2::Intrusion IntrusionNow() const;
  // Writes the state of the game into a frame.
  void Capture(cage2::Frame& frame) const;
  void Tally(const cage2::StepRecord& record);
  // Returns true if the mask allows the action, with interface raw.
  bool Allowed(int blue_action) const;
  void Observe(uint64_t bits, std::span<float> observation) const;

  const Cage2Config config_;
  const cage2::Network& network_;
  const cage2::ReducedTable reduced_;
  const cage2::RedMixture red_;
  const cage2::RedMixture first_red_;
  const EnvSpec spec_;
  cage2::Order fixed_order_{};
  cage2::Definition definition_;
  bool draws_order_ = false;
  double progress_ = 0;  // elapsed share of the training

  cage2::Game game_;
  EpisodeClock clock_;
  Account account_;
  cage2::RedAgent agent_ = cage2::RedAgent::kSleep;  // attacker of this episode
  // State of a learned red agent; null or unused if there is none.
  std::shared_ptr<cage2::RedPlayer> learned_red_;
  size_t red_policy_ = 0;  // which of its policies attacks
  cage2::RedKnowledge knowledge_;
  Rng red_rng_{0, RngPurpose::kEpisode, 0};
  // Last step, for Render and Frame. Kept after the end of the episode.
  cage2::Frame last_;
};

}  // namespace dray
