#include "src/envs/dvrptw/observer.h"

#include <algorithm>
#include <array>

namespace dray::dvrptw {

Observer::Observer(const DvrptwConfig& config, const World& world)
    : config_(config), world_(world), layout_(world.city.travel.places()) {
  if (config.encoding() == DvrptwConfig::OUTLOOK) {
    outlook_ = std::make_unique<Outlook>(world, config.patience_weight());
  }
}

void Observer::Describe(EnvSpec& spec) const {
  const int customers = config_.num_customers();
  const int belief = config_.belief_in_state() ? kFlexibilityTypes : 0;
  switch (config_.encoding()) {
    case DvrptwConfig::ROWS:
      spec.observation_size = RowsSize(customers) + belief;
      break;
    case DvrptwConfig::COUNTS:
      spec.bag = {.width = layout_.size(), .own = kCountsPerRequest, .joining = kCountsPerRequest};
      spec.observation_size = belief;
      break;
    case DvrptwConfig::TOKENS:
      spec.tokens = {.count = customers, .size = kTokenSize};
      spec.observation_size = TokensSize(customers);
      break;
    case DvrptwConfig::OUTLOOK:
      spec.observation_size = kOutlookSize;
      break;
  }
}

void Observer::WriteObservation(Day& day, std::span<const uint8_t> mask, const Beliefs& beliefs,
                                std::span<float> out) {
  const TypeBelief belief = day.over() ? TypeBelief{} : beliefs.belief(day.arrival().rider);
  if (outlook_) {
    if (!day.over()) return outlook_->Write(day, mask, beliefs, out);
    std::ranges::fill(out, 0.0f);
    return;
  }
  const Negotiation state{day.agreed(), day.over() ? nullptr : &day.asked()};
  if (config_.encoding() == DvrptwConfig::TOKENS) {
    const RequestContext context = day.over() ? RequestContext{} : ContextOf(day, belief);
    return EncodeTokens(world_.city, state, context, config_.num_customers(), out);
  }
  if (config_.belief_in_state()) {
    std::ranges::copy(belief, out.last(kFlexibilityTypes).begin());
    out = out.first(out.size() - kFlexibilityTypes);
  }
  if (config_.encoding() == DvrptwConfig::ROWS) EncodeRows(state, config_.num_customers(), out);
}

void Observer::WriteBag(const Day& day, std::span<int16_t> bag) const {
  if (bag.empty()) return;
  WriteCountsBag(layout_, day.asked(), day.last_was_served() ? &day.agreed().back() : nullptr, bag);
}

RequestContext Observer::ContextOf(Day& day, const TypeBelief& belief) {
  RequestContext context;
  std::ranges::copy(belief, context.belief.begin());
  std::array<int64_t, kShiftActions> costs;
  PriceActions(day, costs);
  const auto minutes = [](int64_t ticks) {
    return ticks == PricedInsertion::kImpossible
               ? kImpossible_min
               : std::min(kImpossible_min, static_cast<float>(Minutes(ticks)));
  };
  context.added_cost_min = minutes(costs[kNoShift]);
  for (int action = 0; action < kShiftActions; ++action) {
    const float patience = PatiencePenalty(action, config_.patience_weight());
    context.action_cost_min[action] = minutes(costs[action]) - context.added_cost_min + patience;
  }
  return context;
}

void Observer::PriceActions(Day& day, std::span<int64_t> costs) {
  const int request = day.own.problem.requests.size();
  AddRequest(day.asked(), world_.service, day.own.problem);
  insertion_.Load(day.own.problem, day.own.plan);
  insertion_.Price(request, WindowsByAction(day.asked()), costs);
  RemoveLastRequest(day.own.problem);
}

}  // namespace dray::dvrptw
