#include "src/output/terminal_sink.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/output/advice.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr double kRedrawInterval_s = 0.1;
constexpr double kSilence_s = 15;  // at most, if there is no terminal

std::string SummaryText(const RunHeader& header, const Report& newest, const std::string& outcome,
                        int columns, const Paint& paint) {
  const std::string rule(columns, '=');
  std::string text = Cat(rule, "\n", paint.Strong(outcome), "\n");
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty())
      text += Cat("  ", name, std::string(13 - std::string_view(name).size(), ' '), value, "\n");
  };
  const auto count = [&](const char* metric, const char* one) {
    const double value = newest.Get(metric);
    return std::isfinite(value) ? FormatCounted(std::llround(value), one) : Cat("n/a ", one, "s");
  };
  add("result", GainText(header, newest, paint));
  if (newest.Has("episode/return_mean")) {
    add("return", paint.Good(FormatFixed(newest.Get("episode/return_mean"), 1)) + " (last 100)");
  }
  add("evaluation", EvaluationText(newest, paint));
  add("steps", Cat(count("total_steps", "step"), " in ", count("completed_episodes", "episode"),
                   " and ", FormatCounted(newest.epoch, "epoch")));
  const double elapsed_s = newest.Get("time/elapsed_s");
  if (elapsed_s > 0) {
    add("time", Cat(FormatDuration(elapsed_s), " (",
                    FormatFixed(newest.Get("total_steps") / elapsed_s, 0), " steps/s)"));
  }
  add("run folder", header.run_dir);
  const std::string folder = ShellWord(header.run_dir);
  add("evaluate", Cat(CommandLine("evaluate"), " --run-dir ", folder));
  const std::string tensorboard = ToolLine("tensorboard");
  if (!tensorboard.empty()) add("see curves", Cat(tensorboard, " --logdir ", folder));
  return Cat(text, rule, "\n");
}

}  // namespace

TerminalSink::TerminalSink(std::ostream& out, TerminalStyle style, RunHeader header, Clock clock)
    : out_(out),
      style_(style),
      header_(std::move(header)),
      clock_(std::move(clock)),
      paint_(style.colours),
      status_line_(out, style),
      status_time_s_(-std::numeric_limits<double>::infinity()) {
  out_ << HeaderText(header_, style_.columns);
  Flush();
}

void TerminalSink::Remember(const Report& report) {
  const std::lock_guard lock(mutex_);
  trend_.Add(report);
}

void TerminalSink::Write(const Report& report) {
  const std::lock_guard lock(mutex_);
  ClearStatus();
  trend_.Add(report);
  const size_t columns = style_.columns;
  for (const auto& line : ReportText(header_, report, trend_, columns, paint_))
    out_ << line << "\n";
  if (style_.verbose) {
    for (const auto& line : DetailText(report, columns, paint_)) out_ << line << "\n";
  }
  WriteAdvice(AdviceFor(report, last_));
  Flush();
  last_ = report;
  newest_.epoch = report.epoch;
  for (const auto& [name, value] : report.values) newest_.Record(name, value);
}

void TerminalSink::Status(const RunStatus& status) {
  const std::lock_guard lock(mutex_);
  const double now_s = clock_();
  if (now_s - status_time_s_ < (style_.is_terminal ? kRedrawInterval_s : kSilence_s)) return;
  status_time_s_ = now_s;
  if (style_.is_terminal) return status_line_.Draw(status);
  out_ << StatusText(status) << "\n";
  Flush();
}

void TerminalSink::Say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  ClearStatus();
  out_ << line << "\n";
  Flush();
}

void TerminalSink::Finish(const std::string& outcome) {
  const std::lock_guard lock(mutex_);
  ClearStatus();
  out_ << SummaryText(header_, newest_, outcome, style_.columns, paint_);
  Flush();
}

void TerminalSink::Flush() {
  if (!style_.is_terminal) status_time_s_ = clock_();
  errno = 0;
  out_.flush();
  if (out_) return;
  const int error = errno;
  out_.clear();
  if (error == EPIPE || failed_writes_++ > 0) return;
  std::cerr << Cat("Warning: the output of the run cannot be written",
                   error == 0 ? "" : Cat(" (", std::strerror(error), ")"),
                   "; the run continues and will try again\n");
}

double TerminalSink::SteadyClock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void TerminalSink::ClearStatus() {
  if (!status_line_.drawn()) return;
  status_line_.Clear();
  status_time_s_ = -std::numeric_limits<double>::infinity();
}

void TerminalSink::WriteAdvice(const std::vector<std::string>& advice) {
  for (const std::string& sentence : advice) {
    // Its numbers change from report to report, so the words before the first digit identify it.
    const std::string topic = sentence.substr(0, sentence.find_first_of("0123456789"));
    if (std::find(given_advice_.begin(), given_advice_.end(), topic) != given_advice_.end())
      continue;
    given_advice_.push_back(topic);
    out_ << "    " << paint_.Warning("advice: " + sentence) << "\n";
  }
}

}  // namespace dray
