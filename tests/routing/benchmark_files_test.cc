#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "src/routing/plan.h"
#include "src/routing/readers.h"
#include "src/routing/writer.h"

namespace dray {
namespace {

using testing::IsEmpty;

ReadOptions Exact() {
  ReadOptions options;
  options.rounding = Rounding::kExact;
  return options;
}

std::vector<std::string> TextFilesOf(const std::string& folder) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path().string());
  }
  return files;
}

TEST(BenchmarkFiles, EverySolomonFileLoads) {
  for (const int customers : {25, 50, 100}) {
    const std::vector<std::string> files =
        TextFilesOf("tests/data/solomon/" + std::to_string(customers));
    EXPECT_EQ(files.size(), 40u);
    for (const std::string& file : files) {
      for (const ReadOptions& options : {ReadOptions(), Exact()}) {
        const Problem problem = ReadProblem(file, options);
        EXPECT_EQ(static_cast<int>(problem.stops.size()), customers) << file;
        EXPECT_EQ(static_cast<int>(problem.requests.size()), customers) << file;
        EXPECT_EQ(problem.name, std::filesystem::path(file).stem().string());
        EXPECT_EQ(problem.fleet.free_vehicles, 25);
        EXPECT_TRUE(problem.fleet.hard);
      }
    }
  }
}

TEST(BenchmarkFiles, EveryLiAndLimFileLoads) {
  const std::vector<std::string> files = TextFilesOf("tests/data/li_lim_100");
  EXPECT_EQ(files.size(), 40u);
  for (const std::string& file : files) {
    const Problem problem = ReadProblem(file, Exact());
    EXPECT_GE(problem.stops.size(), 100u) << file;
    EXPECT_EQ(problem.requests.size() * 2, problem.stops.size()) << file;
    for (const Request& request : problem.requests) EXPECT_TRUE(request.paired());
  }
}

TEST(BenchmarkFiles, DistancesOfC101) {
  // (40, 50) to (45, 68): the square root of 349 is 18.68154.
  EXPECT_EQ(ReadProblem("tests/data/solomon/25/C101.txt").travel(0, 1), 186);
  const Problem exact = ReadProblem("tests/data/solomon/25/C101.txt", Exact());
  EXPECT_EQ(exact.travel(0, 1), 18682);
  EXPECT_EQ(exact.travel(1, 0), 18682);
  EXPECT_EQ(exact.depot_closes, 1236000);
}

TEST(BenchmarkFiles, ThePublishedPlanOfC101CostsWhatIsListed) {
  const Problem problem = ReadProblem("tests/data/solomon/25/C101.txt");
  const Plan plan = ParsePlan(problem, "C101.sol",
                              "Route #1: 5 3 7 8 10 11 9 6 4 2 1\n"
                              "Route #2: 13 17 18 19 15 16 14 12\n"
                              "Route #3: 20 24 25 23 22 21\n");
  const Simulation simulation = Simulate(problem, plan);
  EXPECT_THAT(simulation.violations, IsEmpty());
  EXPECT_EQ(simulation.cost.unserved, 0);
  EXPECT_EQ(problem.Format(simulation.cost.total()), "191.3");
}

TEST(BenchmarkFiles, ThePublishedPlanOfLc101CostsWhatIsListed) {
  const Problem problem = ReadProblem("tests/data/li_lim_100/lc101.txt", Exact());
  const Plan plan = ParsePlan(problem, "lc101.sol",
                              "Route #1: 81 78 104 76 71 70 73 77 79 80\n"
                              "Route #2: 57 55 54 53 56 58 60 59\n"
                              "Route #3: 98 96 95 94 92 93 97 106 100 99\n"
                              "Route #4: 32 33 31 35 37 38 39 36 105 34\n"
                              "Route #5: 13 17 18 19 15 16 14 12\n"
                              "Route #6: 90 87 86 83 82 84 85 88 89 91\n"
                              "Route #7: 43 42 41 40 44 46 45 48 51 101 50 52 49 47\n"
                              "Route #8: 67 65 63 62 74 72 61 64 102 68 66 69\n"
                              "Route #9: 5 3 7 8 10 11 9 6 4 2 1 75\n"
                              "Route #10: 20 24 25 27 29 30 28 26 23 103 22 21\n");
  const Simulation simulation = Simulate(problem, plan);
  EXPECT_THAT(simulation.violations, IsEmpty());
  EXPECT_EQ(simulation.cost.unserved, 0);
  EXPECT_NEAR(simulation.cost.total() / 1000.0, 828.94, 0.05);
}

}  // namespace
}  // namespace dray
