// Times an oracle, on batches of the delivery task's problems or on a file, and prints one JSON
// object:
//   oracle_speed --oracle ruin_recreate --rounds 100 --pairs 30 --batches 1,64,256 --repeats 5
// With --plans also the city, the problems of the last batch and the plans that the oracle made of
// them, for others to solve and to check. scripts/bench/oracle.py is who asks. Times are of the
// processor: the oracles run on one thread, and other programs do not count.

#include <ATen/Parallel.h>

#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/commands/flag_help.h"
#include "src/config/fields.h"
#include "src/envs/dvrptw/episode.h"
#include "src/oracle/insertion.h"
#include "src/oracle/neural/make_neural_oracle.h"
#include "src/oracle/ruin_recreate.h"
#include "src/routing/problem_json.h"
#include "src/routing/readers.h"
#include "tests/oracle/oracle_speed.pb.h"

namespace dray {
namespace {

using dvrptw::Arrival;
using dvrptw::City;
using dvrptw::DrawEpisode;
using dvrptw::GenerateCity;
using dvrptw::GenerateRiders;
using dvrptw::kTicksPerDay;
using dvrptw::Rider;

std::unique_ptr<Oracle> MakeOracle(const OracleSpeedSettings& settings) {
  if (settings.oracle() == OracleSpeedSettings::INSERTION)
    return std::make_unique<InsertionOracle>();
  if (settings.oracle() == OracleSpeedSettings::RUIN_RECREATE) {
    return std::make_unique<RuinRecreateOracle>(
        RuinRecreateOptions{.rounds = settings.rounds(), .seed = settings.seed()});
  }
  at::set_num_threads(1);
  return MakeNeuralOracle(ShippedSequenceWeights(), {.starts = settings.starts()}, CPU);
}

// The end of an episode in which nobody was shifted.
Problem EpisodeProblem(const City& city, const std::vector<Rider>& riders, uint64_t episode) {
  Problem problem;
  problem.name = Cat("episode ", episode);
  problem.travel = city.travel;
  problem.points = city.points;
  problem.depot = city.depot;
  problem.depot_closes = kTicksPerDay;
  problem.fleet = {.capacity = 4, .free_vehicles = 5, .extra_vehicle_cost = 50 * kTicksPerMinute};
  for (const Arrival& arrival : DrawEpisode({.episode = episode}, riders, /*noise=*/0)) {
    const Trip& trip = riders[arrival.rider].pool[arrival.trip];
    const int pickup = static_cast<int>(problem.stops.size());
    problem.stops.push_back({trip.origin, trip.pickup_early, trip.pickup_late, 0, 1});
    problem.stops.push_back({trip.destination, trip.dropoff_early, trip.dropoff_late, 0, -1});
    problem.requests.push_back({pickup, pickup + 1});
  }
  return problem;
}

Json AnswerJson(const OracleAnswer& answer) {
  return {{"cost", answer.cost.total()},
          {"unserved", answer.cost.unserved},
          {"routes", PlanJson(answer.plan)}};
}

double ProcessorMilliseconds() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

std::vector<Problem> MakeProblems(const OracleSpeedSettings& settings, int count) {
  if (!settings.instance().empty())
    return std::vector<Problem>(static_cast<size_t>(count), ReadProblem(settings.instance()));
  const City city = GenerateCity(/*seed=*/1, /*places=*/207, /*asymmetric=*/false);
  const std::vector<Rider> riders =
      GenerateRiders(city, settings.pairs(), delivery::UNIFORM, /*seed=*/1);
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i)
    problems.push_back(EpisodeProblem(city, riders, static_cast<uint64_t>(i)));
  return problems;
}

void Measure(const OracleSpeedSettings& settings) {
  const std::unique_ptr<Oracle> oracle = MakeOracle(settings);
  Json batches = Json::array();
  std::vector<Problem> problems;
  std::vector<OracleAnswer> answers;
  for (const int batch : settings.batches()) {
    problems = MakeProblems(settings, batch);
    std::vector<const Problem*> pointers;
    for (const Problem& problem : problems) pointers.push_back(&problem);
    oracle->Solve(pointers);  // once for memory and caches
    std::vector<double> milliseconds;
    for (int repeat = 0; repeat < settings.repeats(); ++repeat) {
      const double begin = ProcessorMilliseconds();
      answers = oracle->Solve(pointers);
      milliseconds.push_back(ProcessorMilliseconds() - begin);
    }
    batches.push_back({{"batch", batch}, {"milliseconds", milliseconds}});
  }
  Json printed = {
      {"oracle", ValueText(settings, *settings.GetDescriptor()->FindFieldByName("oracle"))},
      {"pairs", settings.pairs()},
      {"batches", std::move(batches)}};
  if (settings.plans()) {
    printed["city"] = CityJson(problems.front());
    for (const Problem& problem : problems) printed["problems"].push_back(ProblemJson(problem));
    for (const OracleAnswer& answer : answers) printed["answers"].push_back(AnswerJson(answer));
  }
  std::cout << JsonText(printed) << "\n";
}

const std::vector<Flag> kFlags = {
    {.name = "oracle", .path = "oracle"},
    {.name = "rounds", .value = "N", .path = "rounds"},
    {.name = "starts", .value = "K", .path = "starts"},
    {.name = "seed", .value = "S", .path = "seed"},
    {.name = "pairs", .value = "N", .path = "pairs"},
    {.name = "batches", .form = FlagForm::kList, .value = "LIST", .path = "batches"},
    {.name = "repeats", .value = "N", .path = "repeats"},
    {.name = "instance", .form = FlagForm::kText, .value = "FILE", .path = "instance"},
    {.name = "plans", .form = FlagForm::kSwitch, .path = "plans"},
    kHelpFlag,
};

void Run(const std::vector<std::string>& arguments) {
  OracleSpeedSettings settings;
  if (AsksForHelp(arguments)) {
    std::cout
        << "Times an oracle; prints one JSON object, times in milliseconds of the processor.\n\n"
        << FlagsHelp(kFlags, settings);
    return;
  }
  GivenFlags(kFlags, *settings.GetDescriptor(), arguments).ApplyTo(&settings);
  if (settings.batches().empty()) {
    for (const int batch : {1, 64, 256}) settings.add_batches(batch);
  }
  Measure(settings);
}

}  // namespace
}  // namespace dray

int main(int count, char** arguments) {
  try {
    dray::Run({arguments + 1, arguments + count});
  } catch (const dray::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}
