#include "src/envs/dvrptw/judging/compare_baselines.h"

#include <unistd.h>

#include <iostream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/judging/comparison.h"
#include "src/envs/dvrptw/judging/comparison_text.h"
#include "src/envs/dvrptw/judging/judged_days.h"
#include "src/envs/dvrptw/judging/offer_comparison.h"
#include "src/envs/dvrptw/judging/offer_comparison_text.h"
#include "src/envs/dvrptw/judging/policies.h"
#include "src/envs/dvrptw/world.h"
#include "src/routing/pictures/picture.h"

namespace dray {
namespace {

std::vector<std::string> ShiftNames() {
  std::vector<std::string> all = BaselineNames();
  for (const char* name : {"lookahead", "plan", "hindsight"}) all.emplace_back(name);
  return all;
}

// Those of "all": without a learned policy there is no plan with it.
std::vector<std::string> AllShiftNames(const BaselineRequest& request) {
  std::vector<std::string> all = ShiftNames();
  if (request.weights.empty()) std::erase(all, "plan");
  return all;
}

// What a day of either mode came to, for a picture.
struct DrawnDay {
  std::string policy;
  Problem problem;
  Plan plan;
  std::vector<AskedWindow> asked;  // by stop
  bool clock = false;
};

void Draw(const BaselineRequest& request, int episode, const DrawnDay& day) {
  const std::string name = Cat("episode_", episode, "_", day.policy);
  const PictureText text{.title = Cat("Episode ", episode, ", policy: ", day.policy),
                         .caption = "",
                         .clock = day.clock};
  const PicturePaths paths =
      WritePictures(request.render_folder, name, day.problem, day.plan, text, day.asked);
  std::cerr << "drawn " << paths.routes << "\n      " << paths.gantt << "\n";
}

DrawnDay DrawnOf(const PolicyScore& score, int episode, const City& city) {
  const JudgedDay& day = score.days[episode - 1];
  DrawnDay drawn{score.policy, day.problem, day.plan, {}, /*clock=*/true};
  drawn.problem.points = city.points;
  for (const Trip& trip : day.asked) {
    drawn.asked.push_back({trip.pickup_early, trip.pickup_late});
    drawn.asked.push_back({trip.dropoff_early, trip.dropoff_late});
  }
  return drawn;
}

DrawnDay DrawnOf(const OfferScore& score, int episode) {
  const JudgedOffers& day = score.days[episode - 1];
  DrawnDay drawn{score.policy, day.problem, day.plan, {}, /*clock=*/false};
  for (const Stop& stop : day.asked) drawn.asked.push_back({stop.opens, stop.closes});
  return drawn;
}

// Good days are those on which the learned policy, or else the last one, gains most on the first.
template <typename Score>
std::vector<int> EpisodesToDraw(const BaselineRequest& request, const std::vector<Score>& scores) {
  const auto learned = std::ranges::find(scores, "learned", &Score::policy);
  const Score& judged = learned == scores.end() ? scores.back() : *learned;
  std::vector<double> gains;
  for (size_t i = 0; i < judged.days.size(); ++i) {
    gains.push_back(scores.front().days[i].objective - judged.days[i].objective);
  }
  return request.drawn.Choose(gains);
}

void WriteReports(const std::string& folder, const std::string& page, const std::string& json) {
  WriteFileAtomically(folder + "/evaluation.md", page, "--out");
  WriteFileAtomically(folder + "/evaluation.json", json, "--out");
  std::cerr << "written " << folder << "/evaluation.md and evaluation.json\n";
}

// Prints a comparison of either mode, writes it where that was asked for.
template <typename AnyComparison>
void Tell(const BaselineRequest& request, const AnyComparison& comparison) {
  const std::string json = ComparisonJson(comparison);
  std::cout << (request.json ? json : ComparisonText(comparison)) << std::flush;
  if (!request.out.empty()) WriteReports(request.out, ComparisonMarkdown(comparison), json);
}

ComparisonOptions OptionsOf(const BaselineRequest& request, const std::vector<std::string>& all) {
  ComparisonOptions options;
  options.baselines = request.names == std::vector<std::string>{"all"} ? all : request.names;
  options.weights = request.weights;
  options.side_model = request.side_model;
  if (::isatty(STDERR_FILENO) == 1) {
    options.progress = [](const std::string& policy, int done, int of) {
      std::cerr << "\r\x1b[K" << policy << " " << done << "/" << of << std::flush;
      if (done == of) std::cerr << "\r\x1b[K";
    };
  }
  return options;
}

void CompareShifting(const Config& config, const BaselineRequest& request) {
  const Comparison comparison = Compare(config, OptionsOf(request, AllShiftNames(request)));
  Tell(request, comparison);
  if (!request.out.empty()) {
    WriteFileAtomically(request.out + "/days.jsonl", JudgedDaysText(comparison), "--out");
    std::cerr << "written " << request.out << "/days.jsonl\n";
  }
  if (request.render_folder.empty()) return;
  const City city = MakeWorld(config.env().GetExtension(dvrptw))->city;
  for (const int episode : EpisodesToDraw(request, comparison.scores)) {
    for (const PolicyScore& score : comparison.scores) {
      if (score.policy != "learned" && score.policy != "plan" && score.policy != "none") continue;
      Draw(request, episode, DrawnOf(score, episode, city));
    }
  }
}

void CompareOffering(const Config& config, const BaselineRequest& request) {
  const OfferComparison comparison = CompareOffers(config, OptionsOf(request, OfferPolicyNames()));
  Tell(request, comparison);
  if (request.render_folder.empty()) return;
  for (const int episode : EpisodesToDraw(request, comparison.scores)) {
    for (const OfferScore& score : comparison.scores) {
      if (score.policy != "learned" && score.policy != "all_slots") continue;
      Draw(request, episode, DrawnOf(score, episode));
    }
  }
}

void CompareBaselines(const Config& config, const BaselineRequest& request) {
  if (!request.render_folder.empty()) request.drawn.ExpectWithin(config.evaluation().episodes());
  const bool offers = config.env().GetExtension(dvrptw).mode() == DvrptwConfig::OFFER;
  (offers ? CompareOffering : CompareShifting)(config, request);
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += Cat(text.empty() ? "" : ", ", name);
  return text;
}

}  // namespace

Baselines DeliveryBaselines() {
  return {.help = Cat("Compare with simple policies on the same episodes, judged from "
                      "scratch by a long search: all, or some of ",
                      Listed(ShiftNames()), " (mode negotiate) or of ", Listed(OfferPolicyNames()),
                      " (mode offer), joined by commas"),
          .compare = CompareBaselines};
}

}  // namespace dray
