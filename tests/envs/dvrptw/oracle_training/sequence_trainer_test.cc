#include "src/envs/dvrptw/oracle_training/sequence_trainer.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <gtest/gtest.h>

#include "src/envs/dvrptw/oracle_training/sequence_validation.h"
#include "src/oracle/neural/make_neural_oracle.h"

namespace dray::dvrptw {
namespace {

const SequenceNetShape kSmall{.dim = 32, .layers = 2, .heads = 4, .hidden = 64, .pair_hidden = 16};

TEST(TrainingProblems, MakeSense) {
  const TrainingProblems problems({.cities = 4, .most_requests = 30}, 1);
  int singles = 0;
  for (uint64_t i = 0; i < 400; ++i) {
    Rng rng(1, RngPurpose::kTest, i);
    const int requests = 1 + static_cast<int>(i % 30);
    const Problem problem = problems.Draw(requests, rng);
    EXPECT_EQ(static_cast<int>(problem.requests.size()), requests);
    EXPECT_NO_THROW(Validate(problem, problem.name));
    singles += !problem.requests[0].paired();
  }
  EXPECT_NEAR(singles, 80, 30);
}

TEST(TrainingProblems, AreTheSameForTheSameSeed) {
  const TrainingProblems::Options options{.seed = 5, .cities = 3, .most_requests = 8};
  const TrainingProblems one(options, 1), two(options, 3);
  for (uint64_t i = 0; i < 20; ++i) {
    Rng a(2, RngPurpose::kTest, i), b(2, RngPurpose::kTest, i);
    const Problem left = one.Draw(8, a), right = two.Draw(8, b);
    ASSERT_FALSE(left.stops.empty());
    ASSERT_EQ(left.stops.size(), right.stops.size());
    for (size_t k = 0; k < left.stops.size(); ++k) {
      EXPECT_EQ(left.stops[k].place, right.stops[k].place);
      EXPECT_EQ(left.stops[k].opens, right.stops[k].opens);
    }
  }
}

TEST(SequenceTrainer, LearnsWithinAFewSteps) {
  at::set_num_threads(1);
  at::manual_seed(1);
  const TrainingProblems problems({.cities = 8, .most_requests = 9, .single_share = 0}, 1);
  const TrainingProblems others({.seed = 2, .cities = 8, .most_requests = 9}, 1);
  std::vector<Problem> held_out;
  for (uint64_t i = 0; i < 200; ++i) {
    Rng rng(3, RngPurpose::kTest, i);
    held_out.push_back(others.DrawDelivery(9, rng));
  }
  const SequenceValidation validation(std::move(held_out), {.rounds = 100, .searches = 1}, 1);
  const auto gap = [&](const SequenceWeights& weights) {
    return validation.Gap(*MakeNeuralOracle(weights, {}, CPU));
  };
  const SequenceWeights untrained = RandomSequenceWeights(kSmall, 1);
  SequenceTrainer trainer(untrained, problems,
                          {.fewest_requests = 9, .most_requests = 9, .batch = 24, .starts = 12},
                          at::kCPU);
  for (int step = 0; step < 150; ++step) trainer.Step(1e-3 * (1 - step / 150.0));
  const double before = gap(untrained), after = gap(trainer.weights());
  std::printf("above ruin_recreate: untrained %.2f %%, trained %.2f %%\n", 100 * before,
              100 * after);
  EXPECT_LT(after, 0.75 * before);
}

}  // namespace
}  // namespace dray::dvrptw
