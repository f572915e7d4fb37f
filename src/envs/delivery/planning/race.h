#pragma once

#include <chrono>
#include <span>
#include <vector>

namespace dray::delivery {

// Limits of one decision.
struct RaceLimits {
  int futures = 128;       // maximum number of futures
  double decision_ms = 0;  // maximum time; 0: no limit. With one, decisions depend on the machine
};

// Reads the limits from a task's lookahead settings.
template <typename Settings>
RaceLimits RaceLimitsOf(const Settings& lookahead) {
  return {lookahead.futures(), lookahead.decision_ms()};
}

// Compares actions by playing them into the same futures: actions that are clearly worse drop out,
// and the one with the lowest mean wins.
class Race {
 public:
  // Values of the actions known beforehand (lower is better); they count like this many futures.
  // Empty values: nothing is known.
  struct Prior {
    std::span<const float> values = {};
    double futures = 0;
  };

  // Starts a race. Among actions with the same mean, the first one listed wins. The values of the
  // prior must outlive the race.
  void Begin(std::span<const int> actions, const Prior& prior);

  // Calls `play_future`, which calls Play, until one action is left or a limit is reached; returns
  // the best action.
  template <typename PlayFuture>
  int Run(const RaceLimits& limits, const PlayFuture& play_future) {
    for (int played = 0; played < limits.futures; ++played) {
      play_future();
      if (Decided() || TimeIsUp(limits)) break;
    }
    return Best();
  }

  // Plays another future; `value` returns what an action ends with.
  template <typename ValueOf>
  void Play(const ValueOf& value) {
    for (Runner& runner : runners_) runner.values.push_back(value(runner.action));
  }
  // Returns whether one action is left. Every few futures, drops the actions that are clearly
  // worse.
  bool Decided();
  // Returns the best action so far.
  int Best();

  int left() const { return std::ssize(runners_); }
  // Returns whether an action is left for which `holds`.
  template <typename Predicate>
  bool Any(const Predicate& holds) const {
    for (const Runner& runner : runners_) {
      if (holds(runner.action)) return true;
    }
    return false;
  }

 private:
  struct Runner {
    int action = 0;
    std::vector<double> values;  // one per future
    double score = 0;            // mean of the values and the prior
  };

  void Rank();
  void DropWorse();
  bool TimeIsUp(const RaceLimits& limits) const;

  std::vector<Runner> runners_;  // best first, once ranked
  Prior prior_;
  std::chrono::steady_clock::time_point begun_;
};

}  // namespace dray::delivery
