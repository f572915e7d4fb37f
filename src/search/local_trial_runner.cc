#include "src/search/local_trial_runner.h"

#include <atomic>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>
#include <vector>

#include "src/base/blocking_queue.h"
#include "src/search/train_trial.h"

namespace dray {
namespace {

struct Ended {
  size_t trial;
  std::optional<TrialResult> result;
  std::exception_ptr error;
};

}  // namespace

void LocalTrialRunner::Evaluate(std::span<const Trial> trials, const Finished& finished,
                                const Interrupted& interrupted) {
  std::vector<Config> configs;
  for (const Trial& trial : trials) {
    configs.push_back(config_of_(trial));
    // Left there by an interrupted search.
    std::filesystem::remove_all(configs.back().run().dir());
  }
  BlockingQueue<Ended> all_ended;
  std::atomic<bool> failed = false;
  std::vector<std::jthread> threads;
  for (size_t i = 0; i < trials.size(); ++i) {
    threads.emplace_back([&, i] {
      Ended ended{i, std::nullopt, nullptr};
      try {
        ended.result = TrainTrial(configs[i], [&] { return failed || interrupted(); });
      } catch (...) {
        failed = true;
        ended.error = std::current_exception();
      }
      all_ended.Push(std::move(ended));
    });
  }
  std::exception_ptr error;
  for (size_t i = 0; i < trials.size(); ++i) {
    const Ended ended = *all_ended.Pop();
    if (ended.error && !error) error = ended.error;
    if (!ended.result) continue;
    try {
      finished(trials[ended.trial], *ended.result);
    } catch (...) {
      failed = true;
      if (!error) error = std::current_exception();
    }
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace dray
