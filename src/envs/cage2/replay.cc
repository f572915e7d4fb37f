#include "src/envs/cage2/replay.h"

#include <bit>
#include <cmath>
#include <cstdio>

#include "src/base/error.h"
#include "src/envs/cage2/game.h"

namespace dray::cage2 {
namespace {

// Answers with the recorded outcomes where they are possible. Impossible ones show up as
// mismatches, since the game records every outcome.
class RecordedChance final : public Chance {
 public:
  void Follow(const StepRecord& recorded) { recorded_ = recorded; }

  Host PickHost(HostMask candidates) override {
    const int target = recorded_.red_target;
    const bool possible = target != kNoHost && (candidates & Bit(target)) != 0;
    return possible ? Enumerator<Host>(target) : HostAt(candidates, 0);
  }

  Exploit PickExploit(ExploitMask options) override {
    const int exploit = Index(recorded_.exploit);
    if (exploit >= 0 && ((options >> exploit) & 1) != 0) return recorded_.exploit;
    return Enumerator<Exploit>(std::countr_zero(options));
  }

  bool Detects() override { return recorded_.detected == 1; }

  int PickSession(int count) override {
    const int session = recorded_.escalated_session;
    return session >= 0 && session < count ? session : 0;
  }

  Host PickGreenScan(HostMask /*candidates*/) override { return recorded_.green_scan; }

 private:
  StepRecord recorded_;
};

std::string Hex(uint64_t value, int digits) {
  char text[24];
  std::snprintf(text, sizeof(text), "%0*llx", digits, static_cast<unsigned long long>(value));
  return text;
}

std::string NumberOrNone(int value) { return value < 0 ? "nothing" : Cat(value); }

std::string HostOrNone(Host host, const Network& network) {
  return host == kNoHost ? "nothing" : network.names[host];
}

std::string Tenths(double reward) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", reward);
  return text;
}

std::string OrNothing(std::string_view text) {
  return text.empty() ? "nothing" : std::string(text);
}

class Comparison {
 public:
  Comparison(const TraceFile& file, const Network& network, int mismatches_kept)
      : file_(file), network_(network), kept_(mismatches_kept) {}

  void Reset(const Trace& trace) {
    trace_ = &trace;
    line_ = trace.reset_line;
    step_ = 0;
    ++report_.episodes;
    if (line_ > 0 && trace.reset_observation != 0)
      Note("obs_hex", Hex(trace.reset_observation, network_.hosts), Hex(0, network_.hosts));
  }

  void Step(const TraceStep& expected, const StepRecord& got) {
    line_ = expected.line;
    step_ = expected.step;
    ++report_.steps;
    CompareRed(expected.record, got);
    CompareChance(expected.record, got);
    if (!(std::abs(expected.reward - got.reward()) < 1e-6))
      Note("reward", Tenths(expected.reward), Tenths(got.reward()));
    if (expected.record.observation != got.observation) {
      Note("obs_hex", Hex(expected.record.observation, network_.hosts),
           Hex(got.observation, network_.hosts));
    }
  }

  ReplayReport Take() { return std::move(report_); }

 private:
  void CompareRed(const StepRecord& expected, const StepRecord& got) {
    if (expected.red_action != got.red_action)
      Note("red_action", ShortName(expected.red_action), ShortName(got.red_action));
    if (TargetName(expected, network_) != TargetName(got, network_))
      Note("red_target", OrNothing(TargetName(expected, network_)),
           OrNothing(TargetName(got, network_)));
    if (expected.red_success != got.red_success)
      Note("red_success", Cat(expected.red_success), Cat(got.red_success));
    if (file_.has_remembered_ports && expected.remembered_ports != got.remembered_ports) {
      Note("red_ports", OrNothing(PortsText(expected.remembered_ports, network_)),
           OrNothing(PortsText(got.remembered_ports, network_)));
    }
    if (file_.has_candidates && expected.candidates != got.candidates)
      Note("cand_mask", Hex(expected.candidates, 4), Hex(got.candidates, 4));
  }

  void CompareChance(const StepRecord& expected, const StepRecord& got) {
    if (expected.exploit != got.exploit)
      Note("exploit", NameOf(expected.exploit), NameOf(got.exploit));
    if (expected.detected != got.detected)
      Note("detected", NumberOrNone(expected.detected), NumberOrNone(got.detected));
    if (expected.escalated_session != got.escalated_session) {
      Note("esc_session", NumberOrNone(expected.escalated_session),
           NumberOrNone(got.escalated_session));
    }
    if (expected.green_scan != got.green_scan)
      Note("green_scan", HostOrNone(expected.green_scan, network_),
           HostOrNone(got.green_scan, network_));
  }

  void Note(std::string_view column, std::string_view expected, std::string_view got) {
    ++report_.mismatches;
    if (report_.first.size() >= kept_) return;
    report_.first.push_back({.trace = trace_->name,
                             .line = line_,
                             .step = step_,
                             .column = std::string(column),
                             .expected = std::string(expected),
                             .got = std::string(got)});
  }

  const TraceFile& file_;
  const Network& network_;
  const size_t kept_;
  const Trace* trace_ = nullptr;
  int line_ = 0;
  int step_ = 0;
  ReplayReport report_;
};

}  // namespace

std::string TextOf(const Mismatch& mismatch) {
  return Cat("trace ", mismatch.trace, ", step ", mismatch.step, " (line ", mismatch.line,
             "): ", mismatch.column, " is ", mismatch.expected, " in the file, ", mismatch.got,
             " in the game");
}

ReplayReport Replay(const TraceFile& file, Rules rules, int mismatches_kept) {
  Comparison comparison(file, *rules.network, mismatches_kept);
  RecordedChance chance;
  for (const Trace& trace : file.traces) {
    rules.green = trace.green;
    Game game(rules);
    game.Reset(trace.red);
    comparison.Reset(trace);
    for (const TraceStep& step : trace.steps) {
      chance.Follow(step.record);
      comparison.Step(step, game.Step(step.blue_action, chance));
    }
  }
  return comparison.Take();
}

}  // namespace dray::cage2
