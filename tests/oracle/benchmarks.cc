#include "tests/oracle/benchmarks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sstream>

#include "src/base/file.h"
#include "src/routing/readers.h"

namespace dray {
namespace {

constexpr char kData[] = "tests/data/";

// The lines after the first, cut at commas.
std::vector<std::vector<std::string>> Rows(const std::string& path) {
  std::istringstream file(ReadFile(path));
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  return rows;
}

}  // namespace

std::vector<Benchmark> SolomonBenchmarks(const std::string& size) {
  std::vector<Benchmark> benchmarks;
  const std::string folder = std::string(kData) + "solomon/";
  // instance, customers, ..., 5: the cost published, 13: the best of PyVRP
  for (const auto& row : Rows(folder + "best_known.csv")) {
    if (row[1] != size) continue;
    const std::string& best = row[5].empty() ? row[13] : row[5];
    benchmarks.push_back({ReadProblem(folder + size + "/" + row[0] + ".txt"), std::stod(best), 0});
  }
  return benchmarks;
}

std::vector<Benchmark> SolomonVehicleBenchmarks() {
  std::vector<Benchmark> benchmarks;
  const std::string folder = std::string(kData) + "solomon/";
  ReadOptions options;
  options.rounding = Rounding::kExact;
  // 8: the fewest vehicles known, 9: the least cost with these
  for (const auto& row : Rows(folder + "best_known.csv")) {
    if (row[1] != "100") continue;
    benchmarks.push_back({ReadProblem(folder + "100/" + row[0] + ".txt", options),
                          std::stod(row[9]), std::stoi(row[8])});
  }
  return benchmarks;
}

std::vector<Benchmark> LiLimBenchmarks(Rounding rounding) {
  std::vector<Benchmark> benchmarks;
  const std::string folder = std::string(kData) + "li_lim_100/";
  ReadOptions options;
  options.rounding = rounding;
  for (const auto& row : Rows(folder + "best_known.csv")) {
    benchmarks.push_back(
        {ReadProblem(folder + row[0] + ".txt", options), std::stod(row[2]), std::stoi(row[1])});
  }
  return benchmarks;
}

std::vector<Benchmark> Named(std::vector<Benchmark> benchmarks,
                             const std::set<std::string>& names) {
  std::erase_if(benchmarks,
                [&](const Benchmark& one) { return !names.contains(one.problem.name); });
  return benchmarks;
}

GapTable MeasureGaps(const std::vector<Benchmark>& benchmarks, const RuinRecreateOptions& options) {
  GapTable table;
  RuinRecreateOracle oracle(options);
  const auto begin = std::chrono::steady_clock::now();
  for (const Benchmark& benchmark : benchmarks) {
    const Problem* problem = &benchmark.problem;
    const OracleAnswer answer = oracle.Solve({&problem, 1})[0];
    const Simulation driven = Simulate(*problem, answer.plan);
    EXPECT_TRUE(driven.violations.empty()) << problem->name << ": " << driven.violations[0];
    EXPECT_EQ(driven.cost.unserved, 0) << problem->name;
    const double cost = static_cast<double>(driven.cost.total()) / problem->ticks_per_unit;
    const double gap = 100 * std::max(0.0, cost / benchmark.best_known - 1);
    std::printf("%-8s %9.2f, best known %9.2f, gap %5.2f %%, vehicles %2d", problem->name.c_str(),
                cost, benchmark.best_known, gap, driven.cost.vehicles);
    if (benchmark.vehicles > 0) std::printf(" (best known %d)", benchmark.vehicles);
    std::printf("\n");
    ++table.count;
    if (benchmark.vehicles > 0 && driven.cost.vehicles > benchmark.vehicles) {
      ++table.more_vehicles;
      continue;
    }
    table.mean_gap += gap;
    table.worst_gap = std::max(table.worst_gap, gap);
    table.within_half += gap <= 0.5;
  }
  table.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  table.mean_gap /= std::max(1, table.count - table.more_vehicles);
  std::printf("mean gap %.3f %%, within 0.5 %%: %d of %d, more vehicles: %d, %.2f s\n",
              table.mean_gap, table.within_half, table.count, table.more_vehicles, table.seconds);
  return table;
}

}  // namespace dray
