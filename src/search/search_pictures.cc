#include "src/search/search_pictures.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "src/base/error.h"
#include "src/search/chart.h"

namespace dray {
namespace {

constexpr char kModel[] = "#1f5fa8", kMeasured[] = "#d1610a", kIgnored[] = "#888888";
constexpr char kReturn[] = "return (reward per episode)";
constexpr char kOrdersFile[] = "orders.svg", kBestFile[] = "best.svg", kRegretFile[] = "regret.svg";
constexpr char kOrdersTitle[] = "What is believed of every order";
constexpr char kBestTitle[] = "The order believed best so far";
constexpr char kRegretTitle[] = "Regret of the order believed best so far";

using Points = std::vector<Point>;

// Returns a range around all points, with a small margin.
Chart::Range Around(std::initializer_list<const Points*> all) {
  Chart::Range range = {std::numeric_limits<double>::infinity(),
                        -std::numeric_limits<double>::infinity()};
  for (const Points* points : all) {
    for (const Point& point : *points) {
      if (!std::isfinite(point.y)) continue;
      range = {std::min(range.low, point.y), std::max(range.high, point.y)};
    }
  }
  const double room = 0.05 * (range.high - range.low);
  return {range.low - room, range.high + room};
}

// Measured returns, at the x positions that `x_of` gives them.
struct Measured {
  Points counted, ignored;
};

template <typename XOf>
Measured MeasuredAt(const SearchFindings& findings, const XOf& x_of) {
  Measured measured;
  for (const auto& [trial, result] : findings.trials) {
    const bool counts = findings.search.Counts(result);
    (counts ? measured.counted : measured.ignored).push_back({x_of(trial), result.mean_return});
  }
  return measured;
}

void DrawMeasured(Chart& chart, const Measured& measured) {
  chart.Dots(measured.counted, kMeasured, /*hollow=*/false, "a training, measured");
  if (measured.ignored.empty()) return;
  chart.Dots(measured.ignored, kIgnored, /*hollow=*/true, "one that does not count");
}

std::string OrdersPicture(const SearchFindings& findings, const OrderSearch::Belief& belief) {
  std::vector<int> ranked(belief.mean.size());
  std::iota(ranked.begin(), ranked.end(), 0);
  std::ranges::stable_sort(ranked, std::greater<>(), [&](int i) { return belief.mean[i]; });
  std::vector<double> rank_of(ranked.size());
  Points mean, low, high;
  for (size_t i = 0; i < ranked.size(); ++i) {
    const size_t order = ranked[i];
    const double rank = i + 1;
    rank_of[order] = rank;
    mean.push_back({rank, belief.mean[order]});
    low.push_back({rank, belief.mean[order] - belief.standard_deviation[order]});
    high.push_back({rank, belief.mean[order] + belief.standard_deviation[order]});
  }
  const Measured measured =
      MeasuredAt(findings, [&](const Trial& trial) { return rank_of[trial.order]; });
  Chart chart(kOrdersTitle, "rank of the order by its posterior mean (1: the best)", kReturn,
              {1, static_cast<double>(ranked.size())},
              Around({&low, &high, &measured.counted, &measured.ignored}));
  chart.Band(low, high, kModel, "standard deviation");
  chart.Line(mean, kModel, "posterior mean");
  DrawMeasured(chart, measured);
  return chart.Document();
}

// The order believed best after each training, among those that were trained and count; -1: none.
struct BestSoFar {
  std::vector<int> order;
  Points mean, low, high;
};

BestSoFar FollowBest(const SearchFindings& findings) {
  BestSoFar best;
  OrderSearch search = findings.search.Fresh(0);
  for (const auto& [trial, result] : findings.trials) {
    search.Tell(trial.order, result);
    const double x = trial.number;
    const OrderSearch::Belief belief = search.Believed();
    const int order = BelievedBest(search, belief.mean);
    best.order.push_back(order);
    if (order < 0) continue;
    const size_t i = order;
    best.mean.push_back({x, belief.mean[i]});
    best.low.push_back({x, belief.mean[i] - belief.standard_deviation[i]});
    best.high.push_back({x, belief.mean[i] + belief.standard_deviation[i]});
  }
  return best;
}

Chart::Range Trials(const SearchFindings& findings) {
  return {1, static_cast<double>(std::max<size_t>(2, findings.trials.size()))};
}

std::string BestPicture(const SearchFindings& findings, const BestSoFar& best) {
  const Measured measured =
      MeasuredAt(findings, [](const Trial& trial) { return static_cast<double>(trial.number); });
  Chart chart(kBestTitle, "training", kReturn, Trials(findings),
              Around({&best.low, &best.high, &measured.counted, &measured.ignored}));
  chart.Band(best.low, best.high, kModel, "standard deviation");
  chart.Line(best.mean, kModel, "posterior mean of the best");
  DrawMeasured(chart, measured);
  return chart.Document();
}

std::string RegretPicture(const SearchFindings& findings, const OrderSearch::Belief& belief,
                          const BestSoFar& best) {
  const auto final_mean = [&](int order) { return belief.mean[order]; };
  Points regret;
  for (size_t i = 0; i < best.order.size(); ++i) {
    if (best.order[i] < 0) continue;
    regret.push_back({static_cast<double>(findings.trials[i].trial.number),
                      final_mean(best.order.back()) - final_mean(best.order[i])});
  }
  Chart chart(kRegretTitle, "training", "lacks to the final best (reward per episode)",
              Trials(findings), Around({&regret}));
  chart.Line(regret, kModel, "by the final model");
  chart.Dots(regret, kModel, /*hollow=*/false, "after a training");
  return chart.Document();
}

}  // namespace

std::vector<std::pair<std::string, std::string>> SearchPictures(const SearchFindings& findings) {
  const OrderSearch::Belief belief = findings.search.Believed();
  if (BelievedBest(findings.search, belief.mean) < 0) return {};
  const BestSoFar best = FollowBest(findings);
  return {{kOrdersFile, OrdersPicture(findings, belief)},
          {kBestFile, BestPicture(findings, best)},
          {kRegretFile, RegretPicture(findings, belief, best)}};
}

std::string PictureLinks(const SearchFindings& findings) {
  if (BelievedBest(findings.search, findings.search.Believed().mean) < 0) return "";
  return Cat("![", kOrdersTitle, "](", kOrdersFile, ")\n\n![", kBestTitle, "](", kBestFile,
             ")\n\n![", kRegretTitle, "](", kRegretFile, ")\n");
}

}  // namespace dray
