#include "src/envs/dvrptw_offer/judging/compare_baselines.h"

#include "src/base/error.h"
#include "src/envs/delivery/judging/baseline_report.h"
#include "src/envs/dvrptw_offer/judging/comparison.h"
#include "src/envs/dvrptw_offer/judging/comparison_text.h"

namespace dray::dvrptw_offer {
namespace {

delivery::DrawnDay DrawnOf(const PolicyScore& score, int episode) {
  const JudgedDay& day = score.days[episode - 1];
  delivery::DrawnDay drawn{score.policy, day.problem, day.plan, {}, /*clock=*/false};
  for (const Stop& stop : day.asked) drawn.asked.push_back({stop.opens, stop.closes});
  return drawn;
}

void CompareBaselines(const Config& config, const BaselineRequest& request) {
  if (!request.render_folder.empty()) request.drawn.ExpectWithin(config.evaluation().episodes());
  const Comparison comparison = Compare(config, delivery::OptionsOf(request, PolicyNames()));
  delivery::Tell(request, {ComparisonText(comparison), ComparisonMarkdown(comparison),
                           ComparisonJson(comparison)});
  if (request.render_folder.empty()) return;
  for (const int episode : delivery::EpisodesToDraw(request, comparison.scores)) {
    std::vector<delivery::DrawnDay> drawn;
    for (const PolicyScore& score : comparison.scores) {
      if (score.policy != "learned" && score.policy != "all_slots") continue;
      drawn.push_back(DrawnOf(score, episode));
    }
    delivery::Draw(request, episode, std::move(drawn));
  }
}

}  // namespace

Baselines OfferBaselines() {
  return {.help = Cat("dvrptw_offer: all, or some of ", delivery::Listed(PolicyNames())),
          .compare = CompareBaselines};
}

}  // namespace dray::dvrptw_offer
