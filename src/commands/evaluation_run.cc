#include "src/commands/evaluation_run.h"

#include <algorithm>
#include <atomic>
#include <iostream>
#include <map>
#include <optional>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/commands/evaluation_text.h"
#include "src/config/overrides.h"
#include "src/output/progress_line.h"

namespace dray {
namespace {

// Shows the progress of several evaluations, by the number of episodes begun.
class EpisodeProgress {
 public:
  explicit EpisodeProgress(int episodes)
      : line_("playing", [this, episodes] {
          return std::max(0, begun_ - 1) / static_cast<double>(episodes);
        }) {}

  EnvMaker make() {
    return [this](const auto&... arguments) {
      ++begun_;
      return MakeBatchEnv(arguments...);
    };
  }

 private:
  std::atomic<int> begun_ = 0;
  ProgressLine line_;
};

// Prints every step if --render is given.
Watch WatchOf(const EvaluateArguments& line) {
  if (!line.render || !line.render_folder.empty()) return {};
  return {.text = [](const std::string& text) { std::cout << text << "\n"; }};
}

// Plays again to record what is to be drawn into the folder of --render. The same seed gives the
// same episodes.
void DrawEpisodes(const EvaluateArguments& line, const Config& config,
                  const EvaluationReport& report, const Play& play) {
  std::vector<double> returns;
  for (const Episode& episode : report.episodes) returns.push_back(episode.total_reward);
  const std::vector<int> wanted = line.drawn.Choose(returns);
  std::map<int, EpisodeFrames> frames;
  Config played = config;
  played.mutable_evaluation()->set_episodes(std::ranges::max(wanted));
  play(played, MakeBatchEnv, {.frame = [&](int index, std::string frame) {
         if (std::ranges::find(wanted, index + 1) != wanted.end())
           frames[index + 1].push_back(std::move(frame));
       }});
  for (const auto& [episode, watched] : frames) {
    for (const std::string& path :
         TaskOf(config.env()).draw_episode(config, watched, episode, line.render_folder)) {
      (line.json ? std::cerr : std::cout) << "drawn " << path << "\n";
    }
  }
}

// Checks what can be drawn before an hour is spent on playing.
void CheckPictures(const EvaluateArguments& line, const Config& config) {
  if (line.render_folder.empty()) return;
  const Task& task = TaskOf(config.env());
  if (task.draw_episode == nullptr || !line.every_value_of.empty()) {
    throw UsageError("--render ", line.render_folder, ": ",
                     task.draw_episode == nullptr
                         ? Cat(task.name,
                               " draws no pictures of an episode; --render alone "
                               "describes every step")
                         : Cat("goes with one --", line.every_value_of, ", not with all"));
  }
  line.drawn.ExpectWithin(config.evaluation().episodes());
}

// Writes the result with every episode if --out is given.
void WriteEvaluation(const EvaluateArguments& line, Json json, Json episodes) {
  if (line.out.empty()) return;
  json["by_episode"] = std::move(episodes);
  WriteFileAtomically(line.out + "/evaluation.json", JsonText(json) + "\n", "--out");
  std::cerr << "written " << line.out << "/evaluation.json\n";
}

// Evaluates each value of the setting given as --<setting> all.
void EvaluateAll(const EvaluateArguments& line, const Config& config, const EvaluatedPolicy& policy,
                 const Play& play, const Watch& watch) {
  const Task& task = TaskOf(config.env());
  const std::string& setting = line.every_value_of;
  if (!task.score_table || task.score_table->setting != setting) {
    throw UsageError("--", setting, " all: the environment ", task.name, " has no ", setting,
                     "; only ", TasksThatOffer(&Task::score_table), " has");
  }
  std::vector<ScoreRow> rows;
  const int rounds = task.score_table->values.size();
  std::optional<EpisodeProgress> progress(rounds * config.evaluation().episodes());
  for (const std::string& value : task.score_table->values) {
    Config one = config;
    ApplyOverride({Cat("env.", task.name, ".", setting), value, Cat("--", setting, " all")}, &one);
    rows.push_back({value, play(one, progress->make(), watch)});
  }
  progress.reset();
  const EnvSpec spec = SpecOf(config.env());
  const Json json = task.score_table->json(policy, rows, spec, config);
  std::cout << (line.json ? JsonText(json) + "\n"
                          : task.score_table->text(policy, rows, spec, config));
  Json episodes;
  for (const ScoreRow& row : rows) episodes[row.value] = EpisodesJson(row.report, spec, config);
  WriteEvaluation(line, json, std::move(episodes));
}

}  // namespace

void Evaluate(const EvaluateArguments& line, const Config& given, const EvaluatedPolicy& policy,
              const Play& play) {
  // Files are read once, not again for every episode.
  const Config config = CarryingFiles(given);
  CheckPictures(line, config);
  const Watch watch = WatchOf(line);
  if (!line.every_value_of.empty()) return EvaluateAll(line, config, policy, play, watch);
  const Task& task = TaskOf(config.env());
  const EnvSpec spec = SpecOf(config.env());
  std::optional<EpisodeProgress> progress(config.evaluation().episodes());
  const EvaluationReport report = play(config, progress->make(), watch);
  progress.reset();
  const Json further = task.evaluation_json ? task.evaluation_json(report, spec) : Json::object();
  const Json json = EvaluationJson(policy, report, spec, config, further);
  std::cout << (line.json ? JsonText(json) + "\n" : EvaluationText(policy, report, spec, config));
  WriteEvaluation(line, json, EpisodesJson(report, spec, config));
  if (!line.render_folder.empty()) DrawEpisodes(line, config, report, play);
}

}  // namespace dray
