#include "src/envs/dvrptw/judging/comparison.h"

#include <algorithm>
#include <numeric>

#include "src/base/error.h"
#include "src/envs/dvrptw/judging/hindsight.h"
#include "src/envs/dvrptw/judging/judge.h"
#include "src/envs/dvrptw/judging/lookahead_player.h"
#include "src/envs/dvrptw/judging/play_once.h"
#include "src/envs/dvrptw/judging/policies.h"
#include "src/nets/best_actions.h"

namespace dray {
namespace {

double ShiftMinutes(const Trip& asked, const Trip& agreed) {
  return Minutes((asked.pickup_early - agreed.pickup_early) +
                 (agreed.dropoff_early - asked.dropoff_early));
}

double Gini(std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    weighted += static_cast<double>(i + 1) * values[i];
  }
  const auto n = static_cast<double>(values.size());
  return sum > 0 ? 2 * weighted / (n * sum) - (n + 1) / n : 0;
}

// Days go on after a failure, so that all of them are as long; nobody asks for rewards, nor for the
// plans that some of them compare with.
DvrptwConfig ToTheEnd(const Config& config) {
  DvrptwConfig deliveries = config.env().GetExtension(dvrptw);
  deliveries.set_legacy_failure(false);
  deliveries.set_reward(DvrptwConfig::R1);
  deliveries.set_report_no_shift(false);
  return deliveries;
}

// All episodes side by side, each played once from its start.
class Play {
 public:
  Play(const Config& config, const std::string& side_model)
      : config_(ToTheEnd(config)),
        env_(config_, {config.evaluation().seed(), RngPurpose::kEvaluation, 0},
             config.evaluation().episodes()),
        days_(static_cast<size_t>(env_.size())) {
    env_.OnRollout({.progress = 1, .side_model = side_model});
    env_.set_day_watcher([this](int index, const DeliveryDay& day) { Keep(index, day); });
  }

  NegotiateEnv& env() { return env_; }

  // What every day came to, not judged yet.
  std::vector<JudgedDay> Run(Player& player) {
    PlayOnce(env_, player);
    return std::move(days_);
  }

 private:
  void Keep(int index, const DeliveryDay& day) {
    const DayTotals& totals = day.totals();
    JudgedDay& kept = days_[static_cast<size_t>(index)];
    kept = {};
    kept.played_cost = Minutes(day.own.cost);
    kept.patience = totals.patience_min;
    kept.unserved = totals.unserved;
    kept.acceptance = totals.accepted / static_cast<double>(std::max(1, day.step()));
    const std::vector<Rider>& riders = env_.world().riders;
    kept.shift_by_rider.resize(riders.size());
    kept.problem = day.own.problem;
    for (size_t i = 0; i < day.agreed().size(); ++i) {
      const Arrival& arrival = day.served()[i];
      const Rider& rider = riders[static_cast<size_t>(arrival.rider)];
      const Trip& asked = rider.pool[static_cast<size_t>(arrival.trip)];
      kept.asked.push_back(asked);
      kept.shift_by_rider[static_cast<size_t>(arrival.rider)] =
          ShiftMinutes(asked, day.agreed()[i]);
    }
  }

  const DvrptwConfig config_;
  NegotiateEnv env_;
  std::vector<JudgedDay> days_;
};

std::unique_ptr<Player> MakePlayer(const std::string& name, const Config& config,
                                   const std::string& weights, NegotiateEnv& env) {
  if (name == "lookahead") return MakeLookahead(config, "", env);
  if (name == "plan") {
    if (weights.empty()) {
      throw UsageError(
          "--baselines plan: plans with a learned policy; name its run with --run-dir, or take "
          "lookahead, which needs none");
    }
    return MakeLookahead(config, weights, env);
  }
  if (name != "learned") {
    const double patience_weight = config.env().GetExtension(dvrptw).patience_weight();
    return MakeBaseline(name, env, patience_weight, config.evaluation().seed());
  }
  auto learned = std::make_unique<BestActions>(env.spec(), config.network());
  learned->Load(weights);
  return learned;
}

void JudgeDay(const DvrptwConfig& config, Judge& judge, JudgedDay& day) {
  OracleAnswer answer = judge.Price(day.problem);
  day.cost = Minutes(answer.cost.total());
  day.vehicles = answer.cost.vehicles;
  // The judge may not find what the day's own plan did.
  day.unserved += answer.cost.unserved;
  day.objective = day.cost + day.patience + config.unserved_penalty() * day.unserved;
  day.plan = std::move(answer.plan);
}

// The days of `asked`, as they could have been.
std::vector<JudgedDay> InHindsight(const Config& config, const DeliveryWorld& world,
                                   const std::vector<JudgedDay>& played,
                                   const ComparisonOptions& options) {
  const DvrptwConfig& deliveries = config.env().GetExtension(dvrptw);
  Hindsight hindsight(world, deliveries.patience_weight());
  std::vector<JudgedDay> days;
  for (const JudgedDay& day : played) {
    std::vector<Flexibility> types;
    for (const Trip& trip : day.asked) {
      types.push_back(world.riders[static_cast<size_t>(trip.rider)].type);
    }
    const HindsightPlan plan = hindsight.Solve(day.asked, types);
    JudgedDay better;
    better.asked = day.asked;
    better.problem = plan.problem;
    better.played_cost = Minutes(Simulate(plan.problem, plan.plan).cost.total());
    better.acceptance = 1;
    better.shift_by_rider.resize(world.riders.size());
    for (size_t i = 0; i < plan.actions.size(); ++i) {
      better.patience += PatiencePenalty(plan.actions[i], deliveries.patience_weight());
      better.shift_by_rider[static_cast<size_t>(day.asked[i].rider)] =
          ShiftOf(plan.actions[i]).total_min();
    }
    days.push_back(std::move(better));
    if (options.progress) {
      options.progress("hindsight", static_cast<int>(days.size()), static_cast<int>(played.size()));
    }
  }
  return days;
}

void Summarize(const DeliveryWorld& world, PolicyScore& score) {
  const auto estimate = [&score](auto value) {
    std::vector<double> values;
    for (const JudgedDay& day : score.days) values.push_back(value(day));
    return EstimateOf(values);
  };
  const auto shift = [](const JudgedDay& day) {
    return std::accumulate(day.shift_by_rider.begin(), day.shift_by_rider.end(), 0.0) /
           static_cast<double>(day.shift_by_rider.size());
  };
  score.objective = estimate([](const JudgedDay& day) { return day.objective; });
  score.cost = estimate([](const JudgedDay& day) { return day.cost; });
  score.patience = estimate([](const JudgedDay& day) { return day.patience; });
  score.vehicles = estimate([](const JudgedDay& day) { return double(day.vehicles); });
  score.unserved = estimate([](const JudgedDay& day) { return double(day.unserved); });
  score.failure = estimate([](const JudgedDay& day) { return day.unserved > 0 ? 1.0 : 0.0; });
  score.acceptance = estimate([](const JudgedDay& day) { return day.acceptance; });
  score.shift_min = estimate(shift);
  std::vector<double> by_rider(world.riders.size());
  std::array<int, kFlexibilityTypes> riders{};
  for (size_t rider = 0; rider < by_rider.size(); ++rider) {
    for (const JudgedDay& day : score.days) by_rider[rider] += day.shift_by_rider[rider];
    by_rider[rider] /= static_cast<double>(score.days.size());
    const auto type = static_cast<size_t>(world.riders[rider].type);
    score.shift_by_type[type] += by_rider[rider];
    ++riders[type];
  }
  for (size_t type = 0; type < kFlexibilityTypes; ++type) {
    score.shift_by_type[type] /= std::max(1, riders[type]);
  }
  score.gini = Gini(by_rider);
}

Estimate Paired(const PolicyScore& ours, const PolicyScore& theirs) {
  const auto objectives = [](const PolicyScore& score) {
    std::vector<double> values;
    for (const JudgedDay& day : score.days) values.push_back(day.objective);
    return values;
  };
  return PairedEstimate(objectives(ours), objectives(theirs));
}

}  // namespace

std::vector<std::string> ComparisonOptions::Policies(const std::string& reference) const {
  std::vector<std::string> policies = {reference};
  for (const std::string& name : baselines) {
    if (std::ranges::find(policies, name) == policies.end()) policies.push_back(name);
  }
  if (!weights.empty()) policies.push_back("learned");
  return policies;
}

const PolicyScore* Comparison::Find(const std::string& policy) const {
  const auto at = std::ranges::find(scores, policy, &PolicyScore::policy);
  return at == scores.end() ? nullptr : &*at;
}

namespace {

std::vector<RiderBelief> BeliefsAbout(std::span<const Rider> riders, std::string_view side_model) {
  std::vector<RiderBelief> about;
  if (side_model.empty()) return about;
  ByteReader in(side_model, "beliefs about riders");
  const Beliefs beliefs = Beliefs::Load(in);
  for (int i = 0; i < std::min(beliefs.riders(), static_cast<int>(riders.size())); ++i) {
    about.push_back({riders[static_cast<size_t>(i)].type, beliefs.belief(i), beliefs.known(i)});
  }
  return about;
}

}  // namespace

Comparison Compare(const Config& config, const ComparisonOptions& options) {
  const DvrptwConfig& deliveries = config.env().GetExtension(dvrptw);
  Comparison comparison;
  comparison.episodes = config.evaluation().episodes();
  comparison.seed = config.evaluation().seed();
  comparison.patience_weight = deliveries.patience_weight();
  comparison.held_out_riders = deliveries.held_out_riders();

  const auto world = MakeWorld(deliveries);
  if (!deliveries.held_out_riders()) {
    comparison.beliefs = BeliefsAbout(world->riders, options.side_model);
  }
  Judge judge;
  for (const std::string& name : options.Policies("none")) {
    PolicyScore score;
    score.policy = name;
    if (name == "hindsight") {
      score.days = InHindsight(config, *world, comparison.scores[0].days, options);
    } else {
      // A play each: the same episodes from the start.
      Play play(config, options.side_model);
      score.days = play.Run(*MakePlayer(name, config, options.weights, play.env()));
    }
    for (size_t i = 0; i < score.days.size(); ++i) {
      JudgeDay(deliveries, judge, score.days[i]);
      if (options.progress) {
        options.progress(name, static_cast<int>(i) + 1, comparison.episodes);
      }
    }
    Summarize(*world, score);
    comparison.scores.push_back(std::move(score));
  }
  const PolicyScore& none = comparison.scores[0];
  for (PolicyScore& score : comparison.scores) {
    score.against_none = Paired(score, none);
    score.against_none_pct = 100 * score.against_none.mean / none.objective.mean;
  }
  if (const PolicyScore* learned = comparison.Find("learned")) {
    for (const PolicyScore& score : comparison.scores) {
      comparison.learned_against.push_back(Paired(*learned, score));
    }
  }
  return comparison;
}

}  // namespace dray
