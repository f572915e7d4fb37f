#include "src/envs/dvrptw/judging/comparison.h"

#include <algorithm>
#include <numeric>

#include "src/base/error.h"
#include "src/envs/delivery/judging/judge.h"
#include "src/envs/delivery/judging/play_once.h"
#include "src/envs/dvrptw/judging/hindsight.h"
#include "src/envs/dvrptw/judging/lookahead_player.h"
#include "src/envs/dvrptw/judging/policies.h"
#include "src/nets/best_actions.h"

namespace dray::dvrptw {
namespace {

const DvrptwConfig& SettingsOf(const Config& config) {
  return config.env().GetExtension(DvrptwConfig::dvrptw);
}

double ShiftMinutes(const Trip& asked, const Trip& agreed) {
  return Minutes((asked.pickup_early - agreed.pickup_early) +
                 (agreed.dropoff_early - asked.dropoff_early));
}

double Gini(std::vector<double> values) {
  std::ranges::sort(values);
  double sum = 0, weighted = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    weighted += (i + 1) * values[i];
  }
  const auto n = static_cast<double>(values.size());
  return sum > 0 ? 2 * weighted / (n * sum) - (n + 1) / n : 0;
}

// Returns settings for playing all days to the end: days continue after a failure, and nothing is
// computed for rewards or for a learner.
DvrptwConfig ToTheEnd(const Config& config) {
  DvrptwConfig deliveries = SettingsOf(config);
  deliveries.set_legacy_failure(false);
  deliveries.set_reward(DvrptwConfig::COST_DROP);
  deliveries.set_report_no_shift(false);
  deliveries.mutable_appraisal()->set_futures(0);
  return deliveries;
}

// Plays all episodes side by side, each once from its start.
class Play {
 public:
  Play(const Config& config, const std::string& side_model)
      : config_(ToTheEnd(config)),
        env_(config_, {config.evaluation().seed(), RngPurpose::kEvaluation, 0},
             config.evaluation().episodes()),
        days_(env_.size()) {
    env_.OnRollout({.progress = 1, .side_model = side_model});
    env_.set_day_watcher([this](int index, const Day& day) { Keep(index, day); });
  }

  NegotiateEnv& env() { return env_; }

  // Returns the played days, not judged yet.
  std::vector<JudgedDay> Run(Player& player, const delivery::Progress& progress) {
    delivery::PlayOnce(env_, player, progress);
    return std::move(days_);
  }

 private:
  void Keep(int index, const Day& day) {
    const DayTotals& totals = day.totals();
    JudgedDay& kept = days_[index];
    kept = {};
    kept.played_cost = Minutes(day.own.cost);
    kept.patience = totals.patience_min;
    kept.unserved = totals.unserved;
    kept.acceptance = 1.0 * totals.accepted / std::max(1, day.step());
    const std::vector<Rider>& riders = env_.world().riders;
    kept.shift_by_rider.resize(riders.size());
    kept.problem = day.own.problem;
    for (size_t i = 0; i < day.agreed().size(); ++i) {
      const Arrival& arrival = day.served()[i];
      const Rider& rider = riders[arrival.rider];
      const Trip& asked = rider.pool[arrival.trip];
      kept.asked.push_back(asked);
      kept.shift_by_rider[arrival.rider] = ShiftMinutes(asked, day.agreed()[i]);
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
          "--baselines plan: needs a learned policy; name its run with --run-dir, or use "
          "lookahead, "
          "which needs none");
    }
    return MakeLookahead(config, weights, env);
  }
  if (name != "learned") {
    const double patience_weight = SettingsOf(config).patience_weight();
    return MakeBaseline(name, env, patience_weight, config.evaluation().seed());
  }
  auto learned = std::make_unique<BestActions>(env.spec(), config.network());
  learned->Load(weights);
  return learned;
}

void JudgeDay(const DvrptwConfig& config, delivery::Judge& judge, JudgedDay& day) {
  OracleAnswer answer = judge.Price(day.problem);
  day.cost = Minutes(answer.cost.total());
  day.vehicles = answer.cost.vehicles;
  // The judge may fail to serve somebody whom the day's own plan serves.
  day.unserved += answer.cost.unserved;
  day.objective = day.cost + day.patience + config.unserved_penalty() * day.unserved;
  day.plan = std::move(answer.plan);
}

// Solves the played days again with everything known beforehand.
std::vector<JudgedDay> InHindsight(const Config& config, const World& world,
                                   const std::vector<JudgedDay>& played,
                                   const delivery::Progress& progress) {
  const DvrptwConfig& deliveries = SettingsOf(config);
  Hindsight hindsight(world, deliveries.patience_weight());
  std::vector<JudgedDay> days;
  for (const JudgedDay& day : played) {
    std::vector<Flexibility> types;
    for (const Trip& trip : day.asked) {
      types.push_back(world.riders[trip.rider].type);
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
      better.shift_by_rider[day.asked[i].rider] = ShiftOf(plan.actions[i]).total_min();
    }
    days.push_back(std::move(better));
    progress(days.size(), played.size());
  }
  return days;
}

void Summarize(const World& world, PolicyScore& score) {
  const auto shift = [](const JudgedDay& day) {
    return std::accumulate(day.shift_by_rider.begin(), day.shift_by_rider.end(), 0.0) /
           day.shift_by_rider.size();
  };
  score.patience = score.Mean(&JudgedDay::patience);
  score.unserved = score.Mean(&JudgedDay::unserved);
  score.failure = score.Mean([](const JudgedDay& day) { return day.unserved > 0 ? 1.0 : 0.0; });
  score.acceptance = score.Mean(&JudgedDay::acceptance);
  score.shift_min = score.Mean(shift);
  std::vector<double> by_rider(world.riders.size());
  std::array<int, kFlexibilityTypes> riders{};
  for (size_t rider = 0; rider < by_rider.size(); ++rider) {
    for (const JudgedDay& day : score.days) by_rider[rider] += day.shift_by_rider[rider];
    by_rider[rider] /= score.days.size();
    const size_t type = Index(world.riders[rider].type);
    score.shift_by_type[type] += by_rider[rider];
    ++riders[type];
  }
  for (size_t type = 0; type < kFlexibilityTypes; ++type) {
    score.shift_by_type[type] /= std::max(1, riders[type]);
  }
  score.gini = Gini(by_rider);
}

std::vector<RiderBelief> BeliefsAbout(std::span<const Rider> riders, std::string_view side_model) {
  std::vector<RiderBelief> about;
  if (side_model.empty()) return about;
  ByteReader in(side_model, "beliefs about riders");
  const Beliefs beliefs = Beliefs::Load(in);
  for (int i = 0; i < std::min<int>(beliefs.riders(), riders.size()); ++i) {
    about.push_back({riders[i].type, beliefs.belief(i), beliefs.known(i)});
  }
  return about;
}

}  // namespace

Comparison Compare(const Config& config, const ComparisonOptions& options) {
  const DvrptwConfig& deliveries = SettingsOf(config);
  Comparison comparison;
  comparison.episodes = config.evaluation().episodes();
  comparison.seed = config.evaluation().seed();
  comparison.patience_weight = deliveries.patience_weight();
  comparison.held_out_riders = deliveries.held_out_riders();

  const auto world = MakeWorld(deliveries);
  if (!deliveries.held_out_riders()) {
    comparison.beliefs = BeliefsAbout(world->riders, options.side_model);
  }
  delivery::Judge judge;
  delivery::PlayAndCompare(
      options, "none",
      [&](const std::string& name, const delivery::Progress& progress) {
        if (name == "hindsight") {
          return InHindsight(config, *world, comparison.scores[0].days, progress);
        }
        Play play(config, options.side_model);
        return play.Run(*MakePlayer(name, config, options.weights, play.env()), progress);
      },
      [&](JudgedDay& day) { JudgeDay(deliveries, judge, day); },
      [&](PolicyScore& score) { Summarize(*world, score); }, comparison);
  return comparison;
}

}  // namespace dray::dvrptw
