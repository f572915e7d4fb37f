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

// The game of CAGE challenge 2 as a task to learn: game.h with an end, the ways in which blue may
// see and act, and a workflow to comply with.
//
// An observation is, in this order: four bits for each host; with interface reduced, scan memory;
// with observe_history, Notes; with a workflow, its order (25 values) and, with observe_fixed,
// which kinds were fixed (5).
class Cage2 : public Env {
 public:
  // An Error when the settings do not make sense together. Where red is learned in some episodes,
  // `learned_red` plays it; none given: red_policy's.
  explicit Cage2(const Cage2Config& config,
                 std::shared_ptr<cage2::RedPlayer> learned_red = nullptr);

  const EnvSpec& spec() const override { return spec_; }
  void OnProgress(double progress) override { progress_ = progress; }
  void Reset(Rng& rng, std::span<float> observation) override;
  Outcome Step(const Action& action, Rng& rng, std::span<float> observation) override;
  // With interface reduced: no decoy on a host that has all of them. With mask_useless, likewise.
  // With rest_steps, no fix while blue rests.
  void WriteMask(std::span<uint8_t> mask) const override;
  void WriteEpisodeStats(std::span<double> stats) const override;
  // The last step in words; before the first, who attacks.
  std::string Render() const override;
  std::string Frame() const override;

  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

  // For the other side: the network, what a red agent that is learned knows, how the last step
  // went, and the share of the episode that is over.
  const cage2::Network& network() const { return network_; }
  const cage2::RedKnowledge& red_knowledge() const { return knowledge_; }
  const cage2::StepRecord& last_record() const { return last_.record; }
  float time() const;

 private:
  // Of the episode so far.
  struct Account {
    cage2::ReducedActions reduced;
    cage2::ScanMemory scans;
    cage2::Notes notes;
    cage2::Order order{};
    cage2::Compliance compliance;
    int32_t rest = 0;  // steps for which nothing can be fixed
    int32_t return_tenths = 0;
    int32_t return_30_tenths = 0;
    int32_t return_50_tenths = 0;
    int32_t steps_server_down = 0;
  };

  void BeginRed(cage2::RedAgent red, Rng& rng);
  void LoadRed(ByteReader& in);
  // Of all that act in a step.
  cage2::StepRecord Play(int blue_action, Rng& rng);
  // The reward for complying, and the account of it. Before the action is carried out.
  double Align(int blue_action, const cage2::Intrusion& intrusion);
  cage2::Intrusion IntrusionNow() const;
  // What red holds now, and whose game it is.
  void Capture(cage2::Frame& frame) const;
  void Tally(const cage2::StepRecord& record);
  // With interface raw.
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
  double progress_ = 0;  // of the training

  cage2::Game game_;
  EpisodeClock clock_;
  Account account_;
  cage2::RedAgent agent_ = cage2::RedAgent::kSleep;  // of the episode
  // Of a red agent that is learned: null, or never used, where there is none.
  std::shared_ptr<cage2::RedPlayer> learned_red_;
  cage2::RedKnowledge knowledge_;
  Rng red_rng_{0, RngPurpose::kEpisode, 0};
  // For Render and Frame: kept beyond the end of the episode, whose last step it may be.
  cage2::Frame last_;
};

}  // namespace dray
