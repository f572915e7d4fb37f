#include "src/loop/side_thread.h"

#include <utility>

#include "src/base/bytes.h"

namespace dray {

SideThread::SideThread(std::unique_ptr<SideLearner> learner)
    : learner_(std::move(learner)),
      synchronous_(learner_->synchronous()),
      update_epochs_(learner_->update_epochs()) {
  Publish();
  if (!synchronous_) thread_ = std::thread([this] { Serve(); });
}

SideThread::~SideThread() {
  work_.Cancel();
  if (thread_.joinable()) thread_.join();
}

void SideThread::Add(std::string observed) {
  if (updating_) added_.push_back(observed);
  Do([observed = std::move(observed)](SideLearner& learner) { learner.Add(observed); });
}

void SideThread::Update() {
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

std::shared_ptr<const std::string> SideThread::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

std::vector<std::string> SideThread::TakeLines() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lines_, {});
}

std::string SideThread::State() {
  std::string state;
  DoNow([&state](SideLearner& learner) { state = learner.Save(); });
  return state;
}

std::string SideThread::Save() {
  const bool updating = updating_;
  ByteWriter out;
  out.PutString(updating ? before_update_ : State());
  out.Put<uint64_t>(updating ? added_.size() : 0);
  if (updating) {
    for (const std::string& observed : added_) out.PutString(observed);
  }
  return out.Take();
}

void SideThread::Load(std::string_view state) {
  DoNow([this, state](SideLearner& learner) {
    ByteReader in(state, "the side learner's saved state");
    learner.Load(in.GetView());
    const auto added = in.Get<uint64_t>();
    for (uint64_t i = 0; i < added; ++i) learner.Add(in.GetView());
    in.ExpectEnd();
    Publish();
  });
}

void SideThread::Publish() {
  auto published = std::make_shared<const std::string>(learner_->Publish());
  const std::lock_guard lock(mutex_);
  published_ = std::move(published);
}

void SideThread::Do(Work work) {
  ThrowWhatWentWrong();
  if (synchronous_) return work(*learner_);
  work_.Push(std::move(work));
}

void SideThread::DoNow(Work work) {
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

void SideThread::Serve() {
  while (const auto work = work_.Pop()) {
    try {
      (*work)(*learner_);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      error_ = std::current_exception();
    }
  }
}

void SideThread::ThrowWhatWentWrong() {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    error = std::exchange(error_, nullptr);
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace dray
