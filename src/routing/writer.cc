#include "src/routing/writer.h"

#include <map>
#include <utility>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"
#include "src/routing/text_file.h"

namespace dray {
namespace {

int NumberOf(const Problem& problem, int stop) {
  return problem.numbers.empty() ? stop + 1 : problem.numbers[stop];
}

// Strips the beginning of "Route #1: 3 5 7". Returns false for any other line.
bool StripRoute(std::string_view* text) {
  const size_t colon = text->find(':');
  if (colon == std::string_view::npos || !SameWord(text->substr(0, 5), "Route")) return false;
  text->remove_prefix(colon + 1);
  return true;
}

// Converts ticks to units with the digits that Format writes.
double Units(const Problem& problem, int64_t ticks) { return std::stod(problem.Format(ticks)); }

Json RouteJson(const Problem& problem, const std::vector<Visit>& visits, Ticks returns) {
  Json route = {{"customers", Json::array()},
                {"arrivals", Json::array()},
                {"starts", Json::array()},
                {"loads", Json::array()},
                {"returns", Units(problem, returns)}};
  for (const Visit& visit : visits) {
    route["customers"].push_back(NumberOf(problem, visit.stop));
    route["arrivals"].push_back(Units(problem, visit.arrival));
    route["starts"].push_back(Units(problem, visit.start));
    route["loads"].push_back(visit.load);
  }
  return route;
}

}  // namespace

std::string PlanText(const Problem& problem, const Plan& plan) {
  std::string text;
  int route_number = 0;
  for (const std::vector<int>& route : plan.routes) {
    text += Cat("Route #", ++route_number, ":");
    for (const int stop : route) text += Cat(" ", NumberOf(problem, stop));
    text += "\n";
  }
  return text + Cat("Cost ", problem.Format(Simulate(problem, plan).cost.total()), "\n");
}

Plan ParsePlan(const Problem& problem, const std::string& path, std::string text) {
  const TextFile file(path, std::move(text));
  std::map<int, int> stop_of;
  for (size_t stop = 0; stop < problem.stops.size(); ++stop) {
    stop_of[NumberOf(problem, stop)] = stop;
  }
  std::map<int, int> line_of;
  Plan plan;
  for (const TextLine& line : file.lines()) {
    std::string_view rest = line.text;
    if (!StripRoute(&rest)) {
      const std::vector<std::string_view> words = Words(rest);
      if (words.size() == 2 && SameWord(words[0], "Cost")) {
        file.Number(line.number, "Cost", words[1]);
        continue;
      }
      throw file.Wrong(line.number, "route", "expected 'Route #1: 3 5 7' or 'Cost 191.3', found ",
                       Quoted(line.text), "; remove the line");
    }
    std::vector<int> route;
    for (const std::string_view word : Words(rest)) {
      const int number = file.Whole(line.number, "customer", word);
      if (!stop_of.contains(number)) {
        throw file.Wrong(line.number, "customer", "there is no customer ", number,
                         " in the problem; check that the plan belongs to it");
      }
      const auto [first, is_new] = line_of.emplace(number, line.number);
      if (!is_new) {
        throw file.Wrong(line.number, "customer", number, " is visited twice, first in line ",
                         first->second, "; remove one visit");
      }
      route.push_back(stop_of[number]);
    }
    if (!route.empty()) plan.routes.push_back(std::move(route));
  }
  return plan;
}

Plan ReadPlan(const Problem& problem, const std::string& path) {
  return ParsePlan(problem, path, ReadFile(path));
}

Json PlanJson(const Problem& problem, const Simulation& simulation) {
  const PlanCost& cost = simulation.cost;
  Json plan = {{"instance", problem.name},
               {"feasible", simulation.violations.empty()},
               {"cost", Units(problem, cost.total())},
               {"travel", Units(problem, cost.travel)},
               {"vehicles", cost.vehicles},
               {"extra_vehicles", Units(problem, cost.extra_vehicles)},
               {"unserved", cost.unserved},
               {"violations", simulation.violations},
               {"routes", Json::array()}};
  for (size_t i = 0; i < simulation.routes.size(); ++i) {
    plan["routes"].push_back(RouteJson(problem, simulation.routes[i], simulation.returns[i]));
  }
  return plan;
}

}  // namespace dray
