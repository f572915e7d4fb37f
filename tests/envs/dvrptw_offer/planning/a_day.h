#pragma once

#include <functional>
#include <span>
#include <vector>

#include "src/envs/dvrptw_offer/day.h"
#include "src/envs/dvrptw_offer/planning/foresight.h"
#include "src/oracle/ruin_recreate.h"

namespace dray::dvrptw_offer {

inline DvrptwOfferConfig Offers(int customers, const char* file = "") {
  DvrptwOfferConfig config;
  config.set_num_customers(customers);
  config.set_instance(file);
  return config;
}

// A day on which some customers were offered all that can be served.
class ADay {
 public:
  // Who comes, and where they are, may be changed before the day begins.
  using Change = std::function<void(Problem& stops, std::vector<Customer>& customers)>;

  explicit ADay(const DvrptwOfferConfig& config, int decided, uint64_t episode = 0,
                const Change& change = nullptr)
      : source(config), day(source) {
    const EpisodeKey key{.seed = 7, .purpose = RngPurpose::kTest, .env = 3, .episode = episode};
    Problem stops;
    std::vector<Customer> customers = source.Draw(key, &stops);
    if (change) change(stops, customers);
    day.Begin(key, std::move(stops), std::move(customers));
    for (int i = 0; i < decided; ++i) Advance(Possible());
  }

  int Possible() const {
    StopSketch sketch;
    sketch.Load(day.own.problem, day.own.plan);
    SlotSeats seats;
    sketch.Cheapest(day.asked(), WindowsOf(day, day.asked()), seats);
    return PossibleSlots(seats);
  }

  void Advance(int offered) {
    if (!day.Decide(offered)) return;
    const Problem* problem = &day.own.problem;
    const Plan* plan = &day.own.plan;
    OracleAnswer answer = oracle_.Improve(std::span(&problem, 1), std::span(&plan, 1))[0];
    day.own.plan = std::move(answer.plan);
    day.own.cost = answer.cost.total();
  }

  CustomerSource source;
  Day day;

 private:
  RuinRecreateOracle oracle_{{.rounds = 10}};
};

}  // namespace dray::dvrptw_offer
