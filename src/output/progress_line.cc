#include "src/output/progress_line.h"

#include <unistd.h>

#include <iostream>
#include <utility>

namespace dray {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval(200);

}  // namespace

ProgressLine::ProgressLine(std::ostream& out, TerminalStyle style, std::string phase,
                           std::function<double()> progress, Interval interval)
    : out_(out),
      style_(style),
      progress_(std::move(progress)),
      line_(out, style),
      phase_(std::move(phase)) {
  if (style.is_terminal) interval = kRedrawInterval;
  if (interval.count() > 0) thread_ = std::thread([this, interval] { Serve(interval); });
}

ProgressLine::ProgressLine(std::string phase, std::function<double()> progress, Interval interval)
    : ProgressLine(std::cerr, TerminalStyle::Of(STDERR_FILENO), std::move(phase),
                   std::move(progress), interval) {}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_one();
  thread_.join();
}

void ProgressLine::Begin(std::string phase) {
  const std::lock_guard lock(mutex_);
  phase_ = std::move(phase);
  begin_ = Clock::now();
}

RunStatus ProgressLine::Status() const {
  const double done = progress_();
  const std::chrono::duration<double> elapsed = Clock::now() - begin_;
  const double eta_s = done > 0 && done < 1 ? elapsed.count() / done * (1 - done) : 0;
  return {.progress = done, .phase = phase_, .eta_s = eta_s};
}

void ProgressLine::Serve(Interval interval) {
  std::unique_lock lock(mutex_);
  if (style_.is_terminal) line_.Draw(Status());
  while (!ending_.wait_for(lock, interval, [this] { return ends_; })) {
    style_.is_terminal ? line_.Draw(Status()) : void(out_ << StatusText(Status()) << std::endl);
  }
}

}  // namespace dray
