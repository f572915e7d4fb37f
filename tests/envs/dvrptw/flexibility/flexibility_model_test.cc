#include "src/envs/dvrptw/flexibility/flexibility_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>

#include "src/base/error.h"
#include "tests/envs/dvrptw/flexibility/simulated_riders.h"

namespace dray::dvrptw {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kRiders = 30;
// Between two updates at 64 environments: 19,200 answers.
constexpr int kEpisodes = 640;

FlexibilityConfig Quick() {
  FlexibilityConfig config;
  config.set_training_epochs(3);
  return config;
}

double ShareAgreeing(const FlexibilityModel& model, double noise) {
  const auto exact = BayesBelief(kRiders, noise).Of(model.buffer().choices());
  double agreeing = 0;
  for (int i = 0; i < kRiders; ++i) {
    agreeing += model.beliefs().types()[i] == LikeliestType(exact.Posterior(i));
  }
  return agreeing / kRiders;
}

std::string Saved(const FlexibilityModel& model) {
  ByteWriter out;
  model.Save(out);
  return out.Take();
}

// With the defaults of the configuration: exploration, passes, batch.
void ExpectTypesLearned(double noise, uint64_t seed) {
  const FlexibilityConfig config;
  SimulatedRiders riders(kRiders, noise, seed);
  FlexibilityModel model(config, kRiders, noise, seed);
  for (int update = 1; update <= 2; ++update) {
    model.Add(riders.Play(model.beliefs(), config.epsilon_start(), kEpisodes));
    const auto start = std::chrono::steady_clock::now();
    const FlexibilityReport report = model.Update();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    std::printf("noise %.2f, update %d: %.2f s for %ld samples, right %.3f, agreeing %.3f\n", noise,
                update, taken.count(), static_cast<long>(report.samples),
                riders.ShareRight(model.beliefs()), ShareAgreeing(model, noise));
    for (const std::string& line : report.LinesAfter({})) std::printf("  %s\n", line.c_str());
    if (update == 1) {
      EXPECT_LT(report.last_loss, 0.6 * report.first_loss);
    }
  }
  EXPECT_GE(riders.ShareRight(model.beliefs()), 0.95);
  EXPECT_GE(ShareAgreeing(model, noise), 0.95);
}

TEST(FlexibilityModel, KnowsTheTypesAfterTwoUpdates) { ExpectTypesLearned(/*noise=*/0, 1); }

TEST(FlexibilityModel, AgreesWithTheExactPosteriorDespiteNoise) {
  ExpectTypesLearned(/*noise=*/0.05, 2);
}

TEST(FlexibilityModel, BayesKnowsThemWithoutTraining) {
  FlexibilityConfig config;
  config.set_belief(FlexibilityConfig::BAYES);
  SimulatedRiders riders(kRiders, 0, 3);
  FlexibilityModel model(config, kRiders, /*noise=*/0, 3);
  model.Add(riders.Play(model.beliefs(), 0.2, kEpisodes));
  const FlexibilityReport report = model.Update();
  EXPECT_EQ(riders.ShareRight(model.beliefs()), 1.0);
  EXPECT_FALSE(report.trained);
  EXPECT_THAT(report.warnings, IsEmpty());
}

TEST(FlexibilityModel, ReportsInTheAgreedWords) {
  FlexibilityReport report;
  report.samples = 19200;
  report.customers = 30;
  report.trained = true;
  report.first_loss = 0.91234;
  report.last_loss = 0.1;
  report.distribution = {8, 7, 6, 9};
  report.warnings = {"Data quality: no observations of customer 4"};
  EXPECT_THAT(
      report.LinesAfter({}),
      ElementsAre("Learned what riders accept from 19,200 answers of 30 riders (loss 0.91 -> 0.10)",
                  "Riders by predicted type: late dropoff 8, early pickup 7, none 6, both 9",
                  "Data quality: no observations of customer 4"));
}

TEST(FlexibilityModel, AReportThatSaysNothingNewHasNoLines) {
  FlexibilityReport before;
  before.samples = 100;
  before.customers = 30;
  before.trained = true;
  before.first_loss = 0.2;
  before.distribution = {8, 7, 6, 9};
  before.warnings = {"Data quality: no observations of customer 4"};
  FlexibilityReport after = before;
  after.samples = 200;
  after.first_loss = 0.1;
  EXPECT_THAT(after.LinesAfter(before), IsEmpty());
  after.warnings.emplace_back("Data quality: few answers of customer 5");
  EXPECT_THAT(after.LinesAfter(before), ElementsAre("Data quality: few answers of customer 5"));
  after.distribution = {8, 7, 5, 10};
  EXPECT_EQ(after.LinesAfter(before).size(), 3u);
}

TEST(FlexibilityModel, AnUpdateRaisesTheVersionAndCountsThoseSeen) {
  FlexibilityModel model(Quick(), kRiders, 0, 1);
  EXPECT_EQ(model.beliefs().version(), 0);
  model.Add(std::vector<Choice>{{.rider = 4, .action = 3, .accepted = 1}});
  const FlexibilityReport report = model.Update();
  EXPECT_EQ(report.version, 1);
  EXPECT_EQ(report.samples, 1);
  EXPECT_EQ(report.customers, 1);
  EXPECT_EQ(model.beliefs().version(), 1);
  EXPECT_TRUE(model.beliefs().known(4));
  EXPECT_FALSE(model.beliefs().known(5));
  EXPECT_EQ(report.warnings.size(), 2u);
}

TEST(FlexibilityModel, WithoutAnswersAnUpdateChangesNoMask) {
  FlexibilityModel model(Quick(), kRiders, 0, 1);
  const FlexibilityReport report = model.Update();
  EXPECT_FALSE(report.trained);
  for (const uint8_t allowed : model.beliefs().masks()) EXPECT_EQ(allowed, 1);
}

TEST(FlexibilityModel, OneSeedGivesTheSameBits) {
  const auto choices = SimulatedRiders(kRiders, 0, 1).Play(Beliefs(kRiders), 0, 20);
  FlexibilityModel a(Quick(), kRiders, 0, 5), b(Quick(), kRiders, 0, 5);
  FlexibilityModel other(Quick(), kRiders, 0, 6);
  for (FlexibilityModel* model : {&a, &b, &other}) {
    model->Add(choices);
    model->Update();
  }
  EXPECT_EQ(Saved(a), Saved(b));
  EXPECT_NE(Saved(a), Saved(other));
}

TEST(FlexibilityModel, LoadedItGoesOnAsTheOriginal) {
  SimulatedRiders riders(kRiders, 0.05, 1);
  FlexibilityConfig config = Quick();
  config.set_buffer_size(1000);
  FlexibilityModel model(config, kRiders, 0.05, 5), copy(config, kRiders, 0.05, 5);
  model.Add(riders.Play(model.beliefs(), 0.2, 40));
  model.Update();
  const std::string saved = Saved(model);
  ByteReader in(saved, "model");
  copy.Load(in);
  in.ExpectEnd();
  const auto more = riders.Play(model.beliefs(), 0.2, 10);
  for (FlexibilityModel* each : {&model, &copy}) {
    each->Add(more);
    each->Update();
  }
  EXPECT_EQ(Saved(copy), Saved(model));
  EXPECT_EQ(copy.beliefs().version(), 2);
}

TEST(FlexibilityModel, RefusesWhatWasSavedForOtherRiders) {
  FlexibilityModel model(Quick(), 10, 0, 1), other(Quick(), 12, 0, 1);
  const std::string saved = Saved(model);
  ByteReader in(saved, "model");
  EXPECT_THROW(other.Load(in), Error);
}

}  // namespace
}  // namespace dray::dvrptw
