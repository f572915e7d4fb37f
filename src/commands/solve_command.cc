#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/base/stopwatch.h"
#include "src/commands/data_help.h"
#include "src/commands/solve.pb.h"
#include "src/config/command.h"
#include "src/config/fields.h"
#include "src/oracle/registry.h"
#include "src/oracle/ruin_recreate.h"
#include "src/output/format.h"
#include "src/output/progress_line.h"
#include "src/routing/pictures/picture.h"
#include "src/routing/readers.h"
#include "src/routing/writer.h"

namespace dray {
namespace {

std::string OracleName(const SolveSettings& settings) {
  return ValueText(settings, *SolveSettings::descriptor()->FindFieldByName("oracle"));
}

// Measured on files of 100 requests by scripts/bench/gaps.py: a tenth of this leaves one run in
// seven more than 3 % above the best known value.
constexpr int64_t kRoundsOfARequest = 100;
constexpr int64_t kMostRounds = 1'000'000'000;

// Scales the default number of rounds with the problem.
SolveSettings WithRounds(SolveSettings settings, const Problem& problem) {
  const auto requests = std::ssize(problem.requests);
  if (!settings.has_rounds())
    settings.set_rounds(std::min(kRoundsOfARequest * requests, kMostRounds));
  return settings;
}

ReadOptions ReadingOf(const SolveSettings& settings) {
  ReadOptions options;
  if (settings.round_distances() == SolveSettings::TRUNC01) options.rounding = Rounding::kTrunc01;
  if (settings.round_distances() == SolveSettings::EXACT) options.rounding = Rounding::kExact;
  if (settings.round_distances() == SolveSettings::NEAREST) options.rounding = Rounding::kNearest;
  if (settings.has_capacity()) options.capacity = settings.capacity();
  if (settings.has_vehicles()) options.vehicles = settings.vehicles();
  if (settings.has_speed_kmh()) options.speed_kmh = settings.speed_kmh();
  options.travel = settings.travel();
  return options;
}

std::unique_ptr<Oracle> MakeOracle(const SolveSettings& settings, const Problem& problem,
                                   std::atomic<int64_t>* rounds_done) {
  // One problem is too small for a GPU unless it is requested.
  const bool gpu = settings.device() == CUDA;
  OracleConfig config;
  config.set_kind(settings.oracle());
  if (settings.oracle() == OracleConfig::AUTO && !gpu) config.set_kind(OracleConfig::RUIN_RECREATE);
  config.set_rounds(settings.rounds());
  config.set_seed(settings.seed());
  config.set_starts(settings.starts());
  config.set_weights(settings.weights());
  config.set_device(gpu ? CUDA : CPU);
  return ChooseOracle(config, {.requests = static_cast<int>(problem.requests.size()),
                               .searches = settings.seeds(),
                               .fewest_vehicles = settings.fewest_vehicles(),
                               .rounds_done = rounds_done})
      .oracle;
}

void PrintJson(const SolveSettings& settings, const Problem& problem, const Simulation& driven,
               double seconds) {
  Json json = {{"oracle", OracleName(settings)},
               {"rounds", settings.rounds()},
               {"seeds", settings.seeds()},
               {"seed", settings.seed()},
               {"starts", settings.starts()},
               {"seconds", seconds},
               {"steps_per_unit", problem.ticks_per_unit}};
  if (!problem.unit.empty()) json["unit"] = problem.unit;
  json.update(PlanJson(problem, driven));
  std::cout << JsonText(json) << "\n";
}

void PrintText(const SolveSettings& settings, const Problem& problem, const Plan& plan,
               const PlanCost& cost, double seconds) {
  std::cout << problem.name << ": " << FormatCounted(std::ssize(problem.requests), "request")
            << ", " << FormatCounted(std::ssize(problem.stops), "stop") << "; "
            << OracleName(settings);
  if (settings.oracle() == OracleConfig::RUIN_RECREATE) {
    std::cout << ", " << settings.rounds() << " rounds, best of " << settings.seeds()
              << (settings.seeds() == 1 ? " seed" : " seeds");
  } else if (settings.oracle() == OracleConfig::NEURAL) {
    std::cout << ", best of " << settings.starts()
              << (settings.starts() == 1 ? " start" : " starts");
  }
  char time[32];
  std::snprintf(time, sizeof(time), "%.3f s", seconds);
  std::cout << "\ncost      " << problem.Format(cost.total()) << "\nunits     "
            << (problem.unit.empty() ? "the file's own" : problem.unit) << ", in steps of "
            << problem.Format(1) << "\nvehicles  " << cost.vehicles << "\nunserved  "
            << cost.unserved << "\ntime      " << time
            << "\nchecked   every stop in time, no vehicle overloaded\n\n"
            << PlanText(problem, plan);
}

void Render(const SolveSettings& settings, const Problem& problem, const Plan& plan) {
  const PicturePaths paths =
      WritePictures(settings.render(), std::filesystem::path(settings.instance()).stem().string(),
                    problem, plan, {.clock = settings.clock() || problem.unit == "min"});
  if (!settings.json()) std::cout << "\n" << paths.routes << "\n" << paths.gantt << "\n";
}

// Solves the problem, showing a status line with the progress.
Plan Solved(const Problem& problem, Oracle& oracle, const SolveSettings& settings,
            const std::atomic<int64_t>& rounds_done) {
  const double most =
      std::max<int64_t>(1, MostRounds({.rounds = settings.rounds(),
                                       .searches = settings.seeds(),
                                       .fewest_vehicles = settings.fewest_vehicles()}));
  const ProgressLine line(OracleName(settings),
                          [&] { return static_cast<double>(rounds_done) / most; });
  return oracle.SolveOne(problem).plan;
}

void SolveCommand(const GivenFlags& given) {
  const auto asked = SettingsFrom<SolveSettings>(given);
  const Problem problem = ReadProblem(asked.instance(), ReadingOf(asked));
  const SolveSettings settings = WithRounds(asked, problem);
  // Fails before the work, not after it.
  if (!settings.render().empty()) MakeWritableFolder(settings.render(), "--render");
  std::atomic<int64_t> rounds_done = 0;
  const std::unique_ptr<Oracle> oracle = MakeOracle(settings, problem, &rounds_done);
  const Stopwatch watch;
  const Plan plan = Solved(problem, *oracle, settings, rounds_done);
  const double elapsed_s = watch.seconds();
  const Simulation driven = Simulate(problem, plan);
  if (!driven.violations.empty()) {
    throw Failure(settings.instance(), ": the ", OracleName(settings),
                  " oracle made a plan that breaks ",
                  "a rule, please report this: ", driven.violations.front());
  }
  if (!settings.out().empty())
    WriteFileAtomically(settings.out(), PlanText(problem, plan), "--out");
  if (settings.json()) {
    PrintJson(settings, problem, driven, elapsed_s);
  } else {
    PrintText(settings, problem, plan, driven.cost, elapsed_s);
  }
  if (!settings.render().empty()) Render(settings, problem, plan);
  std::cout.flush();
}

std::vector<Flag> SolveFlags() {
  using enum FlagForm;
  return {
      {.name = "instance",
       .form = kPath,
       .value = "FILE",
       .path = "instance",
       .ask = "name the problem's file: --instance R101.txt"},
      {.name = "oracle", .path = "oracle"},
      {.name = "rounds", .value = "N", .path = "rounds"},
      {.name = "seeds", .value = "K", .path = "seeds"},
      {.name = "seed", .value = "S", .path = "seed"},
      {.name = "fewest-vehicles", .form = kSwitch, .path = "fewest_vehicles"},
      {.name = "starts", .value = "K", .path = "starts"},
      {.name = "weights", .form = kPath, .value = "FILE", .path = "weights"},
      {.name = "device", .path = "device"},
      {.name = "round-distances", .value = "HOW", .path = "round_distances"},
      {.name = "capacity", .value = "N", .path = "capacity"},
      {.name = "vehicles", .value = "N", .path = "vehicles"},
      {.name = "speed-kmh", .value = "X", .path = "speed_kmh"},
      {.name = "travel", .form = kPath, .value = "FILE", .path = "travel"},
      {.name = "out", .form = kPath, .value = "FILE", .path = "out"},
      {.name = "render", .form = kPath, .value = "FOLDER", .path = "render"},
      {.name = "clock", .form = kSwitch, .path = "clock"},
      {.name = "json", .form = kSwitch, .path = "json"},
      kHelpFlag,
  };
}

}  // namespace

namespace commands {
Command solve() {
  return {
      .name = "solve",
      .intro = "Solves a routing problem, drives the plan and prints its cost.\n",
      .examples =
          "  solve --instance R101.txt --rounds 1000 --seeds 3\n"
          "  solve --instance lc101.txt --round-distances exact --fewest-vehicles --out plan.sol\n"
          "  solve --instance lc101.txt --oracle neural --starts 100\n",
      .settings = SolveSettings::descriptor(),
      .flags = SolveFlags(),
      .body = SolveCommand,
      .data_help = DataHelp};
}
}  // namespace commands

}  // namespace dray
