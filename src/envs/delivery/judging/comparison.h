#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/envs/delivery/judging/estimate.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"

namespace dray::delivery {

// A day that was played and judged. A task's own days add to it.
struct PlayedDay {
  double objective = 0;    // measure that policies are compared by
  double cost = 0;         // price of the judge
  double played_cost = 0;  // price of the oracle it was played with
  int vehicles = 0;

  // The judge's plan, for pictures.
  Problem problem;
  Plan plan;
};

// A policy's days and their means. A task's own scores add to it.
template <typename Day>
struct ScoreOf {
  std::string policy;
  std::vector<Day> days;  // one per episode, in the same order for all policies

  Estimate objective, cost, vehicles;
  // Objective minus that of the reference policy, day by day: negative is better.
  Estimate against_reference;
  double against_reference_pct = 0;

  template <typename Value>
  std::vector<double> ByDay(const Value& value) const {
    std::vector<double> values;
    for (const Day& day : days) values.push_back(std::invoke(value, day));
    return values;
  }
  template <typename Value>
  Estimate Mean(const Value& value) const {
    return EstimateOf(ByDay(value));
  }
};

// Scores of several policies on the same episodes; the first is the reference.
template <typename AnyScore>
struct ComparisonOf {
  using Score = AnyScore;

  int episodes = 0;
  uint64_t seed = 0;
  std::vector<Score> scores;
  // The learned policy's objective minus each score's; empty without a learned policy.
  std::vector<Estimate> learned_against;

  const Score* Find(const std::string& policy) const {
    const auto at = std::ranges::find(scores, policy, &Score::policy);
    return at == scores.end() ? nullptr : &*at;
  }
};

// Reports how much of something is done.
using Progress = std::function<void(int done, int of)>;

struct ComparisonOptions {
  std::vector<std::string> baselines;  // names of the task's policies
  std::string weights;                 // weights of a learned policy; empty: none
  std::string side_model;              // beliefs that the side learner published
  std::function<void(const std::string& stage, int done, int of)> progress;  // may be empty

  // Returns the policies to play, in the order of a report and each once: the reference, the
  // baselines, and "learned" if there are weights.
  std::vector<std::string> Policies(const std::string& reference) const;
  // Begins a stage and returns what reports its progress. Must not outlive these options.
  Progress Begin(const std::string& stage) const;
};

// Fills a comparison: `play` returns the days of a policy by its name and reports its progress,
// `judge` prices a day, and `summarize` computes the means that are the task's own.
template <typename Comparison, typename Play, typename JudgeDay, typename Summarize>
void PlayAndCompare(const ComparisonOptions& options, const std::string& reference,
                    const Play& play, const JudgeDay& judge, const Summarize& summarize,
                    Comparison& comparison) {
  using Score = typename Comparison::Score;
  const std::vector<std::string> policies = options.Policies(reference);
  for (const std::string& name : policies) {
    Score score;
    score.policy = name;
    const std::string stage =
        Cat("policy ", comparison.scores.size() + 1, " of ", policies.size(), ", ", name);
    score.days = play(name, options.Begin(stage + ": playing"));
    const Progress judged = options.Begin(stage + ": judging");
    for (size_t i = 0; i < score.days.size(); ++i) {
      judge(score.days[i]);
      judged(i + 1, comparison.episodes);
    }
    score.objective = score.Mean(&PlayedDay::objective);
    score.cost = score.Mean(&PlayedDay::cost);
    score.vehicles = score.Mean(&PlayedDay::vehicles);
    summarize(score);
    comparison.scores.push_back(std::move(score));
  }
  const auto paired = [](const Score& ours, const Score& theirs) {
    return PairedEstimate(ours.ByDay(&PlayedDay::objective), theirs.ByDay(&PlayedDay::objective));
  };
  const Score& first = comparison.scores[0];
  for (Score& score : comparison.scores) {
    score.against_reference = paired(score, first);
    score.against_reference_pct = 100 * score.against_reference.mean / first.objective.mean;
  }
  if (const Score* learned = comparison.Find("learned")) {
    for (const Score& score : comparison.scores) {
      comparison.learned_against.push_back(paired(*learned, score));
    }
  }
}

}  // namespace dray::delivery
