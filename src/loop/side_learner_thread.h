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

// A side learner on a thread of its own, so that training does not wait for it; or inline, when it
// is synchronous. What went wrong over there is thrown by the next call here.
class SideLearnerThread {
 public:
  explicit SideLearnerThread(std::unique_ptr<SideLearner> learner);
  ~SideLearnerThread();

  int update_epochs() const { return update_epochs_; }
  void Add(std::string samples);
  // Begins an update, unless one is still under way.
  void Update();

  // What it published last.
  std::shared_ptr<const std::string> published() const;
  // Its lines for a person since the last call.
  std::vector<std::string> TakeLines();

  // While an update is under way this is the state before it, with what was added since: nobody
  // waits, and whoever resumes from it loses that update alone.
  std::string Save();
  void Load(std::string_view state);

 private:
  using Work = std::function<void(SideLearner&)>;
  // Does it now, or hands it to the thread.
  void Do(Work work);
  // Does it and waits until it is done.
  void DoNow(Work work);
  void Serve();
  void Publish();
  void ThrowWhatWentWrong();
  std::string State();

  std::unique_ptr<SideLearner> learner_;  // the thread's, once it runs
  const bool synchronous_;
  const int update_epochs_;
  std::string before_update_;       // the state when the last update began
  std::vector<std::string> added_;  // since then
  std::atomic<bool> updating_ = false;
  mutable std::mutex mutex_;  // of what follows
  std::shared_ptr<const std::string> published_;
  std::vector<std::string> lines_;
  std::exception_ptr error_;

  BlockingQueue<Work> work_;
  std::thread thread_;
};

}  // namespace dray
