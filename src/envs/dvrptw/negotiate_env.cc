#include "src/envs/dvrptw/negotiate_env.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/base/error.h"
#include "src/envs/dvrptw/day_stats.h"
#include "src/envs/dvrptw/random_streams.h"
#include "src/routing/clock_time.h"

namespace dray {
namespace {

DayRules RulesOf(const DvrptwConfig& config) {
  return {.noise = config.noise(),
          .patience_weight = config.patience_weight(),
          .with_shadow = config.report_no_shift() || config.reward() == DvrptwConfig::R3};
}

// Whether this day of training is played as if nobody had been met before.
bool AmongStrangers(const EpisodeKey& key, double share) {
  if (share == 0 || key.purpose != RngPurpose::kEnvironment) return false;
  const uint64_t env_seed = Rng(key.seed, key.purpose, key.env).Next64();
  return Rng(env_seed, kNewcomersStream, key.episode).Uniform() < share;
}

Beliefs Certain(std::span<const Rider> riders) {
  return Beliefs(/*version=*/0, TrueTypes(riders), std::vector<uint8_t>(riders.size(), 1));
}

}  // namespace

NegotiateEnv::NegotiateEnv(const DvrptwConfig& config, const EnvStreams& streams, int count,
                           AcceptanceRule accept)
    : NegotiateEnv(config, streams, count, std::move(accept),
                   MakeOracle(config.oracle(), OracleContextOf(config))) {}

NegotiateEnv::NegotiateEnv(const DvrptwConfig& config, const EnvStreams& streams, int count,
                           AcceptanceRule accept, MadeOracle oracle)
    : config_(config),
      world_(MakeWorld(config)),
      accept_(std::move(accept)),
      pricing_(oracle),
      layout_(world_->city.travel.places()),
      spec_(MakeSpec(oracle.note)),
      beliefs_(config.flexibility().belief() == FlexibilityConfig::TRUE_TYPES
                   ? Certain(world_->riders)
                   : Beliefs(config.num_customers())),
      nothing_(config.num_customers()),
      strangers_(static_cast<size_t>(count)),
      epsilon_(config.flexibility().epsilon_start()),
      reward_(config, *world_, pricing_, count) {
  if (config.encoding() == DvrptwConfig::S4) {
    outlook_ = std::make_unique<Outlook>(*world_, config.patience_weight());
  }
  if (config.appraisal().futures() > 0) {
    appraiser_ = std::make_unique<Appraiser>(
        *world_, Foresight::Settings::Of(config, config.appraisal().rounds()),
        config.appraisal().futures());
  }
  for (int i = 0; i < count; ++i) {
    days_.emplace_back(*world_, RulesOf(config));
    const auto env = streams.first_index + static_cast<uint64_t>(i);
    next_.push_back({streams.seed, streams.purpose, env, /*episode=*/0});
  }
}

EnvSpec NegotiateEnv::MakeSpec(const std::string& oracle_note) const {
  EnvSpec spec;
  spec.name = "dvrptw";
  const int belief = config_.belief_in_state() ? kFlexibilityTypes : 0;
  switch (config_.encoding()) {
    case DvrptwConfig::S1:
      spec.observation_size = S1Size(config_.num_customers()) + belief;
      break;
    case DvrptwConfig::S2:
      spec.bag = {.width = layout_.size(), .own = kS2Ones, .joining = kS2Ones};
      spec.observation_size = belief;
      break;
    case DvrptwConfig::S3:
      spec.tokens = {.count = config_.num_customers(), .size = kS3TokenSize};
      spec.observation_size = S3Size(config_.num_customers());
      break;
    case DvrptwConfig::S4:
      spec.observation_size = kS4Size;
      break;
  }
  spec.actions = ActionSpace::Discrete(kShiftActions);
  spec.max_episode_steps = config_.num_customers();
  spec.fixed_length = !config_.legacy_failure();
  spec.masked = true;
  spec.appraises = config_.appraisal().futures() > 0;
  spec.episode_stats = DayStatNames(RulesOf(config_).with_shadow);
  if (RulesOf(config_).with_shadow) {
    spec.reference_stat = "cost_vs_no_shift_pct";
    spec.reference = "cost against no shifts";
  }
  using Over = RolloutStat::Over;
  spec.rollout_stats = {{"epsilon", Over::kMean}, {"belief_version", Over::kMean}};
  std::ranges::copy(StepPricing::Stats(), std::back_inserter(spec.rollout_stats));
  spec.service_actors = OracleActors(config_.oracle());
  spec.shared_service = pricing_.shared_oracle();
  spec.notes = world_->notes;
  if (!oracle_note.empty()) spec.notes.push_back(oracle_note);
  return spec;
}

void NegotiateEnv::OnRollout(const RolloutContext& context) {
  pricing_.OnRollout(context);
  const FlexibilityConfig& flexibility = config_.flexibility();
  epsilon_ = flexibility.epsilon_start() +
             (flexibility.epsilon_end() - flexibility.epsilon_start()) * context.progress;
  if (context.side_model.empty()) return;
  ByteReader in(context.side_model, "beliefs about riders");
  Beliefs beliefs = Beliefs::Load(in);
  in.ExpectEnd();
  if (beliefs.riders() != config_.num_customers()) {
    throw Failure("beliefs about ", beliefs.riders(), " riders are of no use to ",
                  config_.num_customers(), ": use the config they were learned with");
  }
  // Whoever trained met other riders.
  if (config_.held_out_riders()) return;
  beliefs_ = std::move(beliefs);
}

void NegotiateEnv::BeginDay(size_t env) {
  days_[env].Begin(next_[env]);
  ++next_[env].episode;
  Attend(env);
}

void NegotiateEnv::Attend(size_t env) {
  const DeliveryDay& day = days_[env];
  strangers_[env] = AmongStrangers(day.key(), config_.flexibility().newcomer_share());
  reward_.Begin(env, day);
}

void NegotiateEnv::Reset(std::span<float> observations, std::span<uint8_t> masks,
                         std::span<int16_t> bags) {
  const size_t n = days_.size();
  DRAY_CHECK_EQ(observations.size(), n * static_cast<size_t>(spec_.observation_size));
  DRAY_CHECK_EQ(bags.size(), n * static_cast<size_t>(spec_.bag.indices()));
  DRAY_CHECK_EQ(masks.size(), n * kShiftActions);
  for (size_t i = 0; i < n; ++i) {
    BeginDay(i);
    WriteState(i, observations.subspan(i * observations.size() / n, observations.size() / n),
               bags.subspan(i * bags.size() / n, bags.size() / n));
    WriteMask(i, masks.subspan(i * kShiftActions, kShiftActions));
  }
}

void NegotiateEnv::Step(const Actions& actions, const StepSlots& slots) {
  const size_t n = days_.size();
  DRAY_CHECK_EQ(actions.indices.size(), n);
  for (size_t i = 0; i < n; ++i) {
    const int action = actions.indices[i];
    DRAY_CHECK_GE(action, 0);
    DRAY_CHECK_LT(action, kShiftActions);
    DeliveryDay& day = days_[i];
    const int rider = day.arrival().rider;
    const bool accepted = day.Decide(action, accept_);
    choices_.push_back({rider, static_cast<int16_t>(action), static_cast<int16_t>(accepted)});
  }
  reward_.Price(days_);
  const size_t width = spec_.observation_size;
  const size_t bag_width = spec_.bag.indices();
  for (size_t i = 0; i < n; ++i) {
    DeliveryDay& day = days_[i];
    const double reward = reward_.Settle(i, day);
    const bool failed = config_.legacy_failure() && !day.last_was_served();
    day.total_reward += reward;
    day.Advance();
    slots.rewards[i] = static_cast<float>(reward);
    slots.terminated[i] = day.over() || failed;
    slots.truncated[i] = 0;
    if (slots.terminated[i]) {
      WriteObservation(i, slots.final_observations.subspan(i * width, width));
      CloseDay(i);
      BeginDay(i);
    }
    WriteState(i, slots.observations.subspan(i * width, width),
               slots.bags.subspan(i * bag_width, bag_width));
    WriteMask(i, slots.masks.subspan(i * kShiftActions, kShiftActions));
  }
}

void NegotiateEnv::Appraise(std::span<float> appraisals) {
  DRAY_CHECK(appraiser_ != nullptr);
  for (size_t i = 0; i < days_.size(); ++i) {
    const DeliveryDay& day = days_[i];
    ActionMask accepted;
    for (int action = 0; action < kShiftActions; ++action) {
      accepted[action] = Answer(accept_, day.rider(), day.asked(), action, day.arrival().contrary);
    }
    appraiser_->Appraise(day, accepted, appraisals.subspan(i * kShiftActions, kShiftActions));
  }
}

void NegotiateEnv::CloseDay(size_t env) {
  const DeliveryDay& day = days_[env];
  if (watcher_) watcher_(static_cast<int>(env), day);
  episodes_.push_back({.env = static_cast<int>(env),
                       .length = day.step(),
                       .total_reward = day.total_reward,
                       .stats = DayStats(day)});
}

const Beliefs& NegotiateEnv::BeliefsOf(size_t env) const {
  return strangers_[env] != 0 ? nothing_ : beliefs_;
}

const TypeBelief& NegotiateEnv::BeliefOf(size_t env) const {
  return BeliefsOf(env).belief(days_[env].arrival().rider);
}

void NegotiateEnv::WriteState(size_t env, std::span<float> observation, std::span<int16_t> bag) {
  WriteObservation(env, observation);
  if (bag.empty()) return;
  const DeliveryDay& day = days_[env];
  WriteS2Bag(layout_, day.asked(), day.last_was_served() ? &day.agreed().back() : nullptr, bag);
}

void NegotiateEnv::WriteObservation(size_t env, std::span<float> out) {
  const DeliveryDay& day = days_[env];
  if (outlook_) {
    if (day.over()) {
      std::ranges::fill(out, 0.0f);
      return;
    }
    ActionMask mask;
    WriteMask(env, mask);
    return outlook_->Write(day, mask, BeliefsOf(env), out);
  }
  const Negotiation state{day.agreed(), day.over() ? nullptr : &day.asked()};
  if (config_.encoding() == DvrptwConfig::S3) {
    const S3Context context = day.over() ? S3Context{} : ContextOf(env);
    return EncodeS3(world_->city, state, context, config_.num_customers(), out);
  }
  if (config_.belief_in_state()) {
    const auto belief = out.last(kFlexibilityTypes);
    std::ranges::copy(day.over() ? TypeBelief{} : BeliefOf(env), belief.begin());
    out = out.first(out.size() - kFlexibilityTypes);
  }
  if (config_.encoding() == DvrptwConfig::S1) EncodeS1(state, config_.num_customers(), out);
}

void NegotiateEnv::WriteMask(size_t env, std::span<uint8_t> mask) const {
  const DeliveryDay& day = days_[env];
  const Arrival& arrival = day.arrival();
  const FlexibilityConfig& flexibility = config_.flexibility();
  const bool explores = arrival.explore_draw < epsilon_;
  const bool as_another = explores && flexibility.exploration() == FlexibilityConfig::RANDOM_TYPE;
  // Of a rider nobody knows, everything is allowed already.
  const Beliefs& beliefs = BeliefsOf(env);
  if (as_another && beliefs.known(arrival.rider)) {
    std::ranges::copy(MaskOf(arrival.explore_as), mask.begin());
  } else {
    std::ranges::copy(beliefs.mask(arrival.rider), mask.begin());
  }
  for (int action = 0; action < kShiftActions; ++action) {
    if (mask[action] == 1 && !world_->Servable(Shifted(day.asked(), action))) {
      mask[action] = 0;
    }
  }
  // Given that it is below epsilon, the draw is uniform once more.
  if (explores && !as_another) KeepOneAction(arrival.explore_draw / epsilon_, mask);
}

S3Context NegotiateEnv::ContextOf(size_t env) {
  S3Context context;
  std::ranges::copy(BeliefOf(env), context.belief.begin());
  std::array<int64_t, kShiftActions> costs;
  PriceActions(static_cast<int>(env), costs);
  const auto minutes = [](int64_t ticks) {
    return ticks == PricedInsertion::kImpossible
               ? kImpossible_min
               : std::min(kImpossible_min, static_cast<float>(Minutes(ticks)));
  };
  context.added_cost_min = minutes(costs[kNoShift]);
  for (size_t a = 0; a < costs.size(); ++a) {
    context.action_cost_min[a] =
        minutes(costs[a]) - context.added_cost_min +
        static_cast<float>(PatiencePenalty(static_cast<int>(a), config_.patience_weight()));
  }
  return context;
}

void NegotiateEnv::Ask(int env, int rider, const Trip& trip, std::span<float> observation,
                       std::span<uint8_t> mask, std::span<int16_t> bag) {
  const size_t i = env;
  days_[i].Tell(rider, trip);
  WriteState(i, observation, bag);
  WriteMask(i, mask);
}

void NegotiateEnv::PriceActions(int env, std::span<int64_t> costs) {
  DeliveryDay& day = days_[env];
  const int request = day.own.problem.requests.size();
  AddRequest(day.asked(), world_->service, day.own.problem);
  insertion_.Load(day.own.problem, day.own.plan);
  insertion_.Price(request, WindowsByAction(day.asked()), costs);
  RemoveLastRequest(day.own.problem);
}

std::vector<Episode> NegotiateEnv::TakeEpisodes() { return std::exchange(episodes_, {}); }

std::string NegotiateEnv::TakeSideSamples() { return PackChoices(std::exchange(choices_, {})); }

std::vector<double> NegotiateEnv::TakeRolloutStats() {
  std::vector<double> stats = {epsilon_, static_cast<double>(beliefs_.version())};
  std::ranges::copy(pricing_.TakeStats(), std::back_inserter(stats));
  return stats;
}

std::string NegotiateEnv::Render(int env) const {
  const DeliveryDay& day = this->day(env);
  const auto clock = [](Ticks ticks) { return ClockText(ticks / kTicksPerMinute); };
  const Trip& trip = day.asked();
  return Cat("request ", day.step() + 1, " of ", day.customers(), ": rider ", day.arrival().rider,
             " from place ", trip.origin, " at ", clock(trip.pickup_early), "-",
             clock(trip.pickup_late), " to ", trip.destination, " at ", clock(trip.dropoff_early),
             "-", clock(trip.dropoff_late), "; so far ", day.own.plan.routes.size(),
             " vehicles, cost ", FormatTicks(day.own.cost, kTicksPerMinute), " min",
             day.with_shadow()
                 ? Cat(", without shifts ", FormatTicks(day.shadow.cost, kTicksPerMinute), " min")
                 : "");
}

std::string NegotiateEnv::SavedName() const {
  return RulesOf(config_).with_shadow ? spec_.name : spec_.name + " without report_no_shift";
}

void NegotiateEnv::Save(ByteWriter& out) const {
  SaveBatchName(SavedName(), size(), out);
  out.Put(epsilon_);
  beliefs_.Save(out);
  out.PutVector(choices_);
  pricing_.Save(out);
  for (const DeliveryDay& day : days_) day.Save(out);
  SaveEpisodes(episodes_, out);
}

void NegotiateEnv::Load(ByteReader& in) {
  ExpectSavedBatch(SavedName(), size(), in);
  const auto epsilon = in.Get<double>();
  Beliefs beliefs = Beliefs::Load(in);
  if (!(epsilon >= 0 && epsilon <= 1) || beliefs.riders() != config_.num_customers()) {
    throw Failure("the saved environments of ", spec_.name, " are damaged");
  }
  std::vector<Choice> choices = in.GetVector<Choice>();
  if (!std::ranges::all_of(choices, [this](const Choice& choice) {
        return MakesSense(choice, config_.num_customers());
      })) {
    throw Failure("a saved answer of a rider is damaged");
  }
  epsilon_ = epsilon;
  beliefs_ = std::move(beliefs);
  choices_ = std::move(choices);
  pricing_.Load(in);
  for (size_t i = 0; i < days_.size(); ++i) {
    days_[i].Load(in, accept_);
    next_[i] = days_[i].key();
    ++next_[i].episode;
    Attend(i);
  }
  episodes_ = LoadEpisodes(spec_, size(), in);
}

}  // namespace dray
