#include "src/envs/dvrptw_offer/judging/comparison.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "src/base/error.h"
#include "src/envs/delivery/judging/judge.h"
#include "src/envs/delivery/judging/play_once.h"
#include "src/envs/dvrptw_offer/judging/lookahead_player.h"
#include "src/envs/dvrptw_offer/judging/policies.h"
#include "src/envs/dvrptw_offer/offer_env.h"
#include "src/nets/best_actions.h"

namespace dray::dvrptw_offer {
namespace {

const DvrptwOfferConfig& SettingsOf(const Config& config) {
  return config.env().GetExtension(DvrptwOfferConfig::dvrptw_offer);
}

double Units(const Problem& problem, int64_t ticks) {
  return static_cast<double>(ticks) / problem.ticks_per_unit;
}

JudgedDay Kept(const Day& day) {
  JudgedDay kept;
  kept.played_cost = Units(day.stops(), day.own.cost);
  kept.lost_penalty = Units(day.stops(), day.lost_penalty());
  kept.customers = day.customers();
  kept.served = day.served();
  kept.served_by_type = day.served_by_type();
  kept.asked_by_type = day.asked_by_type();
  kept.problem = day.own.problem;
  for (int i = 0; i < day.customers(); ++i) {
    if (day.booked(i) < 0) continue;
    const Customer& customer = day.everybody()[i];
    kept.asked.push_back(day.stops().stops[customer.stop]);
  }
  return kept;
}

void ExpectPolicy(const std::string& name) {
  std::string known;
  for (const std::string& other : PolicyNames()) {
    if (other == name) return;
    known += Cat(", ", other);
  }
  throw UsageError("--baselines: there is no baseline \"", name, "\" in dvrptw_offer; known: all",
                   known);
}

std::unique_ptr<Player> MakePlayer(const std::string& name, const Config& config,
                                   const std::string& weights, const OfferEnv& env) {
  const DvrptwOfferConfig& settings = SettingsOf(config);
  if (name == "lookahead") return MakeLookahead(settings, env);
  if (name != "learned") {
    return MakeBaseline(name, env, settings.type_split(), config.evaluation().seed());
  }
  auto learned = std::make_unique<BestActions>(env.spec(), config.network());
  learned->Load(weights);
  return learned;
}

// Plays the episodes of the evaluation; the days are not judged yet.
std::vector<JudgedDay> Play(const std::string& name, const Config& config,
                            const std::string& weights, const delivery::Progress& progress) {
  OfferEnv env(SettingsOf(config), {config.evaluation().seed(), RngPurpose::kEvaluation, 0},
               config.evaluation().episodes());
  std::vector<JudgedDay> days(env.size());
  env.set_day_watcher([&days](int index, const Day& day) { days[index] = Kept(day); });
  delivery::PlayOnce(env, *MakePlayer(name, config, weights, env), progress);
  return days;
}

void JudgeDay(delivery::Judge& judge, JudgedDay& day) {
  OracleAnswer answer = judge.Price(day.problem);
  day.cost = Units(day.problem, answer.cost.total());
  day.vehicles = answer.cost.vehicles;
  // With a hard fleet, the judge may fail to serve somebody whom the day's own plan serves.
  const int lost = day.customers - day.served + answer.cost.unserved;
  day.objective = day.cost + day.lost_penalty * lost;
  day.plan = std::move(answer.plan);
}

double Share(double part, double whole) { return whole > 0 ? part / whole : 0; }

void Summarize(PolicyScore& score) {
  score.served = score.Mean([](const JudgedDay& day) { return Share(day.served, day.customers); });
  const double served = score.Mean(&JudgedDay::served).mean;
  score.cost_per_served = served > 0 ? score.cost.mean / served : 0;
  for (size_t type = 0; type < delivery::kFlexibilityTypes; ++type) {
    int64_t taken = 0, asked = 0;
    for (const JudgedDay& day : score.days) {
      taken += day.served_by_type[type];
      asked += day.asked_by_type[type];
    }
    score.served_by_type[type] = Share(taken, asked);
  }
}

}  // namespace

std::vector<std::string> PolicyNames() {
  std::vector<std::string> names = BaselineNames();
  names.emplace_back("lookahead");
  return names;
}

Comparison Compare(const Config& config, const delivery::ComparisonOptions& options) {
  for (const std::string& name : options.baselines) ExpectPolicy(name);
  Comparison comparison;
  comparison.episodes = config.evaluation().episodes();
  comparison.seed = config.evaluation().seed();
  comparison.instance = SettingsOf(config).instance();
  delivery::Judge judge;
  delivery::PlayAndCompare(
      options, "all_slots",
      [&](const std::string& name, const delivery::Progress& progress) {
        return Play(name, config, options.weights, progress);
      },
      [&](JudgedDay& day) { JudgeDay(judge, day); }, Summarize, comparison);
  return comparison;
}

}  // namespace dray::dvrptw_offer
