// Times an oracle on batches of the delivery task's problems and prints one JSON object:
//   oracle_speed --oracle ruin_recreate --rounds 100 --pairs 30 --batches 1,64,256 --repeats 5
// With --plans also the city, the problems of the last batch and the plans that the oracle made of
// them, for others to solve and to check. scripts/bench/oracle.py is who asks.

#include <chrono>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/envs/dvrptw/episode.h"
#include "src/oracle/insertion.h"
#include "src/oracle/ruin_recreate.h"

namespace dray {
namespace {

struct SpeedOptions {
  std::string oracle = "ruin_recreate";
  int rounds = 10;
  uint64_t seed = 0;  // of the search; the problems are always the same
  int pairs = 30;
  std::vector<int> batches = {1, 64, 256};
  int repeats = 5;
  bool plans = false;
};

std::unique_ptr<Oracle> MakeOracle(const SpeedOptions& options) {
  if (options.oracle == "insertion") return std::make_unique<InsertionOracle>();
  if (options.oracle == "ruin_recreate") {
    return std::make_unique<RuinRecreateOracle>(
        RuinRecreateOptions{.rounds = options.rounds, .seed = options.seed});
  }
  throw UsageError("--oracle ", options.oracle, ": is not one of insertion, ruin_recreate");
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

void Measure(const SpeedOptions& options) {
  const City city = GenerateCity(/*seed=*/1, /*places=*/207, /*asymmetric=*/false);
  const std::vector<Rider> riders =
      GenerateRiders(city, options.pairs, DvrptwConfig::UNIFORM, /*seed=*/1);
  const std::unique_ptr<Oracle> oracle = MakeOracle(options);
  std::string batches;
  std::vector<Problem> problems;
  std::vector<OracleAnswer> answers;
  for (const int batch : options.batches) {
    problems.clear();
    std::vector<const Problem*> pointers;
    for (int i = 0; i < batch; ++i)
      problems.push_back(EpisodeProblem(city, riders, static_cast<uint64_t>(i)));
    for (const Problem& problem : problems) pointers.push_back(&problem);
    oracle->Solve(pointers);  // once for memory and caches
    std::vector<double> milliseconds;
    for (int repeat = 0; repeat < options.repeats; ++repeat) {
      const auto begin = std::chrono::steady_clock::now();
      answers = oracle->Solve(pointers);
      const std::chrono::duration<double, std::milli> elapsed =
          std::chrono::steady_clock::now() - begin;
      milliseconds.push_back(elapsed.count());
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

template <typename Number>
Number Whole(const std::string& flag, const std::string& text, Number least) {
  std::istringstream in(text);
  Number value = 0;
  if (!(in >> value) || !in.eof() || value < least)
    throw UsageError(flag, " ", text, ": expected a whole number of at least ", least);
  return value;
}

SpeedOptions ParseOptions(const std::vector<std::string>& arguments) {
  SpeedOptions options;
  const std::map<std::string, std::function<void(const std::string& flag, const std::string&)>>
      flags = {
          {"--oracle", [&](const auto&, const auto& value) { options.oracle = value; }},
          {"--rounds",
           [&](const auto& flag, const auto& value) { options.rounds = Whole(flag, value, 0); }},
          {"--seed", [&](const auto& flag,
                         const auto& value) { options.seed = Whole<uint64_t>(flag, value, 0); }},
          {"--pairs",
           [&](const auto& flag, const auto& value) { options.pairs = Whole(flag, value, 1); }},
          {"--repeats",
           [&](const auto& flag, const auto& value) { options.repeats = Whole(flag, value, 1); }},
          {"--batches",
           [&](const auto& flag, const auto& value) {
             options.batches.clear();
             std::istringstream in(value);
             for (std::string part; std::getline(in, part, ',');)
               options.batches.push_back(Whole(flag, part, 1));
           }},
      };
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& flag = arguments[i];
    if (flag == "--plans") {
      options.plans = true;
      continue;
    }
    if (!flags.contains(flag)) throw UsageError(flag, ": unknown flag; see the top of the source");
    if (i + 1 == arguments.size()) throw UsageError(flag, ": needs a value");
    flags.at(flag)(flag, arguments[++i]);
  }
  if (options.batches.empty()) throw UsageError("--batches: name at least one");
  return options;
}

}  // namespace
}  // namespace dray

int main(int count, char** arguments) {
  try {
    dray::Measure(dray::ParseOptions({arguments + 1, arguments + count}));
  } catch (const dray::Error& error) {
    std::cerr << error.what() << "\n";
    return error.exit_code();
  }
}
