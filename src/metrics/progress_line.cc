#include "src/metrics/progress_line.h"

#include <unistd.h>

#include <chrono>
#include <iostream>
#include <utility>

namespace dray {
namespace {

constexpr std::chrono::milliseconds kRedrawInterval(200);

}  // namespace

ProgressLine::ProgressLine(std::ostream& out, TerminalStyle style, std::string phase,
                           std::function<double()> progress)
    : line_(out, style) {
  if (!style.is_terminal) return;
  thread_ = std::thread(
      [this, phase = std::move(phase), progress = std::move(progress)] { Serve(phase, progress); });
}

ProgressLine::ProgressLine(std::string phase, std::function<double()> progress)
    : ProgressLine(std::cerr, TerminalStyle::Of(STDERR_FILENO), std::move(phase),
                   std::move(progress)) {}

ProgressLine::~ProgressLine() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  ending_.notify_one();
  thread_.join();
}

void ProgressLine::Serve(const std::string& phase, const std::function<double()>& progress) {
  const auto begin = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  do {
    const double done = progress();
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
    const double eta_s = done > 0 && done < 1 ? elapsed.count() / done * (1 - done) : 0;
    line_.Draw({.progress = done, .phase = phase, .eta_s = eta_s});
  } while (!ending_.wait_for(lock, kRedrawInterval, [this] { return ends_; }));
}

}  // namespace dray
