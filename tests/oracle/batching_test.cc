#include "src/oracle/batching.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>

#include "src/base/error.h"
#include "src/oracle/ruin_recreate.h"
#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

std::vector<Problem> SomeProblems(int count) {
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i) {
    Rng rng(60, RngPurpose::kTest, i);
    problems.push_back(RandomDeliveryProblem(6, rng));
  }
  return problems;
}

// Lets a test see who is joined with whom: the first call waits until it may go on.
class WatchedOracle : public RuinRecreateOracle {
 public:
  WatchedOracle(std::vector<size_t>* sizes, std::shared_future<void> go,
                std::promise<void>* entered)
      : RuinRecreateOracle({.rounds = 5}), sizes_(sizes), go_(std::move(go)), entered_(entered) {}

  std::vector<OracleAnswer> Improve(std::span<const Problem* const> problems,
                                    std::span<const Plan* const> plans) override {
    sizes_->push_back(problems.size());
    if (sizes_->size() == 1) {
      entered_->set_value();
      go_.wait();
    }
    return RuinRecreateOracle::Improve(problems, plans);
  }

 private:
  std::vector<size_t>* sizes_;
  std::shared_future<void> go_;
  std::promise<void>* entered_;
};

TEST(BatchingOracle, WhoComesWhileItIsBusyIsAnsweredInOneBatch) {
  const std::vector<Problem> problems = SomeProblems(5);
  std::vector<size_t> sizes;
  std::promise<void> go, entered;
  BatchingOracle oracle(std::make_unique<WatchedOracle>(&sizes, go.get_future().share(), &entered));
  RuinRecreateOracle alone({.rounds = 5});
  std::atomic<int> started = 0;
  std::vector<int64_t> costs(problems.size());
  const auto ask = [&](size_t i) {
    ++started;
    costs[i] = oracle.ImproveOne(problems[i], {}).cost.total();
  };
  std::thread first(ask, 0);
  entered.get_future().wait();
  std::vector<std::thread> others;
  for (size_t i = 1; i < problems.size(); ++i) others.emplace_back(ask, i);
  while (started < 5) std::this_thread::yield();
  go.set_value();
  first.join();
  for (std::thread& other : others) other.join();
  for (size_t i = 0; i < problems.size(); ++i) {
    EXPECT_EQ(costs[i], alone.ImproveOne(problems[i], {}).cost.total());
  }
  // The four others came in one batch, or a straggler or two after it.
  EXPECT_EQ(sizes[0], 1u);
  EXPECT_LT(sizes.size(), 5u + 1);
  size_t total = 0;
  for (const size_t size : sizes) total += size;
  EXPECT_EQ(total, 5u);
}

TEST(BatchingOracle, ManyThreadsGetTheirOwnAnswers) {
  const std::vector<Problem> problems = SomeProblems(40);
  BatchingOracle oracle(std::make_unique<RuinRecreateOracle>(RuinRecreateOptions{.rounds = 5}));
  RuinRecreateOracle alone({.rounds = 5});
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  std::vector<int64_t> expected;
  for (const Problem& problem : problems) {
    expected.push_back(alone.SolveOne(problem).cost.total());
  }
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (size_t i = static_cast<size_t>(thread); i < problems.size(); i += 2) {
        wrong += oracle.SolveOne(problems[i]).cost.total() != expected[i];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

// Answers at once and remembers how large its batches were.
class QuickOracle : public Oracle {
 public:
  std::string name() const override { return "quick"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const> problems) override {
    sizes.push_back(problems.size());
    return std::vector<OracleAnswer>(problems.size());
  }
  std::vector<size_t> sizes;
};

// Far longer than any test: whoever waits for it has hung.
constexpr std::chrono::hours kForever{24};

// So many threads ask, each for so many problems.
void Ask(Oracle& oracle, int threads, int problems) {
  const Problem problem;
  const std::vector<const Problem*> pointers(static_cast<size_t>(problems), &problem);
  std::vector<std::thread> asking;
  for (int i = 0; i < threads; ++i) {
    asking.emplace_back([&] { EXPECT_EQ(oracle.Solve(pointers).size(), pointers.size()); });
  }
  for (std::thread& thread : asking) thread.join();
}

TEST(BatchingOracle, TheFirstWaitsUntilAllCallersAreThere) {
  const auto quick = std::make_shared<QuickOracle>();
  BatchingOracle oracle(quick, {.max_wait = kForever, .callers = 3});
  Ask(oracle, 3, 2);
  Ask(oracle, 3, 1);
  EXPECT_EQ(quick->sizes, (std::vector<size_t>{6, 3}));
}

TEST(BatchingOracle, ASingleCallerNeverWaits) {
  const auto quick = std::make_shared<QuickOracle>();
  BatchingOracle oracle(quick, {.max_wait = kForever, .callers = 1});
  Ask(oracle, 1, 2);
  Ask(oracle, 1, 2);
  EXPECT_EQ(quick->sizes, (std::vector<size_t>{2, 2}));
}

TEST(BatchingOracle, AFullBatchWaitsForNobody) {
  const auto quick = std::make_shared<QuickOracle>();
  BatchingOracle oracle(quick, {.max_wait = kForever, .problems = 4});
  Ask(oracle, 2, 2);
  Ask(oracle, 1, 5);
  EXPECT_EQ(quick->sizes, (std::vector<size_t>{4, 5}));
}

TEST(BatchingOracle, WhoeverWaitsForNobodyGoesOnAfterTheTime) {
  const auto quick = std::make_shared<QuickOracle>();
  BatchingOracle oracle(quick, {.max_wait = std::chrono::microseconds(100), .callers = 2});
  Ask(oracle, 1, 3);
  EXPECT_EQ(quick->sizes, (std::vector<size_t>{3}));
}

// A thread that attends from before anybody asks, and asks so many times for two problems.
std::thread Attending(const std::shared_ptr<BatchingOracle>& oracle, int calls) {
  auto attendance = std::make_unique<BatchingOracle::Attendance>(oracle);
  return std::thread([oracle, calls, attendance = std::move(attendance)] {
    for (int i = 0; i < calls; ++i) Ask(*oracle, 1, 2);
  });
}

TEST(BatchingOracle, ThoseWhoAttendAreAnsweredByOneCallAStep) {
  const auto quick = std::make_shared<QuickOracle>();
  const auto oracle = std::make_shared<BatchingOracle>(quick);
  std::vector<std::unique_ptr<BatchingOracle::Attendance>> seats;
  for (int i = 0; i < 3; ++i) {
    seats.push_back(std::make_unique<BatchingOracle::Attendance>(oracle));
  }
  for (int step = 0; step < 5; ++step) Ask(*oracle, 3, 2);
  EXPECT_EQ(quick->sizes, std::vector<size_t>(5, 6));
}

TEST(BatchingOracle, NobodyWaitsForThoseWhoHaveLeft) {
  const auto quick = std::make_shared<QuickOracle>();
  const auto oracle = std::make_shared<BatchingOracle>(quick);
  std::thread longer = Attending(oracle, 40), shorter = Attending(oracle, 4);
  longer.join();
  shorter.join();
  size_t problems = 0;
  for (const size_t size : quick->sizes) problems += size;
  EXPECT_EQ(problems, 88u);
  // Joined as long as both were there.
  EXPECT_EQ(quick->sizes.size(), 40u);
  EXPECT_EQ(quick->sizes[3], 4u);
  EXPECT_EQ(quick->sizes[4], 2u);
}

class BrokenOracle : public Oracle {
 public:
  std::string name() const override { return "broken"; }
  std::vector<OracleAnswer> Solve(std::span<const Problem* const>) override {
    throw Failure("out of order");
  }
};

TEST(BatchingOracle, AFailureReachesWhoeverAsked) {
  BatchingOracle oracle(std::make_unique<BrokenOracle>());
  const Problem problem = SomeProblems(1)[0];
  EXPECT_THROW(oracle.SolveOne(problem), Error);
  EXPECT_THROW(oracle.SolveOne(problem), Error);
}

}  // namespace
}  // namespace dray
