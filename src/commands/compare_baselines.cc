#include "src/commands/compare_baselines.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/dvrptw/dvrptw.pb.h"
#include "src/envs/dvrptw/judging/comparison.h"
#include "src/envs/dvrptw/judging/comparison_text.h"
#include "src/routing/pictures/picture.h"

namespace dray {
namespace {

std::vector<std::string> BaselinesOf(const CommandLine& line) {
  if (line.baselines != std::vector<std::string>{"all"}) return line.baselines;
  std::vector<std::string> all = BaselineNames();
  all.push_back("hindsight");
  return all;
}

void DrawEpisode(const CommandLine& line, const Comparison& comparison, const City& city) {
  if (line.episode > comparison.episodes) {
    throw UsageError("--episode ", line.episode, ": there are ", comparison.episodes,
                     "; ask for more with --episodes");
  }
  for (const PolicyScore& score : comparison.scores) {
    if (score.policy != "learned" && score.policy != "none") continue;
    const JudgedDay& day = score.days[static_cast<size_t>(line.episode - 1)];
    Problem problem = day.problem;
    problem.points = city.points;
    std::vector<AskedWindow> asked;
    for (const Trip& trip : day.asked) {
      asked.push_back({trip.pickup_early, trip.pickup_late});
      asked.push_back({trip.dropoff_early, trip.dropoff_late});
    }
    const std::string name = Cat("episode_", line.episode, "_", score.policy);
    const PictureText text{.title = Cat("Episode ", line.episode, ", policy: ", score.policy),
                           .caption = "",
                           .clock = true};
    const PicturePaths paths =
        WritePictures(line.render_folder, name, problem, day.plan, text, asked);
    std::cerr << "drawn " << paths.routes << "\n      " << paths.gantt << "\n";
  }
}

void WriteReports(const std::string& folder, const Comparison& comparison) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Failure("--out ", folder, ": ", error.message());
  WriteFileAtomically(folder + "/evaluation.md", ComparisonMarkdown(comparison));
  WriteFileAtomically(folder + "/evaluation.json", ComparisonJson(comparison));
  std::cerr << "written " << folder << "/evaluation.md and evaluation.json\n";
}

}  // namespace

void CompareBaselines(const CommandLine& line, const Config& config, const Checkpoint& checkpoint) {
  const DvrptwConfig& deliveries = config.env().GetExtension(dvrptw);
  if (config.env().name() != "dvrptw" || deliveries.mode() != DvrptwConfig::NEGOTIATE) {
    throw UsageError("--baselines: ", config.env().name(),
                     " has none; they are for the delivery task in its mode negotiate");
  }
  ComparisonOptions options;
  options.baselines = BaselinesOf(line);
  options.weights = checkpoint.weights;
  options.side_model = checkpoint.side_model;
  if (::isatty(STDERR_FILENO) == 1) {
    options.progress = [](const std::string& policy, int done, int of) {
      std::cerr << "\r\x1b[K" << policy << " " << done << "/" << of << std::flush;
      if (done == of) std::cerr << "\r\x1b[K";
    };
  }
  const Comparison comparison = Compare(config, options);
  std::cout << (line.json ? ComparisonJson(comparison) : ComparisonText(comparison)) << std::flush;
  if (!line.out.empty()) WriteReports(line.out, comparison);
  if (!line.render_folder.empty()) {
    DrawEpisode(line, comparison, MakeWorld(deliveries)->city);
  }
}

}  // namespace dray
