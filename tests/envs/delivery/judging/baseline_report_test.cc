#include "src/envs/delivery/judging/baseline_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/base/file.h"
#include "tests/routing/street.h"

namespace dray::delivery {
namespace {

using testing::ElementsAre;

DrawnDay Played(const std::string& policy, Plan plan) {
  return {policy, Street({100, 200, 300, 400}, 3, 4), std::move(plan), {}};
}

TEST(BaselineReport, VehiclesThatShareMostPlacesHaveOneNumber) {
  const DrawnDay model = Played("none", {{{0, 1}, {2, 3}}});
  DrawnDay day = Played("learned", {{{3}, {2, 0}, {1}}});
  NumberVehiclesLike(model, &day);
  EXPECT_THAT(day.plan.routes, ElementsAre(ElementsAre(2, 0), ElementsAre(3), ElementsAre(1)));
  DrawnDay fewer = Played("learned", {{{3, 2, 1, 0}}});
  NumberVehiclesLike(model, &fewer);
  EXPECT_THAT(fewer.plan.routes, ElementsAre(ElementsAre(3, 2, 1, 0)));
}

TEST(BaselineReport, AnEpisodesPicturesHaveOneClockAndOneNumbering) {
  BaselineRequest request;
  request.render_folder = testing::TempDir() + "/episode";
  const DrawnDay all = Played("none", {{{0, 1}, {2, 3}}}),
                 near = Played("learned", {{{2}, {0, 1}}});
  Draw(request, 7, {all, near});
  const TimeSpan times = TimesOf(all.problem, all.plan);
  const PictureText text{.title = "Episode 7, policy: learned", .times = times};
  const Plan numbered = {{{0, 1}, {2}}};
  EXPECT_EQ(ReadFile(request.render_folder + "/episode_7_learned_gantt.svg"),
            GanttSvg(near.problem, numbered, text));
  EXPECT_EQ(ReadFile(request.render_folder + "/episode_7_none_gantt.svg"),
            GanttSvg(all.problem, all.plan, {.title = "Episode 7, policy: none"}));
}

}  // namespace
}  // namespace dray::delivery
