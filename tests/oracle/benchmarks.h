#pragma once

#include <set>
#include <string>
#include <vector>

#include "src/oracle/oracle.h"
#include "src/oracle/ruin_recreate.h"
#include "src/routing/read_options.h"

namespace dray {

// A benchmark file and the best value known for it.
struct Benchmark {
  Problem problem;
  double best_known = 0;
  int vehicles = 0;  // of the best known plan; 0: does not matter
};

// Solomon's instances of a size; distances and times cut off after one decimal.
std::vector<Benchmark> SolomonBenchmarks(const std::string& size);
// Those of 100 customers, fewest vehicles first, exact distances.
std::vector<Benchmark> SolomonVehicleBenchmarks();
// Li and Lim's of about 100 stops, fewest vehicles first. The best known values are of exact
// distances; with others cut off after one decimal plans cost a little less.
std::vector<Benchmark> LiLimBenchmarks(Rounding rounding);

// Only those of these names.
std::vector<Benchmark> Named(std::vector<Benchmark> benchmarks, const std::set<std::string>& names);

struct GapTable {
  double mean_gap = 0;   // percent, of those with no more vehicles; a gap below 0 counts as 0
  double worst_gap = 0;  // of the same
  int within_half = 0;   // gaps of at most 0.5 %
  int count = 0;
  int more_vehicles = 0;
  double seconds = 0;
};

// Solves and drives every one, and prints a line for each.
GapTable MeasureGaps(const std::vector<Benchmark>& benchmarks, const RuinRecreateOptions& options);

}  // namespace dray
