#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "src/base/blocking_queue.h"
#include "src/env/side_learner.h"

namespace dray {

// Runs a side learner on its own thread, so that training does not wait for it; or inline, if it is
// synchronous. An exception on the thread is thrown by the next call here.
class SideLearnerThread {
 public:
  explicit SideLearnerThread(std::unique_ptr<SideLearner> learner);
  ~SideLearnerThread();

  int update_epochs() const { return update_epochs_; }
  void Add(std::string samples);
  // Starts an update unless one is running.
  void Update();

  // The newest published model.
  std::shared_ptr<const std::string> published() const;
  // Returns its messages since the last call.
  std::vector<std::string> TakeLines();

  // While an update is running, returns the state before it plus what was added since: nobody
  // waits, and a run resumed from it loses only that update.
  std::string Save();
  void Load(std::string_view state);

 private:
  using Work = std::function<void(SideLearner&)>;
  // Runs the work now, or passes it to the thread.
  void Do(Work work);
  // Runs the work and waits until it is done.
  void DoNow(Work work);
  void Serve();
  void Publish();
  void ThrowWhatWentWrong();
  std::string State();

  std::unique_ptr<SideLearner> learner_;  // used only by the thread, once it runs
  const bool synchronous_;
  const int update_epochs_;
  std::string before_update_;       // state when the last update began
  std::vector<std::string> added_;  // samples added after that
  std::atomic<bool> updating_ = false;
  mutable std::mutex mutex_;  // guards the next three
  std::shared_ptr<const std::string> published_;
  std::vector<std::string> lines_;
  std::exception_ptr error_;

  BlockingQueue<Work> work_;
  std::thread thread_;
};

}  // namespace dray
