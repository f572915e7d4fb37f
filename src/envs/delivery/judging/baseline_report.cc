#include "src/envs/delivery/judging/baseline_report.h"

#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <set>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/output/progress_line.h"

namespace dray::delivery {
namespace {

struct ShownProgress {
  std::atomic<double> share = 0;
  std::string stage;
  ProgressLine line{"starting", [this] { return share.load(); }, std::chrono::seconds(10)};
};

}  // namespace

ComparisonOptions OptionsOf(const BaselineRequest& request, const std::vector<std::string>& all) {
  ComparisonOptions options;
  options.baselines = request.names == std::vector<std::string>{"all"} ? all : request.names;
  options.weights = request.weights;
  options.side_model = request.side_model;
  options.progress = [shown = std::make_shared<ShownProgress>()](const std::string& stage, int done,
                                                                 int of) {
    shown->share = static_cast<double>(done) / of;
    if (stage != std::exchange(shown->stage, stage)) shown->line.Begin(stage);
  };
  return options;
}

void Tell(const BaselineRequest& request, const ComparisonReport& report) {
  std::cout << (request.json ? report.json : report.text) << std::flush;
  if (request.out.empty()) return;
  WriteFileAtomically(request.out + "/evaluation.md", report.markdown, "--out");
  WriteFileAtomically(request.out + "/evaluation.json", report.json, "--out");
  std::cerr << "written " << request.out << "/evaluation.md and evaluation.json\n";
}

void NumberVehiclesLike(const DrawnDay& model, DrawnDay* day) {
  const auto places = [](const DrawnDay& of, const std::vector<int>& route) {
    std::set<int> found;
    for (const int stop : route) found.insert(of.problem.stops[stop].place);
    return found;
  };
  std::vector<std::vector<int>>& routes = day->plan.routes;
  auto next = routes.begin();
  for (const std::vector<int>& route : model.plan.routes) {
    if (next == routes.end()) return;
    const std::set<int> wanted = places(model, route);
    const auto shared = [&](const std::vector<int>& other) {
      return std::ranges::count_if(places(*day, other),
                                   [&](int place) { return wanted.contains(place); });
    };
    std::iter_swap(next, std::max_element(next, routes.end(), [&](const auto& a, const auto& b) {
                     return shared(a) < shared(b);
                   }));
    ++next;
  }
}

void Draw(const BaselineRequest& request, int episode, std::vector<DrawnDay> days) {
  if (days.empty()) return;
  TimeSpan times = TimesOf(days[0].problem, days[0].plan, days[0].asked);
  for (size_t i = 1; i < days.size(); ++i) {
    NumberVehiclesLike(days[0], &days[i]);
    const TimeSpan own = TimesOf(days[i].problem, days[i].plan, days[i].asked);
    times = {std::min(times.begin, own.begin), std::max(times.end, own.end)};
  }
  for (const DrawnDay& day : days) {
    const std::string name = Cat("episode_", episode, "_", day.policy);
    const PictureText text{.title = Cat("Episode ", episode, ", policy: ", day.policy),
                           .caption = "",
                           .clock = day.clock,
                           .times = times};
    const PicturePaths paths =
        WritePictures(request.render_folder, name, day.problem, day.plan, text, day.asked);
    std::cerr << "drawn " << paths.routes << "\n      " << paths.gantt << "\n";
  }
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += Cat(text.empty() ? "" : ", ", name);
  return text;
}

}  // namespace dray::delivery
