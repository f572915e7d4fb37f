#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/commands/commands.h"
#include "src/commands/device_named.h"
#include "src/commands/solve_options.h"
#include "src/nets/device.h"
#include "src/oracle/insertion.h"
#include "src/oracle/neural/make_neural_oracle.h"
#include "src/oracle/ruin_recreate.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/readers.h"
#include "src/routing/writer.h"

namespace dray {
namespace {

constexpr double kTooLittleForAGpu = 0;  // one problem

std::unique_ptr<Oracle> MakeNeural(const SolveOptions& options) {
  const at::Device device = ChooseDevice(DeviceNamed(options.device), kTooLittleForAGpu);
  const OrderWeights weights =
      options.weights.empty() ? ShippedOrderWeights() : ReadOrderWeights(options.weights);
  return MakeNeuralOracle(weights, {.starts = options.starts}, device);
}

std::unique_ptr<Oracle> MakeOracle(const SolveOptions& options) {
  if (options.oracle == "insertion") return std::make_unique<InsertionOracle>();
  if (options.oracle == "neural") return MakeNeural(options);
  return std::make_unique<RuinRecreateOracle>(
      RuinRecreateOptions{.rounds = options.rounds,
                          .seed = options.seed,
                          .searches = options.seeds,
                          .fewest_vehicles = options.fewest_vehicles});
}

void PrintJson(const SolveOptions& options, const Problem& problem, const Simulation& driven,
               double seconds) {
  Json json = {{"oracle", options.oracle}, {"rounds", options.rounds}, {"seeds", options.seeds},
               {"seed", options.seed},     {"starts", options.starts}, {"seconds", seconds}};
  json.update(PlanJson(problem, driven));
  std::cout << JsonText(json) << "\n";
}

void PrintText(const SolveOptions& options, const Problem& problem, const Plan& plan,
               const PlanCost& cost, double seconds) {
  std::cout << problem.name << ": " << problem.requests.size() << " requests, "
            << problem.stops.size() << " stops; " << options.oracle;
  if (options.oracle == "ruin_recreate") {
    std::cout << ", " << options.rounds << " rounds, best of " << options.seeds
              << (options.seeds == 1 ? " seed" : " seeds");
  } else if (options.oracle == "neural") {
    std::cout << ", best of " << options.starts << (options.starts == 1 ? " start" : " starts");
  }
  char time[32];
  std::snprintf(time, sizeof(time), "%.3f s", seconds);
  std::cout << "\ncost      " << problem.Format(cost.total()) << "\nvehicles  " << cost.vehicles
            << "\nunserved  " << cost.unserved << "\ntime      " << time
            << "\nchecked   every stop in time, no vehicle overloaded\n\n"
            << PlanText(problem, plan);
}

void Render(const SolveOptions& options, const Problem& problem, const Plan& plan) {
  const PicturePaths paths =
      WritePictures(options.render, std::filesystem::path(options.instance).stem().string(),
                    problem, plan, {.clock = options.clock});
  if (!options.json) std::cout << "\n" << paths.routes << "\n" << paths.gantt << "\n";
}

}  // namespace

void SolveCommand(std::span<const std::string> arguments) {
  const SolveOptions options = ParseSolveOptions(arguments);
  if (options.help) {
    std::cout << SolveHelp();
    return;
  }
  const Problem problem = ReadProblem(options.instance, options.reading);
  // Before the work, not after it.
  if (!options.render.empty()) MakeWritableFolder(options.render, "--render");
  const std::unique_ptr<Oracle> oracle = MakeOracle(options);
  const Problem* pointer = &problem;
  const auto begin = std::chrono::steady_clock::now();
  const Plan plan = oracle->Solve({&pointer, 1})[0].plan;
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  const Simulation driven = Simulate(problem, plan);
  if (!driven.violations.empty()) {
    throw Failure(options.instance, ": the ", options.oracle, " oracle made a plan that breaks ",
                  "a rule, please report this: ", driven.violations.front());
  }
  if (!options.out.empty()) WriteFileAtomically(options.out, PlanText(problem, plan), "--out");
  if (options.json) {
    PrintJson(options, problem, driven, elapsed.count());
  } else {
    PrintText(options, problem, plan, driven.cost, elapsed.count());
  }
  if (!options.render.empty()) Render(options, problem, plan);
  std::cout.flush();
}

}  // namespace dray
