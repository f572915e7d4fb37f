#include "src/envs/dvrptw/judging/compare_baselines.h"

#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/judging/comparison.h"
#include "src/envs/dvrptw/judging/comparison_text.h"
#include "src/envs/dvrptw/judging/judged_days.h"
#include "src/envs/dvrptw/judging/policies.h"
#include "src/envs/dvrptw/world.h"
#include "src/routing/pictures/picture.h"

namespace dray {
namespace {

std::vector<std::string> AllNames() {
  std::vector<std::string> all = BaselineNames();
  all.push_back("hindsight");
  return all;
}

void DrawEpisode(const BaselineRequest& request, const Comparison& comparison, const City& city) {
  if (request.episode > comparison.episodes) {
    throw UsageError("--episode ", request.episode, ": there are ", comparison.episodes,
                     "; ask for more with --episodes");
  }
  for (const PolicyScore& score : comparison.scores) {
    if (score.policy != "learned" && score.policy != "none") continue;
    const JudgedDay& day = score.days[static_cast<size_t>(request.episode - 1)];
    Problem problem = day.problem;
    problem.points = city.points;
    std::vector<AskedWindow> asked;
    for (const Trip& trip : day.asked) {
      asked.push_back({trip.pickup_early, trip.pickup_late});
      asked.push_back({trip.dropoff_early, trip.dropoff_late});
    }
    const std::string name = Cat("episode_", request.episode, "_", score.policy);
    const PictureText text{.title = Cat("Episode ", request.episode, ", policy: ", score.policy),
                           .caption = "",
                           .clock = true};
    const PicturePaths paths =
        WritePictures(request.render_folder, name, problem, day.plan, text, asked);
    std::cerr << "drawn " << paths.routes << "\n      " << paths.gantt << "\n";
  }
}

void WriteReports(const std::string& folder, const Comparison& comparison) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Failure("--out ", folder, ": ", error.message());
  WriteFileAtomically(folder + "/evaluation.md", ComparisonMarkdown(comparison));
  WriteFileAtomically(folder + "/evaluation.json", ComparisonJson(comparison));
  WriteFileAtomically(folder + "/days.jsonl", JudgedDaysText(comparison));
  std::cerr << "written " << folder << "/evaluation.md, evaluation.json and days.jsonl\n";
}

void CompareBaselines(const Config& config, const BaselineRequest& request) {
  const DvrptwConfig& deliveries = config.env().GetExtension(dvrptw);
  if (deliveries.mode() != DvrptwConfig::NEGOTIATE) {
    throw UsageError("--baselines: ", config.env().name(),
                     " has none; they are for the delivery task in its mode negotiate");
  }
  ComparisonOptions options;
  const bool all = request.names == std::vector<std::string>{"all"};
  options.baselines = all ? AllNames() : request.names;
  options.weights = request.weights;
  options.side_model = request.side_model;
  if (::isatty(STDERR_FILENO) == 1) {
    options.progress = [](const std::string& policy, int done, int of) {
      std::cerr << "\r\x1b[K" << policy << " " << done << "/" << of << std::flush;
      if (done == of) std::cerr << "\r\x1b[K";
    };
  }
  const Comparison comparison = Compare(config, options);
  std::cout << (request.json ? ComparisonJson(comparison) : ComparisonText(comparison))
            << std::flush;
  if (!request.out.empty()) WriteReports(request.out, comparison);
  if (!request.render_folder.empty()) {
    DrawEpisode(request, comparison, MakeWorld(deliveries)->city);
  }
}

}  // namespace

Baselines DeliveryBaselines() {
  std::string names;
  for (const std::string& name : AllNames()) names += Cat(name, ", ");
  return {.help = Cat("Deliveries: compare with simple policies on the same episodes, judged from "
                      "scratch by a long search: all, or some of ",
                      names, "joined by commas"),
          .compare = CompareBaselines};
}

}  // namespace dray
