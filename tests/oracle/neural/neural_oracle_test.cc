#include "src/oracle/neural/neural_oracle.h"

#include <gtest/gtest.h>

#include <functional>

#include "src/oracle/neural/cpu_sequence_picker.h"
#include "src/oracle/splitting.h"
#include "tests/oracle/neural/problem_batch.h"

namespace dray {
namespace {

// Untrained: what holds must hold for any weights.
SequenceWeights SmallWeights() {
  return RandomSequenceWeights({.dim = 32, .layers = 2, .heads = 4, .hidden = 32, .pair_hidden = 8},
                               1);
}

std::unique_ptr<NeuralOracle> MakeSmall(int starts, ThreadTeam& team = ThreadTeam::Alone()) {
  return std::make_unique<NeuralOracle>(
      std::make_unique<CpuSequencePicker>(SmallWeights(), team.threads()), starts, team);
}

std::vector<int64_t> Costs(const std::vector<OracleAnswer>& answers) {
  std::vector<int64_t> costs;
  for (const OracleAnswer& answer : answers) {
    costs.push_back(answer.cost.total());
    costs.push_back(answer.cost.unserved);
  }
  return costs;
}

TEST(NeuralOracle, PlansAreFeasibleAndCostWhatTheySay) {
  for (const int starts : {1, 3}) {
    const std::unique_ptr<NeuralOracle> oracle = MakeSmall(starts);
    for (int part = 0; part < 50; ++part) {
      const ProblemBatch batch(1000, 16, static_cast<uint64_t>(100 + part));
      const std::vector<OracleAnswer> answers = oracle->Solve(batch.pointers);
      ASSERT_EQ(answers.size(), 1000u);
      for (size_t i = 0; i < answers.size(); ++i) {
        const Simulation driven = Simulate(batch.problems[i], answers[i].plan);
        ASSERT_TRUE(driven.violations.empty()) << driven.violations.front();
        ASSERT_EQ(driven.cost.total(), answers[i].cost.total());
        ASSERT_EQ(driven.cost.unserved, answers[i].cost.unserved);
        ASSERT_TRUE(batch.problems[i].fleet.hard || driven.cost.unserved == 0);
      }
    }
  }
}

TEST(NeuralOracle, AnswersDoNotDependOnTheBatch) {
  const ProblemBatch batch(300, 30, 1);
  for (const int starts : {1, 4}) {
    const std::vector<int64_t> expected = Costs(MakeSmall(starts)->Solve(batch.pointers));
    for (const size_t size : {1, 7, 128}) {
      SplittingOracle oracle(MakeSmall(starts), size);
      EXPECT_EQ(Costs(oracle.Solve(batch.pointers)), expected) << "in parts of " << size;
    }
  }
}

TEST(NeuralOracle, AnswersDoNotDependOnTheThreads) {
  const ProblemBatch batch(200, 20, 2);
  ThreadTeam team(4);
  EXPECT_EQ(Costs(MakeSmall(3, team)->Solve(batch.pointers)),
            Costs(MakeSmall(3)->Solve(batch.pointers)));
}

// Runs out of memory above a size.
class SmallMemory : public Oracle {
 public:
  explicit SmallMemory(std::unique_ptr<Oracle> inner) : inner_(std::move(inner)) {}

  std::string name() const override { return inner_->name(); }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    if (problems.size() > 20) throw OutOfMemory();
    return inner_->Solve(problems);
  }

 private:
  std::unique_ptr<Oracle> inner_;
};

TEST(NeuralOracle, HalvingABatchThatDoesNotFitKeepsTheCosts) {
  const ProblemBatch batch(150, 20, 3);
  SplittingOracle oracle(std::make_unique<SmallMemory>(MakeSmall(2)), 128);
  EXPECT_EQ(Costs(oracle.Solve(batch.pointers)), Costs(MakeSmall(2)->Solve(batch.pointers)));
  EXPECT_EQ(oracle.splits(), 3);
}

TEST(NeuralOracle, MoreStartsAreNeverWorse) {
  const ProblemBatch batch(300, 15, 4);
  std::vector<OracleAnswer> before = MakeSmall(1)->Solve(batch.pointers);
  int64_t improved = 0;
  for (const int starts : {2, 8, 40}) {
    std::vector<OracleAnswer> after = MakeSmall(starts)->Solve(batch.pointers);
    for (size_t i = 0; i < after.size(); ++i) {
      const auto key = [](const OracleAnswer& answer) {
        return std::make_pair(answer.cost.unserved, answer.cost.total());
      };
      EXPECT_LE(key(after[i]), key(before[i]));
      improved += key(after[i]) < key(before[i]);
    }
    before = std::move(after);
  }
  EXPECT_GT(improved, 100);
}

TEST(NeuralOracle, SolvesWhatHasNoRequests) {
  Problem empty = ProblemBatch(1, 3, 5).problems[0];
  empty.requests.clear();
  empty.stops.clear();
  const ProblemBatch batch(1, 5, 6);
  const Problem* problems[] = {&empty, batch.pointers[0], &empty};
  const std::vector<OracleAnswer> answers = MakeSmall(4)->Solve(problems);
  EXPECT_TRUE(answers[0].plan.routes.empty());
  EXPECT_EQ(answers[2].cost.total(), 0);
  EXPECT_EQ(answers[1].cost.total(), MakeSmall(4)->SolveOne(*batch.pointers[0]).cost.total());
  EXPECT_TRUE(MakeSmall(1)->Solve({}).empty());
}

TEST(NeuralOracle, LeavesOutWhatNoVehicleCanServe) {
  Rng rng(9, RngPurpose::kTest, 0);
  Problem problem = RandomDeliveryProblem(6, rng);
  problem.stops[4].closes = problem.stops[4].opens = 0;  // the depot is not even open
  problem.depot_opens = 100;
  const OracleAnswer answer = MakeSmall(3)->SolveOne(problem);
  EXPECT_EQ(answer.cost.unserved, 1);
  EXPECT_TRUE(Simulate(problem, answer.plan).violations.empty());
}

}  // namespace
}  // namespace dray
