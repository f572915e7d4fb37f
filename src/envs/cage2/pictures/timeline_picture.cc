#include <algorithm>
#include <cmath>
#include <vector>

#include "src/base/error.h"
#include "src/base/printed.h"
#include "src/envs/cage2/blue_actions.h"
#include "src/envs/cage2/pictures/colours.h"
#include "src/envs/cage2/pictures/episode_pictures.h"
#include "src/routing/pictures/svg.h"

namespace dray::cage2 {
namespace {

constexpr double kLeft = 110, kTop = 60, kRow = 22, kCostHeight = 70, kGap = 34;

class Timeline {
 public:
  Timeline(std::span<const Frame> frames, const Network& network, const std::string& title)
      : frames_(frames),
        network_(network),
        bottom_(kTop + kRow * network.hosts),
        cell_(std::clamp(1100.0 / frames.size(), 5.0, 24.0)),
        right_(kLeft + cell_ * frames.size()),
        svg_(std::max(right_ + 30, 760.0), cost_bottom() + 92, title) {
    svg_.Text(kLeft, 26, title, {.size = 16, .bold = true});
  }

  std::string Draw() {
    DrawGrid();
    for (size_t i = 0; i < frames_.size(); ++i) DrawStep(frames_[i], kLeft + cell_ * i);
    DrawCosts();
    DrawLegend();
    return svg_.Document();
  }

 private:
  double cost_top() const { return bottom_ + kGap; }
  double cost_bottom() const { return cost_top() + kCostHeight; }

  double RowOf(int host) const { return kTop + kRow * host; }

  void DrawGrid() {
    for (int host = 0; host < network_.hosts; ++host) {
      svg_.Text(kLeft - 8, RowOf(host) + 15, network_.names[host], {.size = 12, .anchor = "end"});
      svg_.Line({kLeft, RowOf(host)}, {right_, RowOf(host)}, {.stroke = colours::kGrid});
    }
    svg_.Line({kLeft, bottom_}, {right_, bottom_}, {.stroke = colours::kGrid});
    const size_t every = frames_.size() > 40 ? 10 : 5;
    for (size_t i = every - 1; i < frames_.size(); i += every) {
      svg_.Text(kLeft + cell_ * (i + 0.5), kTop - 6, Cat(frames_[i].step),
                {.size = 11, .anchor = "middle"});
    }
    svg_.Text(kLeft - 8, kTop - 6, "step", {.size = 11, .anchor = "end"});
  }

  void DrawStep(const Frame& frame, double x) {
    for (int host = 0; host < network_.hosts; ++host) {
      const bool privileged = (frame.privileged & Bit(host)) != 0;
      if (!privileged && (frame.sessions & Bit(host)) == 0) continue;
      svg_.Rectangle(x, RowOf(host) + 1, cell_, kRow - 2,
                     {.fill = privileged ? colours::kPrivileged : colours::kSession,
                      .opacity = 0.8,
                      .kind = privileged ? "privileged" : "session"});
    }
    const RedAction red = frame.record.red_action;
    if (red == RedAction::kExploit || red == RedAction::kImpact) {
      svg_.Circle({x + cell_ / 2, RowOf(frame.record.red_target) + 5}, std::min(3.0, cell_ / 2),
                  {.fill = frame.record.red_success ? colours::kAttack : "white",
                   .stroke = colours::kAttack,
                   .kind = red == RedAction::kImpact ? "impact" : "attack"});
    }
    DrawBlue(frame, x);
  }

  void DrawBlue(const Frame& frame, double x) {
    const BlueAction action = BlueActionOf(frame.action, network_);
    if (action.host < 0) return;
    const double y = RowOf(action.host) + kRow - 9, size = std::min(8.0, cell_);
    Ink ink = {.fill = colours::kLook, .kind = "analyse", .hover = HoverOf(frame)};
    if (IsDecoy(action.kind)) {
      ink.fill = colours::kDecoy;
      ink.kind = "decoy";
    } else if (IsFix(frame.action, network_)) {
      ink.fill = frame.mends ? colours::kFix : colours::kUseless;
      ink.kind = action.kind == BlueKind::kRestore ? "restore" : "remove";
      if (frame.verdict == Compliance::Verdict::kViolation) {
        ink.stroke = colours::kViolation;
        ink.width = 2;
      }
    }
    const double left = x + (cell_ - size) / 2;
    if (action.kind == BlueKind::kRestore) {
      svg_.Polygon({{left, y + size}, {left + size / 2, y}, {left + size, y + size}}, ink);
    } else {
      svg_.Rectangle(left, y, size, size, ink);
    }
  }

  std::string HoverOf(const Frame& frame) const {
    std::string text = Cat("step ", frame.step, ": ", ActionName(frame.action, network_));
    if (!IsFix(frame.action, network_)) return text;
    text += frame.mends ? ", throws red out" : ", red was not there";
    if (frame.verdict == Compliance::Verdict::kCompliant) text += ", complies";
    if (frame.verdict == Compliance::Verdict::kViolation) text += ", violates the order";
    return text;
  }

  void DrawCosts() {
    double most = 1, total = 0;
    for (const Frame& frame : frames_) {
      most = std::max(most, -frame.record.reward());
      total += frame.record.reward();
    }
    for (size_t i = 0; i < frames_.size(); ++i) {
      const double height = kCostHeight * -frames_[i].record.reward() / most;
      if (height <= 0) continue;
      svg_.Rectangle(
          kLeft + cell_ * i, cost_bottom() - height, cell_, height,
          {.fill = frames_[i].server_up ? "#777777" : colours::kPrivileged,
           .kind = "cost",
           .hover = Printed("step %d: reward %.1f", frames_[i].step, frames_[i].record.reward())});
    }
    svg_.Line({kLeft, cost_bottom()}, {right_, cost_bottom()}, {.stroke = colours::kText});
    svg_.Text(kLeft - 8, cost_top() + 10, Printed("%.1f", -most), {.size = 11, .anchor = "end"});
    svg_.Text(kLeft - 8, cost_bottom(), "0", {.size = 11, .anchor = "end"});
    svg_.Text(kLeft, cost_top() - 8, Printed("reward of each step; %.1f in all", total),
              {.size = 12});
  }

  struct Entry {
    Ink ink;
    bool triangle;
    std::string text;
  };

  void DrawEntries(double y, const std::vector<Entry>& entries) {
    double x = kLeft;
    for (const auto& [ink, triangle, text] : entries) {
      if (triangle) {
        svg_.Polygon({{x, y}, {x + 5, y - 10}, {x + 10, y}}, ink);
      } else {
        svg_.Rectangle(x, y - 10, 10, 10, ink);
      }
      svg_.Text(x + 15, y, text, {.size = 11});
      x += 30 + 6.2 * text.size();
    }
  }

  void DrawLegend() {
    const double y = cost_bottom() + 30;
    DrawEntries(y, {{{.fill = colours::kPrivileged}, false, "red has privileges"},
                    {{.fill = colours::kSession}, false, "red is in"},
                    {{.fill = colours::kAttack}, false, "red attacks (hollow: failed)"},
                    {{.fill = "#777777"},
                     false,
                     Cat("cost (red: ", network_.names[network_.server], " is down)")}});
    std::vector<Entry> blue = {{{.fill = colours::kFix}, true, "restore"},
                               {{.fill = colours::kFix}, false, "remove"},
                               {{.fill = colours::kUseless}, false, "on a host without red"},
                               {{.fill = colours::kDecoy}, false, "decoy"},
                               {{.fill = colours::kLook}, false, "analyse"}};
    if (frames_.front().has_workflow) {
      blue.push_back({{.stroke = colours::kViolation, .width = 2}, false, "violates the order"});
    }
    DrawEntries(y + 22, blue);
  }

  std::span<const Frame> frames_;
  const Network& network_;
  double bottom_;
  double cell_;
  double right_;
  Svg svg_;
};

}  // namespace

std::string TimelinePicture(std::span<const Frame> frames, const Network& network,
                            const std::string& title) {
  DRAY_CHECK(!frames.empty());
  return Timeline(frames, network, title).Draw();
}

}  // namespace dray::cage2
