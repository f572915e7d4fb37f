#include "src/search/search_verdict.h"

#include <gmock/gmock.h>

#include <limits>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/search/search_pictures.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<std::string> kNames = {"user", "server", "defender"};

class SearchVerdict : public testing::Test {
 protected:
  void Add(int order, double mean, double compliance = 1) {
    FinishedTrial one;
    one.trial.number = static_cast<int>(trials_.size()) + 1;
    one.trial.order = order;
    one.trial.seed = 7;
    one.result.mean_return = mean;
    one.result.return_variance = 25;
    one.result.episodes = 500;
    one.result.compliance = compliance;
    trials_.push_back(one);
    search_.Tell(order, one.result);
  }
  SearchFindings Findings() const { return {search_, trials_, kNames, "a task", {}, effect_}; }
  Json Parsed() const { return ParsedJson(SearchJson(Findings())); }

  OrderSearch search_{SearchConfig(), 3, 1};
  std::vector<FinishedTrial> trials_;
  std::optional<OrderEffect> effect_;
};

TEST_F(SearchVerdict, SaysByHowMuchTheBestIsBetterWhenTheOrderMatters) {
  effect_ = {.verdict = OrderEffect::Verdict::kMatters,
             .trainings = 40,
             .p = 1.0 / 401,
             .best = 3,
             .median = 0,
             .better_by = 12.34,
             .better_by_ci95 = 4.56};
  EXPECT_EQ(VerdictLine(Findings()),
            "The order matters: server > defender > user is better than the median order by 12.3 ± "
            "4.6 (95 % interval, paired seeds, 40 trainings), p = 0.002");
}

TEST_F(SearchVerdict, SaysWhatWouldHaveBeenSeenWhenNothingIs) {
  effect_ = {
      .verdict = OrderEffect::Verdict::kNotSeen, .trainings = 40, .p = 0.614, .visible = 7.89};
  EXPECT_EQ(VerdictLine(Findings()),
            "No effect of the order can be seen in 40 trainings (p = 0.61; differences between "
            "orders of more than about 7.9 would probably have been seen)");
  effect_->visible = std::numeric_limits<double>::infinity();
  EXPECT_THAT(VerdictLine(Findings()), HasSubstr("only very large differences"));
}

TEST_F(SearchVerdict, SaysWhenItCannotTell) {
  EXPECT_THAT(VerdictLine(Findings()), HasSubstr("No verdict yet"));
  for (int i = 0; i < 5; ++i) Add(i, -60 - i);
  Add(5, -50, /*compliance=*/0.5);
  effect_ = ExamineEffect(search_);
  EXPECT_EQ(VerdictLine(Findings()),
            "Too few trainings to tell whether the order matters: 5 of 6 count, 8 are needed");
}

TEST_F(SearchVerdict, TheVariancesAreInUnitsOfReturn) {
  Add(0, -60);
  Add(1, -61);
  EXPECT_EQ(VarianceLine(Findings()), "");
  Add(2, -75);
  EXPECT_THAT(VarianceLine(Findings()), HasSubstr("between orders"));
}

TEST_F(SearchVerdict, ProgramsReadAllOfIt) {
  for (int i = 0; i < 5; ++i) Add(i, -60 - i);
  EXPECT_TRUE(Parsed()["verdict"].is_null());
  effect_ = ExamineEffect(search_);
  const Json json = Parsed();
  EXPECT_EQ(json["verdict"], "too few trainings");
  EXPECT_TRUE(json["p"].is_null());
  EXPECT_EQ(json["best"].size(), 3u);
  EXPECT_EQ(json["orders"].size(), 6u);
  EXPECT_EQ(json["orders"][5]["trainings"], 0);
  EXPECT_TRUE(json["orders"][5]["return_mean"].is_null());
  EXPECT_TRUE(json["orders"][5]["posterior_mean"].is_number());
  EXPECT_EQ(json["trials"].size(), 5u);
  EXPECT_EQ(json["trials"][1]["return_mean"], -61);
  EXPECT_THAT(json["trials"][1]["workflow"], ElementsAre("user", "defender", "server"));
  EXPECT_TRUE(json["trials"][1]["predicted_mean"].is_null());
}

TEST_F(SearchVerdict, PicturesHaveTheirAxesAndAPointForEachTraining) {
  EXPECT_TRUE(SearchPictures(Findings()).empty());
  EXPECT_EQ(PictureLinks(Findings()), "");
  for (int i = 0; i < 5; ++i) Add(i, -60 - i);
  Add(5, -50, /*compliance=*/0.5);
  const auto pictures = SearchPictures(Findings());
  ASSERT_EQ(pictures.size(), 3u);
  for (const auto& [name, document] : pictures) {
    EXPECT_THAT(PictureLinks(Findings()), HasSubstr(Cat("](", name, ")")));
    EXPECT_THAT(document, HasSubstr("(reward per episode)"));
    EXPECT_THAT(document, HasSubstr("</svg>"));
    EXPECT_EQ(document.find("nan"), document.npos) << name;
  }
  size_t circles = 0;
  const std::string& orders = pictures[0].second;
  for (size_t at = orders.find("<circle"); at != orders.npos; at = orders.find("<circle", at + 1)) {
    ++circles;
  }
  EXPECT_EQ(circles, 6u + 2);  // and two in the legend
  EXPECT_THAT(orders, HasSubstr("one that does not count"));
}

}  // namespace
}  // namespace dray
