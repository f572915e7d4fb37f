#include "src/loop/side_learner_thread.h"

#include <utility>

#include "src/base/bytes.h"

namespace dray {

SideLearnerThread::SideLearnerThread(std::unique_ptr<SideLearner> learner)
    : learner_(std::move(learner)),
      synchronous_(learner_->synchronous()),
      update_epochs_(learner_->update_epochs()) {
  Publish();
  if (!synchronous_) thread_ = std::thread([this] { Serve(); });
}

SideLearnerThread::~SideLearnerThread() {
  work_.Cancel();
  if (thread_.joinable()) thread_.join();
}

void SideLearnerThread::Add(std::string samples) {
  if (updating_) added_.push_back(samples);
  Do([samples = std::move(samples)](SideLearner& learner) { learner.Add(samples); });
}

void SideLearnerThread::Update() {
  if (updating_) return;
  if (!synchronous_) before_update_ = State();
  added_.clear();
  updating_ = true;
  Do([this](SideLearner& learner) {
    std::vector<std::string> lines = learner.Update();
    Publish();
    updating_ = false;
    const std::lock_guard lock(mutex_);
    lines_.insert(lines_.end(), lines.begin(), lines.end());
  });
}

std::shared_ptr<const std::string> SideLearnerThread::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

std::vector<std::string> SideLearnerThread::TakeLines() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lines_, {});
}

std::string SideLearnerThread::State() {
  std::string state;
  DoNow([&state](SideLearner& learner) { state = learner.Save(); });
  return state;
}

std::string SideLearnerThread::Save() {
  const bool updating = updating_;
  ByteWriter out;
  out.PutString(updating ? before_update_ : State());
  out.Put<uint64_t>(updating ? added_.size() : 0);
  if (updating) {
    for (const std::string& samples : added_) out.PutString(samples);
  }
  return out.Take();
}

void SideLearnerThread::Load(std::string_view state) {
  DoNow([this, state](SideLearner& learner) {
    ByteReader in(state, "the side learner's saved state");
    learner.Load(in.GetView());
    const auto added = in.Get<uint64_t>();
    for (uint64_t i = 0; i < added; ++i) learner.Add(in.GetView());
    in.ExpectEnd();
    Publish();
  });
}

void SideLearnerThread::Publish() {
  auto published = std::make_shared<const std::string>(learner_->Publish());
  const std::lock_guard lock(mutex_);
  published_ = std::move(published);
}

void SideLearnerThread::Do(Work work) {
  ThrowWhatWentWrong();
  if (synchronous_) return work(*learner_);
  work_.Push(std::move(work));
}

void SideLearnerThread::DoNow(Work work) {
  std::promise<void> done;
  Do([&](SideLearner& learner) {
    try {
      work(learner);
      done.set_value();
    } catch (...) {
      done.set_exception(std::current_exception());
    }
  });
  done.get_future().get();
}

void SideLearnerThread::Serve() {
  while (const auto work = work_.Pop()) {
    try {
      (*work)(*learner_);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
    }
  }
}

void SideLearnerThread::ThrowWhatWentWrong() {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = std::exchange(error_, nullptr);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace dray
