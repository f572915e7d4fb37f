#include "src/search/search_run.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>

#include "src/base/error.h"
#include "src/base/file.h"
#include "tests/search/synthetic_objective.h"

namespace dray {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kItems = {"user", "enterprise", "server", "host", "defender"};

// Trials of a function instead of trainings; what comes of one depends on the trial alone. It may
// be struck at a trial.
class SyntheticRunner : public TrialRunner {
 public:
  void Evaluate(std::span<const Trial> trials, const Finished& finished,
                const Interrupted& interrupted) override {
    // The last ones first: nobody may rely on the order.
    for (size_t i = trials.size(); i-- > 0;) {
      if (trials[i].number == give_up_at || interrupted()) continue;
      if (before_trial) before_trial(trials[i].number);
      Rng rng(trials[i].seed, RngPurpose::kTest, 0);
      TrialResult result = objective_.Sample(trials[i].order, 20, 25, rng);
      result.checkpoint = Cat(folder, "/", TrialFolderName(trials[i].number), "/net.ckpt");
      evaluated.push_back(trials[i]);
      finished(trials[i], result);
    }
  }

  std::string folder;
  int give_up_at = -1;
  std::function<void(int number)> before_trial;
  std::vector<Trial> evaluated;

 private:
  SyntheticObjective objective_{Orders(5), 11};
};

class SearchRunTest : public testing::Test {
 protected:
  SearchRunTest() {
    config_.mutable_env()->set_name("synthetic");
    config_.mutable_search()->set_workflows(10);
    config_.mutable_search()->set_parallel(3);
    config_.mutable_search()->set_warm_start(SearchConfig::NEAREST);
  }

  std::string NewFolder(const std::string& name) {
    const std::string folder =
        Cat(testing::TempDir(), "/", testing::UnitTest::GetInstance()->current_test_info()->name(),
            "-", name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return folder;
  }

  // What the run says.
  std::string Run(const std::string& folder, SyntheticRunner& runner) {
    runner.folder = folder;
    std::ostringstream out;
    SearchRun run(config_, folder, items_, out);
    run.Run(runner, [&] {
      return runner.give_up_at > 0 && !runner.evaluated.empty() &&
             runner.evaluated.back().number == runner.give_up_at - 1;
    });
    trials_ = run.trials();
    return out.str();
  }

  std::string Orders() const {
    std::string text;
    for (const FinishedTrial& one : trials_) {
      text +=
          Cat(one.trial.number, ":", one.trial.order, ":", one.trial.seed, ":",
              std::filesystem::path(one.trial.init_from).parent_path().filename().string(), " ");
    }
    return text;
  }

  Config config_;
  std::vector<std::string> items_ = kItems;
  std::vector<FinishedTrial> trials_;
};

TEST_F(SearchRunTest, EvaluatesAsManyAsAskedForAndReports) {
  SyntheticRunner runner;
  const std::string folder = NewFolder("a");
  const std::string output = Run(folder, runner);
  EXPECT_EQ(runner.evaluated.size(), 10u);
  EXPECT_THAT(output, AllOf(HasSubstr("[1/10] trial 3: "), HasSubstr("[10/10] trial 10: "),
                            HasSubstr("ETA "), HasSubstr("\nBest: "), Not(HasSubstr("Stopped"))));
  for (const char* file : {"/search.csv", "/orders.csv", "/report.md", "/trials.jsonl",
                           "/search.json", "/orders.svg", "/best.svg", "/regret.svg"}) {
    EXPECT_TRUE(std::filesystem::exists(folder + file)) << file;
  }
  const std::string report = ReadFile(folder + "/report.md");
  EXPECT_THAT(report, HasSubstr("workflow-0"));
  // The verdict is the first line of the report and the last one said.
  const std::string verdict = report.substr(2, report.find("**\n") - 2);
  EXPECT_THAT(output, EndsWith("report.md\n" + verdict + "\n"));
}

// A sink on a full disk.
class FullSink : public ReportSink {
 public:
  void Write(const Report&) override { throw Failure("no room for a report"); }
};

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_F(SearchRunTest, GoesOnWithoutFilesThatCannotBeWritten) {
  SyntheticRunner runner;
  const std::string folder = runner.folder = NewFolder("a");
  const std::string in_the_way = folder + "/report.md";
  std::filesystem::create_directory(in_the_way);
  runner.before_trial = [&](int number) {
    if (number == 10) std::filesystem::remove(in_the_way);
  };
  std::ostringstream out;
  SearchRun run(config_, folder, items_, out);
  std::vector<std::unique_ptr<ReportSink>> sinks;
  sinks.push_back(std::make_unique<FullSink>());
  run.Run(
      runner, [] { return false; }, sinks);
  EXPECT_EQ(run.trials().size(), 10u);
  EXPECT_EQ(
      Count(out.str(), "Warning: no room for a report; the run continues and will try again\n"), 1);
  EXPECT_EQ(Count(out.str(), "Warning: cannot write " + in_the_way), 1);
  EXPECT_EQ(Count(out.str(), in_the_way + ": can be written again\n"), 1);
  EXPECT_THAT(ReadFile(in_the_way), HasSubstr("workflow-0"));
}

TEST_F(SearchRunTest, TheKthTrainingOfEveryOrderHasTheSameSeed) {
  items_.resize(3);  // six orders
  SyntheticRunner runner;
  Run(NewFolder("a"), runner);
  std::map<int, std::vector<uint64_t>> seeds;
  for (const FinishedTrial& one : trials_) seeds[one.trial.order].push_back(one.trial.seed);
  std::vector<uint64_t> most;
  for (const auto& [order, of_order] : seeds) {
    if (of_order.size() > most.size()) most = of_order;
  }
  for (const auto& [order, of_order] : seeds) {
    EXPECT_TRUE(std::equal(of_order.begin(), of_order.end(), most.begin())) << order;
  }
  EXPECT_GT(most.size(), 1u);
  EXPECT_EQ(std::set<uint64_t>(most.begin(), most.end()).size(), most.size());
}

TEST_F(SearchRunTest, WhatWasBelievedOfAChoiceIsKeptBeforeItsResult) {
  SyntheticRunner runner;
  const std::string folder = NewFolder("a");
  Run(folder, runner);
  EXPECT_TRUE(std::isnan(trials_[0].trial.predicted_mean));
  for (size_t i = 3; i < trials_.size(); ++i) {
    const Trial& trial = trials_[i].trial;
    EXPECT_GT(trial.predicted_deviation, 0);
    EXPECT_GT(trial.bound, trial.predicted_mean);
  }
  EXPECT_THAT(ReadFile(folder + "/search.csv"),
              HasSubstr("predicted_mean (reward),predicted_sd (reward),bound (reward)"));
}

TEST_F(SearchRunTest, StartsWarmFromTheNearestOrderOfEarlierRounds) {
  SyntheticRunner runner;
  Run(NewFolder("a"), runner);
  ASSERT_EQ(runner.evaluated.size(), 10u);
  for (const Trial& trial : runner.evaluated) {
    EXPECT_EQ(trial.init_from.empty(), trial.number <= 3) << trial.number;
  }
}

TEST_F(SearchRunTest, GoesOnWithTheChoicesItWouldHaveMade) {
  config_.mutable_search()->set_workflows(7);  // too few for a verdict, which takes a while
  config_.mutable_search()->set_random_share(0.2);
  SyntheticRunner whole;
  Run(NewFolder("whole"), whole);
  const std::string wanted = Orders();
  for (int stop = 1; stop <= 7; ++stop) {
    const std::string folder = NewFolder(Cat("stopped-", stop));
    SyntheticRunner first;
    first.give_up_at = stop;
    const std::string output = Run(folder, first);
    EXPECT_THAT(output, HasSubstr("resume with: bazel run //:search -- --resume " + folder));
    EXPECT_LT(first.evaluated.size(), 7u);
    SyntheticRunner second;
    Run(folder, second);
    EXPECT_EQ(first.evaluated.size() + second.evaluated.size(), 7u) << stop;
    EXPECT_EQ(Orders(), wanted) << stop;
  }
}

TEST_F(SearchRunTest, MoreWorkflowsContinueAFinishedSearch) {
  const std::string folder = NewFolder("a"), whole_folder = NewFolder("b");
  SyntheticRunner first, second, whole;
  Run(folder, first);
  config_.mutable_search()->set_workflows(14);
  Run(folder, second);
  const std::string continued = Orders();
  EXPECT_EQ(second.evaluated.size(), 4u);
  Run(whole_folder, whole);
  EXPECT_EQ(Orders(), continued);
}

TEST_F(SearchRunTest, AFinishedSearchOnlyReportsAgain) {
  const std::string folder = NewFolder("a");
  SyntheticRunner first, second;
  Run(folder, first);
  const std::string output = Run(folder, second);
  EXPECT_TRUE(second.evaluated.empty());
  EXPECT_THAT(output, HasSubstr("\nBest: "));
}

TEST_F(SearchRunTest, TrialsOfAnotherSearchAreAnError) {
  const std::string folder = NewFolder("a");
  SyntheticRunner first, second;
  Run(folder, first);
  config_.mutable_train()->set_seed(43);
  EXPECT_THROW(Run(folder, second), Error);
}

TEST_F(SearchRunTest, RandomSearchAndOneAtATimeWorkLikewise) {
  config_.mutable_search()->set_strategy(SearchConfig::RANDOM);
  config_.mutable_search()->set_parallel(1);
  SyntheticRunner runner;
  const std::string output = Run(NewFolder("a"), runner);
  EXPECT_EQ(runner.evaluated.size(), 10u);
  EXPECT_THAT(output, HasSubstr("\nBest: "));
}

}  // namespace
}  // namespace dray
