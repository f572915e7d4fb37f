#include "src/envs/dvrptw/negotiate_reward.h"

#include "src/envs/dvrptw/world.h"

namespace dray::dvrptw {
namespace {

constexpr double kLegacyFailure = -5000;

}  // namespace

NegotiateReward::NegotiateReward(const DvrptwConfig& config, const World& world,
                                 delivery::StepPricing& pricing, int count)
    : config_(config),
      pricing_(pricing),
      originals_(count, world.EmptyProblem()),
      original_answer_(count, -1) {
  if (config.reward() == DvrptwConfig::AGAINST_CHEAPEST_DAY) {
    day_end_ = std::make_unique<DayEnd>(
        world, Foresight::Settings::Of(config, config.appraisal().rounds()));
    end_min_.resize(count);
  }
}

void NegotiateReward::Begin(size_t env, const Day& day) {
  if (day_end_) end_min_[env] = day_end_->Of(day, day.step());
}

void NegotiateReward::Price(std::span<const Day> days) {
  problems_.clear();
  plans_.clear();
  const auto ask = [this](const Problem& problem, const Plan& plan) {
    problems_.push_back(&problem);
    plans_.push_back(&plan);
  };
  for (const Day& day : days) ask(day.own.problem, day.own.plan);
  for (const Day& day : days) {
    if (day.with_shadow()) ask(day.shadow.problem, day.shadow.plan);
  }
  for (size_t i = 0; i < days.size(); ++i) {
    const Day& day = days[i];
    original_answer_[i] = -1;
    if (config_.reward() != DvrptwConfig::AGAINST_UNSHIFTED_REQUEST || day.outcome() == day.asked())
      continue;
    Problem& original = originals_[i];
    original.stops = day.own.problem.stops;
    original.requests = day.own.problem.requests;
    MoveLastRequest(day.asked(), original);
    original_answer_[i] = problems_.size();
    ask(original, day.own.plan);
  }
  answers_ = pricing_.Improve(problems_, plans_);
}

double NegotiateReward::Settle(size_t env, Day& day) {
  const double reward = SettlePlans(env, day);
  if (!day_end_) return reward;
  const double before = end_min_[env];
  end_min_[env] = day_end_->Of(day, day.step() + 1);
  return before - end_min_[env];
}

double NegotiateReward::SettlePlans(size_t env, Day& day) {
  const OracleAnswer& own = answers_[env];
  const int64_t before = day.own.cost, shadow_before = day.shadow.cost;
  if (day.with_shadow()) {
    const OracleAnswer& shadow = answers_[originals_.size() + env];
    day.SettleShadow(shadow.cost.unserved == 0 ? &shadow.plan : nullptr, shadow.cost.total());
  }
  if (own.cost.unserved > 0) {
    day.Settle(nullptr, 0);
    return config_.legacy_failure() ? kLegacyFailure : -config_.unserved_penalty();
  }
  day.Settle(&own.plan, own.cost.total());
  pricing_.CountStep(before, day.own.cost);
  const double penalty = day.penalty_min();
  switch (config_.reward()) {
    case DvrptwConfig::COST_DROP:
    case DvrptwConfig::AGAINST_CHEAPEST_DAY:
      break;
    case DvrptwConfig::AGAINST_NO_SHIFTS:
      return Minutes((day.shadow.cost - shadow_before) - (day.own.cost - before)) - penalty;
    case DvrptwConfig::AGAINST_UNSHIFTED_REQUEST: {
      if (original_answer_[env] < 0) return -penalty;
      const PlanCost& original = answers_[original_answer_[env]].cost;
      // The unshifted request could not have been served.
      if (original.unserved > 0) return config_.unserved_penalty() - penalty;
      return Minutes(original.total() - day.own.cost) - penalty;
    }
  }
  return Minutes(before - day.own.cost) - penalty;
}

}  // namespace dray::dvrptw
