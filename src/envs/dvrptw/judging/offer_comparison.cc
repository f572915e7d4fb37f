#include "src/envs/dvrptw/judging/offer_comparison.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "src/base/error.h"
#include "src/envs/dvrptw/judging/judge.h"
#include "src/envs/dvrptw/judging/offer_lookahead_player.h"
#include "src/envs/dvrptw/judging/offer_policies.h"
#include "src/envs/dvrptw/judging/play_once.h"
#include "src/envs/dvrptw/offer_env.h"
#include "src/nets/best_actions.h"

namespace dray {
namespace {

double Units(const Problem& problem, int64_t ticks) {
  return static_cast<double>(ticks) / problem.ticks_per_unit;
}

JudgedOffers Kept(const OfferDay& day) {
  JudgedOffers kept;
  kept.played_cost = Units(day.stops(), day.own.cost);
  kept.lost_penalty = Units(day.stops(), day.lost_penalty());
  kept.customers = day.customers();
  kept.served = day.served();
  kept.served_by_type = day.served_by_type();
  kept.asked_by_type = day.asked_by_type();
  kept.problem = day.own.problem;
  for (int i = 0; i < day.customers(); ++i) {
    if (day.booked(i) < 0) continue;
    const OfferCustomer& customer = day.everybody()[i];
    kept.asked.push_back(day.stops().stops[customer.stop]);
  }
  return kept;
}

void ExpectPolicy(const std::string& name) {
  std::string known;
  for (const std::string& other : OfferPolicyNames()) {
    if (other == name) return;
    known += Cat(", ", other);
  }
  throw UsageError("--baselines: there is no baseline \"", name, "\" in the mode offer; known: all",
                   known);
}

std::unique_ptr<Player> MakePlayer(const std::string& name, const Config& config,
                                   const std::string& weights, const OfferEnv& env) {
  const DvrptwConfig& deliveries = config.env().GetExtension(dvrptw);
  if (name == "lookahead") return MakeOfferLookahead(deliveries, env);
  if (name != "learned") {
    return MakeOfferBaseline(name, env, deliveries.type_split(), config.evaluation().seed());
  }
  auto learned = std::make_unique<BestActions>(env.spec(), config.network());
  learned->Load(weights);
  return learned;
}

// The same episodes from the start, whoever plays; not judged yet.
std::vector<JudgedOffers> Play(const std::string& name, const Config& config,
                               const std::string& weights) {
  OfferEnv env(config.env().GetExtension(dvrptw),
               {config.evaluation().seed(), RngPurpose::kEvaluation, 0},
               config.evaluation().episodes());
  std::vector<JudgedOffers> days(env.size());
  env.set_day_watcher([&days](int index, const OfferDay& day) { days[index] = Kept(day); });
  PlayOnce(env, *MakePlayer(name, config, weights, env));
  return days;
}

void JudgeDay(Judge& judge, JudgedOffers& day) {
  OracleAnswer answer = judge.Price(day.problem);
  day.cost = Units(day.problem, answer.cost.total());
  day.vehicles = answer.cost.vehicles;
  // With a hard fleet, the judge may not find what the day's own plan did: it pays for that.
  const int lost = day.customers - day.served + answer.cost.unserved;
  day.objective = day.cost + day.lost_penalty * lost;
  day.plan = std::move(answer.plan);
}

double Share(int64_t part, int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

void Summarize(OfferScore& score) {
  const auto estimate = [&score](auto value) {
    std::vector<double> values;
    for (const JudgedOffers& day : score.days) values.push_back(value(day));
    return EstimateOf(values);
  };
  score.objective = estimate([](const JudgedOffers& day) { return day.objective; });
  score.cost = estimate([](const JudgedOffers& day) { return day.cost; });
  score.vehicles = estimate([](const JudgedOffers& day) { return double(day.vehicles); });
  score.served = estimate([](const JudgedOffers& day) { return Share(day.served, day.customers); });
  const Estimate served = estimate([](const JudgedOffers& day) { return double(day.served); });
  score.cost_per_served = served.mean > 0 ? score.cost.mean / served.mean : 0;
  for (size_t type = 0; type < kFlexibilityTypes; ++type) {
    int64_t taken = 0, asked = 0;
    for (const JudgedOffers& day : score.days) {
      taken += day.served_by_type[type];
      asked += day.asked_by_type[type];
    }
    score.served_by_type[type] = Share(taken, asked);
  }
}

Estimate Paired(const OfferScore& ours, const OfferScore& theirs) {
  const auto objectives = [](const OfferScore& score) {
    std::vector<double> values;
    for (const JudgedOffers& day : score.days) values.push_back(day.objective);
    return values;
  };
  return PairedEstimate(objectives(ours), objectives(theirs));
}

void CompareScores(OfferComparison& comparison) {
  const OfferScore& all_slots = comparison.scores[0];
  for (OfferScore& score : comparison.scores) {
    score.against_all_slots = Paired(score, all_slots);
    score.against_all_slots_pct = 100 * score.against_all_slots.mean / all_slots.objective.mean;
  }
  if (const OfferScore* learned = comparison.Find("learned")) {
    for (const OfferScore& score : comparison.scores) {
      comparison.learned_against.push_back(Paired(*learned, score));
    }
  }
}

}  // namespace

const OfferScore* OfferComparison::Find(const std::string& policy) const {
  const auto at = std::ranges::find(scores, policy, &OfferScore::policy);
  return at == scores.end() ? nullptr : &*at;
}

std::vector<std::string> OfferPolicyNames() {
  std::vector<std::string> names = OfferBaselineNames();
  names.emplace_back("lookahead");
  return names;
}

OfferComparison CompareOffers(const Config& config, const ComparisonOptions& options) {
  for (const std::string& name : options.baselines) ExpectPolicy(name);
  OfferComparison comparison;
  comparison.episodes = config.evaluation().episodes();
  comparison.seed = config.evaluation().seed();
  comparison.instance = config.env().GetExtension(dvrptw).instance();
  Judge judge;
  for (const std::string& name : options.Policies("all_slots")) {
    OfferScore score;
    score.policy = name;
    score.days = Play(name, config, options.weights);
    for (size_t i = 0; i < score.days.size(); ++i) {
      JudgeDay(judge, score.days[i]);
      if (options.progress) options.progress(name, static_cast<int>(i) + 1, comparison.episodes);
    }
    Summarize(score);
    comparison.scores.push_back(std::move(score));
  }
  CompareScores(comparison);
  return comparison;
}

}  // namespace dray
