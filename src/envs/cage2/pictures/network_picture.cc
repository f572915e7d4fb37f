#include <algorithm>
#include <array>
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

constexpr double kWidth = 900, kHeight = 560, kBoxWidth = 150, kBoxHeight = 58;

// What an episode did to a host.
struct Fate {
  int held = 0;         // steps with a session
  int privileged = 0;   // of them, with privileges
  int broken_into = 0;  // step of the first break-in; 0: never
  int fixes = 0;
  int decoys = 0;
};

// The way red learned of a host: from one with a link to it, of several the last that red had
// privileges on, else from its foothold.
Host SourceOf(int host, const std::array<Fate, kHosts>& fates) {
  Host source = kNoHost;
  for (int other = 0; other < kHosts; ++other) {
    if (kNetwork[static_cast<size_t>(other)].linked != host) continue;
    if (source == kNoHost || fates[static_cast<size_t>(other)].privileged > 0) {
      source = static_cast<Host>(other);
    }
  }
  return source == kNoHost ? kUser0 : source;
}

std::array<Fate, kHosts> FatesOf(std::span<const Frame> frames) {
  std::array<Fate, kHosts> fates;
  for (const Frame& frame : frames) {
    for (size_t host = 0; host < kHosts; ++host) {
      fates[host].held += (frame.sessions >> host) & 1;
      fates[host].privileged += (frame.privileged >> host) & 1;
    }
    const StepRecord& record = frame.record;
    if (record.red_action == RedAction::kExploit && record.red_success) {
      Fate& fate = fates[static_cast<size_t>(record.red_target)];
      if (fate.broken_into == 0) fate.broken_into = frame.step;
    }
    const BlueAction action = BlueActionOf(frame.action);
    if (action.host < 0) continue;
    Fate& fate = fates[static_cast<size_t>(action.host)];
    fate.fixes += IsFix(frame.action) ? 1 : 0;
    fate.decoys += frame.record.effect == BlueEffect::kDecoyPlaced ? 1 : 0;
  }
  return fates;
}

// The middle of a host's box: a column for each subnet, in the order of red's way.
Point PlaceOf(int host) {
  constexpr std::array<HostMask, 3> kColumns = {kUserHosts, kEnterpriseHosts | Bit(kDefender),
                                                kOperationalHosts};
  for (size_t column = 0; column < kColumns.size(); ++column) {
    const HostMask members = kColumns[column];
    if ((members & Bit(host)) == 0) continue;
    const int place = Count(static_cast<HostMask>(members & (Bit(host) - 1)));
    const double step = (kHeight - 130) / Count(members);
    return {150 + 300 * static_cast<double>(column), 70 + step * (place + 0.5)};
  }
  return {};
}

void DrawHost(Svg& svg, int host, const Fate& fate, size_t steps) {
  const Point middle = PlaceOf(host);
  const double left = middle.x - kBoxWidth / 2, top = middle.y - kBoxHeight / 2;
  const auto share = [&](int count) {
    return kBoxWidth * static_cast<double>(count) / static_cast<double>(steps);
  };
  svg.Rectangle(left, top, kBoxWidth, kBoxHeight,
                {.fill = "white", .stroke = fate.held > 0 ? colours::kAttack : "#888888"});
  svg.Rectangle(left, top, share(fate.held), 8, {.fill = colours::kSession, .kind = "held"});
  svg.Rectangle(left, top, share(fate.privileged), 8,
                {.fill = colours::kPrivileged, .kind = "privileged"});
  svg.Text(middle.x, top + 26, kNetwork[static_cast<size_t>(host)].name,
           {.size = 13, .anchor = "middle", .bold = true});
  std::string done;
  if (fate.fixes > 0) done = Cat(fate.fixes, fate.fixes == 1 ? " fix" : " fixes");
  if (fate.decoys > 0) {
    done += Cat(done.empty() ? "" : ", ", fate.decoys, fate.decoys == 1 ? " decoy" : " decoys");
  }
  svg.Text(middle.x, top + 40, done, {.size = 11, .anchor = "middle", .fill = colours::kFix});
  if (fate.held > 0) {
    svg.Text(middle.x, top + 53, Cat("red: ", fate.held, fate.held == 1 ? " step" : " steps"),
             {.size = 11, .anchor = "middle", .fill = colours::kAttack});
  }
}

void DrawWay(Svg& svg, int host, const std::array<Fate, kHosts>& fates) {
  const Fate& fate = fates[static_cast<size_t>(host)];
  if (fate.broken_into == 0 || host == kUser0) return;
  Point from = PlaceOf(SourceOf(host, fates)), to = PlaceOf(host);
  const bool same_column = std::abs(from.x - to.x) < 1;
  from.x += same_column ? -kBoxWidth / 2 : kBoxWidth / 2;
  to.x -= kBoxWidth / 2;
  const Point control = {same_column ? to.x - 50 : (from.x + to.x) / 2, (from.y + to.y) / 2};
  svg.Curve(from, control, to, {.stroke = colours::kAttack, .width = 1.5, .kind = "way"});
  svg.Circle(to, 3.5, {.fill = colours::kAttack});
  svg.Text((from.x + 2 * control.x + to.x) / 4, (from.y + 2 * control.y + to.y) / 4 - 4,
           Cat(fate.broken_into),
           {.size = 12, .anchor = "middle", .fill = colours::kAttack, .bold = true, .halo = true});
}

}  // namespace

std::string NetworkPicture(std::span<const Frame> frames, const std::string& title) {
  DRAY_CHECK(!frames.empty());
  Svg svg(kWidth, kHeight, title);
  svg.Text(30, 26, title, {.size = 16, .bold = true});
  constexpr std::array<const char*, 3> kNames = {"User", "Enterprise", "Operational"};
  for (size_t column = 0; column < kNames.size(); ++column) {
    const double x = 150 + 300 * static_cast<double>(column);
    svg.Rectangle(x - 105, 64, 210, kHeight - 110, {.fill = "#f3f3f3", .stroke = colours::kGrid});
    svg.Text(x, 56, kNames[column], {.size = 13, .anchor = "middle"});
  }
  const std::array<Fate, kHosts> fates = FatesOf(frames);
  for (int host = 0; host < kHosts; ++host) DrawWay(svg, host, fates);
  for (int host = 0; host < kHosts; ++host) {
    DrawHost(svg, host, fates[static_cast<size_t>(host)], frames.size());
  }
  svg.Text(30, kHeight - 16,
           "Lines: the first break-in into each host, with its step. Bars: share of the episode "
           "that red was in (pale) and had privileges.",
           {.size = 11});
  return svg.Document();
}

}  // namespace dray::cage2
