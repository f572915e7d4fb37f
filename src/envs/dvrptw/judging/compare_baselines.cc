#include "src/envs/dvrptw/judging/compare_baselines.h"

#include <iostream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/delivery/judging/baseline_report.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/judging/comparison.h"
#include "src/envs/dvrptw/judging/comparison_text.h"
#include "src/envs/dvrptw/judging/judged_days.h"
#include "src/envs/dvrptw/judging/policies.h"
#include "src/envs/dvrptw/world.h"

namespace dray::dvrptw {
namespace {

std::vector<std::string> PolicyNames() {
  std::vector<std::string> all = BaselineNames();
  for (const char* name : {"lookahead", "plan", "hindsight"}) all.emplace_back(name);
  return all;
}

// Returns what "all" stands for: the policy plan needs a learned policy.
std::vector<std::string> AllNames(const BaselineRequest& request) {
  std::vector<std::string> all = PolicyNames();
  if (request.weights.empty()) std::erase(all, "plan");
  return all;
}

delivery::DrawnDay DrawnOf(const PolicyScore& score, int episode, const City& city) {
  const JudgedDay& day = score.days[episode - 1];
  delivery::DrawnDay drawn{score.policy, day.problem, day.plan, {}, /*clock=*/true};
  drawn.problem.points = city.points;
  for (const Trip& trip : day.asked) {
    drawn.asked.push_back({trip.pickup_early, trip.pickup_late});
    drawn.asked.push_back({trip.dropoff_early, trip.dropoff_late});
  }
  return drawn;
}

void CompareBaselines(const Config& config, const BaselineRequest& request) {
  if (!request.render_folder.empty()) request.drawn.ExpectWithin(config.evaluation().episodes());
  const Comparison comparison = Compare(config, delivery::OptionsOf(request, AllNames(request)));
  delivery::Tell(request, {ComparisonText(comparison), ComparisonMarkdown(comparison),
                           ComparisonJson(comparison)});
  if (!request.out.empty()) {
    WriteFileAtomically(request.out + "/days.jsonl", JudgedDaysText(comparison), "--out");
    std::cerr << "written " << request.out << "/days.jsonl\n";
  }
  if (request.render_folder.empty()) return;
  const City city = MakeWorld(config.env().GetExtension(DvrptwConfig::dvrptw))->city;
  for (const int episode : delivery::EpisodesToDraw(request, comparison.scores)) {
    std::vector<delivery::DrawnDay> drawn;
    for (const PolicyScore& score : comparison.scores) {
      if (score.policy != "learned" && score.policy != "plan" && score.policy != "none") continue;
      drawn.push_back(DrawnOf(score, episode, city));
    }
    delivery::Draw(request, episode, std::move(drawn));
  }
}

}  // namespace

Baselines ShiftBaselines() {
  return {.help = Cat("Compare with simple policies on the same episodes, judged from scratch by a "
                      "long search; names are joined by commas; dvrptw: all, or some of ",
                      delivery::Listed(PolicyNames())),
          .compare = CompareBaselines};
}

}  // namespace dray::dvrptw
