#include "src/oracle/local_search.h"

#include <gtest/gtest.h>

#include "tests/oracle/random_problems.h"

namespace dray {
namespace {

void ExpectDriveable(const Problem& problem, const OracleAnswer& answer) {
  const Simulation driven = Simulate(problem, answer.plan);
  EXPECT_TRUE(driven.violations.empty()) << driven.violations.front();
  EXPECT_EQ(driven.cost.total(), answer.cost.total());
  EXPECT_EQ(driven.cost.unserved, answer.cost.unserved);
}

TEST(LocalSearch, EveryPassImprovesOrChangesNothing) {
  int improved[3] = {};
  for (int i = 0; i < 400; ++i) {
    Rng rng(40, RngPurpose::kTest, i);
    const Problem problem = AnyRandomProblem(14, rng);
    TourBook book;
    book.Load(problem);
    Tours tours;
    book.Clear(tours);
    book.InsertAbsent(tours);
    LocalSearch search;
    search.Run(book, tours);  // makes its tables fit; then start anew
    book.Clear(tours);
    book.InsertAbsent(tours);
    for (int pass = 0; pass < 3; ++pass) {
      const int64_t before = book.Cost(tours);
      const bool better = pass == 0   ? search.Relocate(book, tours)
                          : pass == 1 ? search.ExchangeTails(book, tours)
                                      : search.Swap(book, tours);
      improved[pass] += better;
      EXPECT_EQ(book.Cost(tours) < before, better);
      ExpectDriveable(problem, book.Answer(tours));
    }
  }
  for (const int count : improved) EXPECT_GT(count, 5);
}

TEST(LocalSearch, EndsWhereNoPassImproves) {
  for (int i = 0; i < 100; ++i) {
    Rng rng(41, RngPurpose::kTest, i);
    const Problem problem = AnyRandomProblem(14, rng);
    TourBook book;
    book.Load(problem);
    Tours tours;
    book.Clear(tours);
    book.InsertAbsent(tours);
    LocalSearch search;
    search.Run(book, tours);
    EXPECT_FALSE(search.Relocate(book, tours));
    EXPECT_FALSE(search.ExchangeTails(book, tours));
    EXPECT_FALSE(search.Swap(book, tours));
  }
}

}  // namespace
}  // namespace dray
