// Routing problems of all formats, which are told apart by what is in them.

#include <string>

#include "src/base/error.h"
#include "src/routing/plan.h"
#include "src/routing/problem.h"
#include "src/routing/readers.h"
#include "src/routing/writer.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {

// Travel times from place to place: 4 bytes of the square of the places, each of which takes at
// least 4 bytes of the file; and distances, before they are rounded.
size_t MostMemory(size_t bytes) { return Times(1000, bytes) + 2 * bytes * bytes + (1 << 20); }

void Read(std::string_view bytes) {
  ReadOptions options;
  const size_t choice = TakeChoice(bytes, 6);
  options.rounding = std::array{Rounding::kAuto, Rounding::kTrunc01, Rounding::kExact}[choice % 3];
  if (choice >= 3) options.capacity = 10;
  const Problem problem = ParseProblem("fuzz.txt", std::string(bytes), options);
  Validate(problem, "accepted");
  Plan plan;
  for (const Request& request : problem.requests) {
    plan.routes.push_back({request.pickup});
    if (request.paired()) plan.routes.back().push_back(request.delivery);
  }
  const Simulation simulation = Simulate(problem, plan);
  if (problem.fleet.free_vehicles >= simulation.cost.vehicles) {
    DRAY_CHECK(simulation.violations.empty());
  }
  DRAY_CHECK(ParsePlan(problem, "fuzz.sol", PlanText(problem, plan)).routes == plan.routes);
}

}  // namespace dray::fuzz
