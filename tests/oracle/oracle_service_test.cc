#include "src/oracle/oracle_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "src/oracle/insertion.h"
#include "src/oracle/remote.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

using testing::ElementsAre;
using testing::Pair;

// A task with one oracle, whose settings are not part of EnvConfig.
OracleConfig& Settings() {
  static OracleConfig settings;
  return settings;
}

Service OfTheTask() {
  return OracleService(
      [](const EnvConfig&) {
        return TaskOracle{Settings(), {.requests = 10}};
      },
      [](EnvConfig*) { return &Settings(); });
}

class OracleServiceTest : public testing::Test {
 protected:
  ~OracleServiceTest() override { Settings().Clear(); }
  const Service service = OfTheTask();
};

TEST_F(OracleServiceTest, ASettingThatNamesADeviceStays) {
  EnvConfig config;
  service.place(CUDA, &config);
  EXPECT_EQ(Settings().device(), CUDA);
  service.place(CPU, &config);
  EXPECT_EQ(Settings().device(), CUDA);
}

TEST_F(OracleServiceTest, AnythingButCudaIsTheCpu) {
  EnvConfig config;
  service.place(MPS, &config);
  EXPECT_EQ(Settings().device(), CPU);
}

TEST_F(OracleServiceTest, ACandidateIsNamedAsPeopleKnowIt) {
  Settings().set_kind(OracleConfig::INSERTION);
  ASSERT_EQ(service.candidates({}).size(), 1u);
  EXPECT_EQ(service.candidates({})[0].name, "insertion");
  Settings().set_kind(OracleConfig::NEURAL);
  Settings().set_device(CPU);
  ASSERT_EQ(service.candidates({}).size(), 1u);
  EXPECT_EQ(service.candidates({})[0].name, "neural on cpu");
}

// A host of this process behind the port that an actor's process would have.
class HostPort : public OraclePort {
 public:
  explicit HostPort(ServiceHost& host) : host_(host) {}
  Blob Call(std::string_view request) override { return Blob(host_.Answer(request)); }

 private:
  ServiceHost& host_;
};

TEST_F(OracleServiceTest, AHostAnswersAsTheOracleDoesAndCountsItsWork) {
  Settings().set_kind(OracleConfig::INSERTION);
  Settings().set_max_batch(2);
  const std::unique_ptr<ServiceHost> host = service.make_host({}, /*callers=*/1);
  EXPECT_EQ(host->work().limit, 2);
  RemoteOracle remote(std::make_shared<HostPort>(*host));
  std::vector<Problem> problems;
  for (int i = 0; i < 3; ++i) {
    Rng rng(60, RngPurpose::kTest, i);
    problems.push_back(RandomDeliveryProblem(4, rng));
  }
  const std::vector<const Problem*> asked = {&problems[0], &problems[1], &problems[2]};
  const std::vector<OracleAnswer> answers = remote.Solve(asked);
  ASSERT_EQ(answers.size(), 3u);
  InsertionOracle alone;
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(answers[i].cost.total(), alone.SolveOne(problems[i]).cost.total());
  }
  const ServiceWork work = host->work();
  EXPECT_EQ(work.items, 3);
  EXPECT_THAT(work.batch_sizes, ElementsAre(Pair(1, 1), Pair(2, 1)));
  EXPECT_EQ(work.splits, 0);
}

}  // namespace
}  // namespace dray
