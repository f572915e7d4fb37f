#pragma once

#include <span>
#include <vector>

namespace dray {

// Actions that are played into the same futures: those that are clearly worse drop out, and the one
// with the least mean wins.
class Race {
 public:
  // What is thought of the actions beforehand: by action, less is better, as good as having played
  // so many futures. Empty: nothing.
  struct Prior {
    std::span<const float> values = {};
    double futures = 0;
  };

  // Of actions that end alike, the one that stands first here is taken. The prior's values outlive
  // the race.
  void Begin(std::span<const int> actions, const Prior& prior);

  // Plays another future: `value` of every action that is left.
  template <typename ValueOf>
  void Play(const ValueOf& value) {
    for (Runner& runner : runners_) runner.values.push_back(value(runner.action));
  }
  // Whether one is left; now and then this drops those that are clearly worse.
  bool Decided();
  // The best so far.
  int Best();

  int left() const { return static_cast<int>(runners_.size()); }
  // Whether an action that satisfies this is left.
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
    std::vector<double> values;  // by future
    double score = 0;            // their mean with the prior
  };

  void Rank();
  void DropWorse();

  std::vector<Runner> runners_;  // the best first, once ranked
  Prior prior_;
};

}  // namespace dray
