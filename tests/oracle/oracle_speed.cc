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
#include <sstream>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/commands/command_flags.h"
#include "src/envs/dvrptw/episode.h"
#include "src/oracle/insertion.h"
#include "src/oracle/neural/make_neural_oracle.h"
#include "src/oracle/ruin_recreate.h"
#include "src/routing/readers.h"

namespace dray {
namespace {

struct SpeedOptions {
  std::string oracle = "ruin_recreate";
  int rounds = 10;
  int starts = 1;
  uint64_t seed = 0;
  int pairs = 30;
  std::vector<int> batches = {1, 64, 256};
  int repeats = 5;
  std::string instance;  // empty: days of the delivery task
  bool plans = false;
};

std::unique_ptr<Oracle> MakeOracle(const SpeedOptions& options) {
  if (options.oracle == "insertion") return std::make_unique<InsertionOracle>();
  if (options.oracle == "ruin_recreate") {
    return std::make_unique<RuinRecreateOracle>(
        RuinRecreateOptions{.rounds = options.rounds, .seed = options.seed});
  }
  at::set_num_threads(1);
  return MakeNeuralOracle(ShippedSequenceWeights(), {.starts = options.starts}, at::kCPU);
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

template <typename Items, typename Write>
std::string List(const Items& items, const Write& write) {
  std::string text;
  for (const auto& item : items) text += Cat(text.empty() ? "" : ", ", write(item));
  return "[" + text + "]";
}

std::string ProblemJson(const Problem& problem) {
  return Cat("{\"stops\": ",
             List(problem.stops,
                  [](const Stop& stop) {
                    return Cat("[", stop.place, ", ", stop.opens, ", ", stop.closes, ", ",
                               stop.service, ", ", stop.load, "]");
                  }),
             ", \"requests\": ",
             List(problem.requests,
                  [](const Request& request) {
                    return Cat("[", request.pickup, ", ", request.delivery, "]");
                  }),
             "}");
}

std::string CityJson(const Problem& problem) {
  std::vector<Ticks> travel;
  for (int from = 0; from < problem.travel.places(); ++from) {
    for (int to = 0; to < problem.travel.places(); ++to) travel.push_back(problem.travel(from, to));
  }
  const auto number = [](Ticks ticks) { return ticks; };
  return Cat("{\"places\": ", problem.travel.places(), ", \"depot\": ", problem.depot,
             ", \"depot_window\": [", problem.depot_opens, ", ", problem.depot_closes,
             "], \"capacity\": ", problem.fleet.capacity,
             ", \"free_vehicles\": ", problem.fleet.free_vehicles,
             ", \"extra_vehicle_cost\": ", problem.fleet.extra_vehicle_cost,
             ", \"ticks_per_unit\": ", problem.ticks_per_unit,
             ", \"travel\": ", List(travel, number), "}");
}

std::string AnswerJson(const OracleAnswer& answer) {
  const auto route = [](const std::vector<int>& stops) {
    return List(stops, [](int stop) { return stop; });
  };
  return Cat("{\"cost\": ", answer.cost.total(), ", \"unserved\": ", answer.cost.unserved,
             ", \"routes\": ", List(answer.plan.routes, route), "}");
}

double ProcessorMilliseconds() {
  timespec now;
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

std::vector<Problem> MakeProblems(const SpeedOptions& options, int count) {
  if (!options.instance.empty())
    return std::vector<Problem>(static_cast<size_t>(count), ReadProblem(options.instance));
  const City city = GenerateCity(/*seed=*/1, /*places=*/207, /*asymmetric=*/false);
  const std::vector<Rider> riders =
      GenerateRiders(city, options.pairs, DvrptwConfig::UNIFORM, /*seed=*/1);
  std::vector<Problem> problems;
  for (int i = 0; i < count; ++i)
    problems.push_back(EpisodeProblem(city, riders, static_cast<uint64_t>(i)));
  return problems;
}

void Measure(const SpeedOptions& options) {
  const std::unique_ptr<Oracle> oracle = MakeOracle(options);
  std::string batches;
  std::vector<Problem> problems;
  std::vector<OracleAnswer> answers;
  for (const int batch : options.batches) {
    problems = MakeProblems(options, batch);
    std::vector<const Problem*> pointers;
    for (const Problem& problem : problems) pointers.push_back(&problem);
    oracle->Solve(pointers);  // once for memory and caches
    std::vector<double> milliseconds;
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
      const double begin = ProcessorMilliseconds();
      answers = oracle->Solve(pointers);
      milliseconds.push_back(ProcessorMilliseconds() - begin);
    }
    batches +=
        Cat(batches.empty() ? "" : ", ", "{\"batch\": ", batch,
            ", \"milliseconds\": ", List(milliseconds, [](double value) { return value; }), "}");
  }
  std::cout << "{\"oracle\": \"" << options.oracle << "\", \"pairs\": " << options.pairs
            << ", \"batches\": [" << batches << "]";
  if (options.plans) {
    std::cout << ", \"city\": " << CityJson(problems.front())
              << ", \"problems\": " << List(problems, ProblemJson)
              << ", \"answers\": " << List(answers, AnswerJson);
  }
  std::cout << "}\n";
}

std::vector<int> WholeNumbers(const std::string& typed, const std::string& text) {
  std::vector<int> numbers;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');)
    numbers.push_back(WholeNumber(typed, part, 1, 1'000'000));
  if (numbers.empty()) throw UsageError(typed, " ", text, ": expected numbers such as 1,64,256");
  return numbers;
}

std::vector<CommandFlag> Flags(SpeedOptions& o) {
  constexpr int kMany = 1'000'000;
  using Text = const std::string&;
  return {
      {"oracle", "NAME", "insertion, ruin_recreate (default) or neural",
       [&o](Text t, Text v) {
         o.oracle = OneOf(t, v, {"insertion", "ruin_recreate", "neural"});
       }},
      {"rounds", "N", "of ruin and recreate (default 10)",
       [&o](Text t, Text v) { o.rounds = WholeNumber(t, v, 0, kMany); }},
      {"starts", "K", "of the neural oracle (default 1)",
       [&o](Text t, Text v) { o.starts = WholeNumber(t, v, 1, 1024); }},
      {"seed", "S", "of the search (default 0); the problems are always the same",
       [&o](Text t, Text v) { o.seed = AnySeed(t, v); }},
      {"pairs", "N", "of a problem (default 30)",
       [&o](Text t, Text v) { o.pairs = WholeNumber(t, v, 1, kMany); }},
      {"batches", "LIST", "problems of a call (default 1,64,256)",
       [&o](Text t, Text v) { o.batches = WholeNumbers(t, v); }},
      {"repeats", "N", "of each (default 5)",
       [&o](Text t, Text v) { o.repeats = WholeNumber(t, v, 1, kMany); }},
      {"instance", "FILE", "this problem, in place of days of the delivery task",
       [&o](Text, Text v) { o.instance = v; }},
      {"plans", "", "print the city, the last batch's problems and their plans too",
       [&o](Text, Text) { o.plans = true; }},
      {"help", "", "print this", [](Text, Text) {}},
  };
}

void Run(const std::vector<std::string>& arguments) {
  SpeedOptions options;
  if (AsksForHelp(arguments)) {
    std::cout
        << "Times an oracle; prints one JSON object, times in milliseconds of the processor.\n\n"
        << FlagsHelp(Flags(options));
    return;
  }
  ReadFlags(Flags(options), arguments);
  Measure(options);
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
