#include "src/metrics/terminal_sink.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <utility>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/metrics/advice.h"
#include "src/metrics/format.h"

namespace dray {
namespace {

constexpr double kRedrawInterval_s = 0.1;
constexpr int kBarWidth = 30;
constexpr std::string_view kClearLine = "\r\x1b[K";

std::string Bar(double progress, int width) {
  const int filled = static_cast<int>(std::lround(progress * width));
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
  return bar;
}

// The start of a UTF-8 text, at most so many characters long.
std::string FirstCharacters(const std::string& text, int count) {
  size_t end = 0;
  while (end < text.size() && count > 0) {
    do ++end;
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80);
    --count;
  }
  return text.substr(0, end);
}

std::string SummaryText(const RunHeader& header, const Report& newest, const std::string& outcome,
                        const Paint& paint) {
  std::string text = Cat(std::string(80, '='), "\n", paint.Strong(outcome), "\n");
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty())
      text += Cat("  ", name, std::string(13 - std::string_view(name).size(), ' '), value, "\n");
  };
  const auto count = [&](const char* metric) {
    const double value = newest.Get(metric);
    return std::isfinite(value) ? FormatCount(std::llround(value)) : std::string("n/a");
  };
  if (newest.Has("episode/return_mean")) {
    add("return", paint.Good(FormatFixed(newest.Get("episode/return_mean"), 1)) + " (last 100)");
  }
  add("evaluation", EvaluationText(newest, paint));
  add("steps", Cat(count("total_steps"), " steps in ", count("completed_episodes"),
                   " episodes and ", FormatCounted(newest.epoch, "epoch", "epochs")));
  const double elapsed_s = newest.Get("time/elapsed_s");
  if (elapsed_s > 0) {
    add("time", Cat(FormatDuration(elapsed_s), " (",
                    FormatFixed(newest.Get("total_steps") / elapsed_s, 0), " steps/s)"));
  }
  add("run folder", header.run_dir);
  const std::string folder = ShellWord(header.run_dir);
  add("evaluate", Cat(CommandLine("evaluate"), " --run-dir ", folder));
  // A bundle for clusters has no pages.
  if (InstalledFolder().empty() || CalledAsDray()) {
    add("see page", Cat(CommandLine("report"), " --run-dir ", folder));
  }
  add("see curves", "tensorboard --logdir " + folder);
  return text + std::string(80, '=') + "\n";
}

}  // namespace

TerminalStyle TerminalStyle::OfStandardOutput() {
  TerminalStyle style;
  const char* term = std::getenv("TERM");
  style.is_terminal =
      ::isatty(STDOUT_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
  const char* no_color = std::getenv("NO_COLOR");
  style.colours = style.is_terminal && (no_color == nullptr || *no_color == '\0');
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.columns = size.ws_col;
  return style;
}

std::string StatusText(const RunStatus& status, int columns) {
  const double progress =
      std::isfinite(status.progress) ? std::clamp(status.progress, 0.0, 1.0) : 0;
  // Rounded down: 100% is said when all is done, not before.
  std::string text = Cat(Bar(progress, kBarWidth), " ", std::floor(100 * progress), "%");
  if (!status.phase.empty()) text += " · " + status.phase;
  if (status.steps_per_s > 0) text += Cat(" · ", FormatFixed(status.steps_per_s, 0), " steps/s");
  if (status.eta_s > 0) text += " · ETA " + FormatDuration(status.eta_s);
  return FirstCharacters(text, columns - 1);
}

TerminalSink::TerminalSink(std::ostream& out, TerminalStyle style, RunHeader header, Clock clock)
    : out_(out),
      style_(style),
      header_(std::move(header)),
      clock_(std::move(clock)),
      paint_(style.colours),
      status_time_s_(-std::numeric_limits<double>::infinity()) {
  out_ << HeaderText(header_);
  out_.flush();
}

TerminalSink::~TerminalSink() { ClearStatus(); }

void TerminalSink::Write(const Report& report) {
  ClearStatus();
  for (const std::string& line : ReportText(header_, report, paint_)) out_ << line << "\n";
  WriteAdvice(AdviceFor(report, last_));
  out_.flush();
  last_ = report;
  newest_.epoch = report.epoch;
  for (const auto& [name, value] : report.values) newest_.Record(name, value);
}

void TerminalSink::Status(const RunStatus& status) {
  if (!style_.is_terminal) return;
  const double now_s = clock_();
  if (now_s - status_time_s_ < kRedrawInterval_s) return;
  status_time_s_ = now_s;
  status_drawn_ = true;
  out_ << kClearLine << paint_.Faint(StatusText(status, style_.columns)) << std::flush;
}

void TerminalSink::Say(const std::string& line) {
  ClearStatus();
  out_ << line << std::endl;
}

void TerminalSink::Finish(const std::string& outcome) {
  ClearStatus();
  out_ << SummaryText(header_, newest_, outcome, paint_) << std::flush;
}

double TerminalSink::SteadyClock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void TerminalSink::ClearStatus() {
  if (!status_drawn_) return;
  out_ << kClearLine << std::flush;
  status_drawn_ = false;
  status_time_s_ = -std::numeric_limits<double>::infinity();
}

void TerminalSink::WriteAdvice(const std::vector<std::string>& advice) {
  for (const std::string& sentence : advice) {
    // Numbers in it change from report to report: the words before the first digit identify it.
    const std::string topic = sentence.substr(0, sentence.find_first_of("0123456789"));
    if (std::find(given_advice_.begin(), given_advice_.end(), topic) != given_advice_.end())
      continue;
    given_advice_.push_back(topic);
    out_ << "    " << paint_.Warning("advice: " + sentence) << "\n";
  }
}

}  // namespace dray
