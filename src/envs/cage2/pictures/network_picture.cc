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

constexpr double kBoxWidth = 150, kBoxHeight = 58;

// Fate of a host in an episode.
struct Fate {
  int held = 0;         // steps with a session
  int privileged = 0;   // steps with a privileged session
  int broken_into = 0;  // step of the first break-in; 0: never
  int fixes = 0;
  int decoys = 0;
};

using Fates = std::array<Fate, kMostHosts>;

// Returns the host from which red learned of a host: one that reveals its address, preferring the
// last one on which red had privileges, else the foothold.
Host SourceOf(int host, const Fates& fates, const Network& network) {
  Host source = kNoHost;
  for (int other = 0; other < network.hosts; ++other) {
    const bool shows = (network.facts[other].shown_hosts & Bit(host)) != 0;
    if (!shows || other == host) continue;
    if (source == kNoHost || fates[other].privileged > 0) {
      source = Enumerator<Host>(other);
    }
  }
  return source == kNoHost ? network.foothold : source;
}

Fates FatesOf(std::span<const Frame> frames, const Network& network) {
  Fates fates;
  for (const Frame& frame : frames) {
    for (size_t host = 0; host < kMostHosts; ++host) {
      fates[host].held += (frame.sessions >> host) & 1;
      fates[host].privileged += (frame.privileged >> host) & 1;
    }
    const StepRecord& record = frame.record;
    if (record.red_action == RedAction::kExploit && record.red_success) {
      Fate& fate = fates[record.red_target];
      if (fate.broken_into == 0) fate.broken_into = frame.step;
    }
    const BlueAction action = BlueActionOf(frame.action, network);
    if (action.host < 0) continue;
    Fate& fate = fates[action.host];
    fate.fixes += IsFix(frame.action, network) ? 1 : 0;
    fate.decoys += frame.record.effect == BlueEffect::kDecoyPlaced ? 1 : 0;
  }
  return fates;
}

// Positions of the hosts: one column per subnet, in the order of red's path.
class Columns {
 public:
  explicit Columns(const Network& network) : network_(network) {
    const int first = Index(network.facts[network.foothold].subnet);
    order_.push_back(first);
    for (const int guarded : {0, 1}) {
      for (int subnet = 0; subnet < network.subnets; ++subnet) {
        if (subnet != first && (network.guarded_subnets >> subnet & 1) == guarded)
          order_.push_back(subnet);
      }
    }
    for (const int subnet : order_) {
      height_ = std::max(height_, kMargins + kLeastStep * Count(network.subnet_hosts[subnet]));
    }
  }

  double width() const { return 300.0 * order_.size(); }
  double height() const { return height_; }

  // Returns the middle of a host's box.
  Point PlaceOf(int host) const {
    const int subnet = Index(network_.facts[host].subnet);
    const HostMask members = network_.subnet_hosts[subnet];
    const auto column = std::ranges::find(order_, subnet) - order_.begin();
    const int place = Count(members & (Bit(host) - 1));
    const double step = (height_ - kMargins) / Count(members);
    return {MiddleOf(column), 70 + step * (place + 0.5)};
  }

  void Draw(Svg& svg) const {
    for (size_t column = 0; column < order_.size(); ++column) {
      const double x = MiddleOf(column);
      svg.Rectangle(x - 105, 64, 210, height_ - 110, {.fill = "#f3f3f3", .stroke = colours::kGrid});
      svg.Text(x, 56, network_.subnet_names[order_[column]], {.size = 13, .anchor = "middle"});
    }
  }

 private:
  static constexpr double kMargins = 130, kLeastStep = kBoxHeight + 8;

  static double MiddleOf(double column) { return 150 + 300 * column; }

  const Network& network_;
  std::vector<int> order_;
  double height_ = 560;
};

void DrawHost(Svg& svg, Point middle, const std::string& name, const Fate& fate, size_t steps) {
  const double left = middle.x - kBoxWidth / 2, top = middle.y - kBoxHeight / 2;
  const auto share = [&](int count) {
    return kBoxWidth * static_cast<double>(count) / static_cast<double>(steps);
  };
  svg.Rectangle(left, top, kBoxWidth, kBoxHeight,
                {.fill = "white", .stroke = fate.held > 0 ? colours::kAttack : "#888888"});
  svg.Rectangle(left, top, share(fate.held), 8, {.fill = colours::kSession, .kind = "held"});
  svg.Rectangle(left, top, share(fate.privileged), 8,
                {.fill = colours::kPrivileged, .kind = "privileged"});
  svg.Text(middle.x, top + 26, name, {.size = 13, .anchor = "middle", .bold = true});
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

void DrawWay(Svg& svg, int host, const Fates& fates, const Network& network,
             const Columns& columns) {
  const Fate& fate = fates[host];
  if (fate.broken_into == 0 || host == network.foothold) return;
  Point from = columns.PlaceOf(SourceOf(host, fates, network)), to = columns.PlaceOf(host);
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

std::string NetworkPicture(std::span<const Frame> frames, const Network& network,
                           const std::string& title) {
  DRAY_CHECK(!frames.empty());
  const Columns columns(network);
  Svg svg(columns.width(), columns.height(), title);
  svg.Text(30, 26, title, {.size = 16, .bold = true});
  columns.Draw(svg);
  const Fates fates = FatesOf(frames, network);
  for (int host = 0; host < network.hosts; ++host) DrawWay(svg, host, fates, network, columns);
  for (int host = 0; host < network.hosts; ++host) {
    const size_t place = host;
    DrawHost(svg, columns.PlaceOf(host), network.names[place], fates[place], frames.size());
  }
  svg.Text(30, columns.height() - 16,
           "Lines: the first break-in into each host, with its step. Bars: share of the episode "
           "that red was in (pale) and had privileges.",
           {.size = 11});
  return svg.Document();
}

}  // namespace dray::cage2
