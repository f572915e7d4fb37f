#include "src/search/trial_log.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

using testing::HasSubstr;

std::string NewFolder() {
  const std::string folder =
      Cat(testing::TempDir(), "/", testing::UnitTest::GetInstance()->current_test_info()->name());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

FinishedTrial Finished(const std::string& folder, int number) {
  FinishedTrial one;
  one.trial.number = number;
  one.trial.order = 10 * number;
  one.trial.seed = 4294967295u - static_cast<unsigned>(number);
  one.trial.init_from = number == 1 ? "" : folder + "/workflow-001/checkpoints/a.ckpt";
  one.result.mean_return = -61.0 / 3;
  one.result.return_variance = 1.0 / 7;
  one.result.episodes = 25;
  one.result.compliance = 0.97;
  one.result.updates = 50;
  one.result.stopped_early = number == 2;
  one.result.seconds = 12.5;
  one.result.checkpoint = Cat(folder, "/workflow-00", number, "/checkpoints/a.ckpt");
  return one;
}

TEST(TrialLog, ReadsBackEveryBit) {
  const std::string folder = NewFolder();
  {
    TrialLog log(folder);
    log.Append(Finished(folder, 1), "a > b");
    FinishedTrial failed = Finished(folder, 2);
    failed.result.mean_return = std::numeric_limits<double>::quiet_NaN();
    log.Append(failed, "b > a");
  }
  const TrialLog log(folder);
  ASSERT_EQ(log.trials().size(), 2u);
  const auto& [trial, result] = log.trials().at(1);
  const auto& [wanted_trial, wanted] = Finished(folder, 1);
  EXPECT_EQ(trial.order, wanted_trial.order);
  EXPECT_EQ(trial.seed, wanted_trial.seed);
  EXPECT_EQ(result.mean_return, wanted.mean_return);
  EXPECT_EQ(result.return_variance, wanted.return_variance);
  EXPECT_EQ(result.compliance, wanted.compliance);
  EXPECT_EQ(result.checkpoint, wanted.checkpoint);
  EXPECT_FALSE(result.stopped_early);
  EXPECT_TRUE(std::isnan(log.trials().at(2).result.mean_return));
  EXPECT_TRUE(log.trials().at(2).result.stopped_early);
  EXPECT_EQ(log.trials().at(2).trial.init_from, Finished(folder, 2).trial.init_from);
}

TEST(TrialLog, NamesFilesRelativeToItsFolder) {
  const std::string folder = NewFolder();
  TrialLog(folder).Append(Finished(folder, 1), "a > b");
  EXPECT_THAT(ReadFile(folder + "/trials.jsonl"),
              HasSubstr("\"checkpoint\":\"workflow-001/checkpoints/a.ckpt\""));
}

TEST(TrialLog, ForgetsATornLastLineAndGoesOnAfterIt) {
  const std::string folder = NewFolder();
  TrialLog(folder).Append(Finished(folder, 1), "a > b");
  const std::string whole = ReadFile(folder + "/trials.jsonl");
  ASSERT_GT(whole.size(), 100u);
  for (size_t cut = 0; cut < whole.size(); cut += 20) {
    std::ofstream(folder + "/trials.jsonl") << whole << whole.substr(0, cut);
    {
      TrialLog log(folder);
      EXPECT_EQ(log.trials().size(), 1u);
      log.Append(Finished(folder, 2), "b > a");
    }
    EXPECT_EQ(TrialLog(folder).trials().size(), 2u);
  }
}

TEST(TrialLog, ADamagedLineAmongOthersIsAnError) {
  const std::string folder = NewFolder();
  TrialLog(folder).Append(Finished(folder, 1), "a > b");
  const std::string whole = ReadFile(folder + "/trials.jsonl");
  const auto with = [&](const std::string& key, const std::string& value) {
    const size_t at = whole.find("\"" + key + "\":") + key.size() + 3;
    return std::string(whole).replace(at, whole.find_first_of(",}", at) - at, value);
  };
  EXPECT_EQ(with("updates", "50"), whole);
  for (const std::string& damage :
       {with("trial", "-1"), with("trial", "1e300"), with("trial", "4294967296"),
        with("order", "-1"), with("order", "0.5"), with("seed", "-1"), with("episodes", "-1"),
        with("updates", "null"), with("return_mean", "1e300"), with("return_mean", "\"1\""),
        with("return_variance", "-1"), with("compliance", "2"), with("seconds", "-1"),
        std::string("nonsense\n"), std::string("{\"trial\": 2}\n"), std::string("{\"trial\": \n"),
        std::string("[]\n"), std::string("\n"), std::string(300'000, '[') + "\n"}) {
    std::ofstream(folder + "/trials.jsonl") << whole << damage << whole;
    try {
      TrialLog log(folder);
      FAIL() << damage;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("trials.jsonl:2: not a valid trial"));
    }
  }
}

TEST(TrialLog, APipeIsRefusedAndNotWaitedFor) {
  const std::string folder = NewFolder();
  ASSERT_EQ(::mkfifo((folder + "/trials.jsonl").c_str(), 0600), 0);
  EXPECT_THROW(TrialLog log(folder), Error);
}

}  // namespace
}  // namespace dray
