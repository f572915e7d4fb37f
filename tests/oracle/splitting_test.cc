#include "src/oracle/splitting.h"

#include <gtest/gtest.h>

#include <numeric>

#include "src/base/error.h"

namespace dray {
namespace {

// Runs out of memory above a size; costs name the problem.
class SmallMemory : public Oracle {
 public:
  SmallMemory(size_t fits, std::vector<size_t>* solved) : fits_(fits), solved_(solved) {}

  std::string name() const override { return "small"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    if (problems.size() > fits_) throw OutOfMemory();
    solved_->push_back(problems.size());
    std::vector<OracleAnswer> answers(problems.size());
    for (size_t i = 0; i < problems.size(); ++i)
      answers[i].cost.travel = problems[i]->ticks_per_unit;
    return answers;
  }

 private:
  size_t fits_;
  std::vector<size_t>* solved_;
};

struct Batch {
  explicit Batch(int size) : problems(size) {
    for (int i = 0; i < size; ++i) {
      problems[i].ticks_per_unit = i;
      pointers.push_back(&problems[i]);
    }
  }

  std::vector<Problem> problems;
  std::vector<const Problem*> pointers;
};

void ExpectInOrder(const std::vector<OracleAnswer>& answers, size_t size) {
  ASSERT_EQ(answers.size(), size);
  for (size_t i = 0; i < size; ++i) EXPECT_EQ(answers[i].cost.travel, static_cast<int64_t>(i));
}

TEST(SplittingOracle, HandsOnPartsOfTheLargestBatch) {
  std::vector<size_t> solved;
  SplittingOracle oracle(std::make_unique<SmallMemory>(1000, &solved), 128);
  const Batch batch(300);
  ExpectInOrder(oracle.Solve(batch.pointers), 300);
  EXPECT_EQ(solved, (std::vector<size_t>{128, 128, 44}));
  EXPECT_EQ(oracle.limit(), 128u);
}

TEST(SplittingOracle, HalvesWhenMemoryRunsOutAndRemembers) {
  std::vector<size_t> solved;
  SplittingOracle oracle(std::make_unique<SmallMemory>(40, &solved), 128);
  const Batch batch(100);
  ExpectInOrder(oracle.Solve(batch.pointers), 100);
  EXPECT_EQ(solved, (std::vector<size_t>{25, 25, 25, 25}));
  EXPECT_EQ(oracle.limit(), 25u);
  EXPECT_EQ(oracle.TakeSplits(), 2);
  ExpectInOrder(oracle.Solve(batch.pointers), 100);
  EXPECT_EQ(solved.size(), 8u);
  EXPECT_EQ(oracle.TakeSplits(), 0);
  EXPECT_EQ(oracle.splits(), 2);
}

TEST(SplittingOracle, AProblemThatNeverFitsIsAnErrorOfOneLine) {
  std::vector<size_t> solved;
  SplittingOracle oracle(std::make_unique<SmallMemory>(0, &solved), 8);
  const Batch batch(3);
  try {
    oracle.Solve(batch.pointers);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "the small oracle ran out of memory on one problem of 0 requests: free memory on "
                 "its device, or choose another kind of oracle");
  }
}

}  // namespace
}  // namespace dray
