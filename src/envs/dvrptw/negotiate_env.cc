#include "src/envs/dvrptw/negotiate_env.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "src/base/error.h"
#include "src/envs/dvrptw/day_stats.h"
#include "src/envs/dvrptw/random_streams.h"
#include "src/output/format.h"
#include "src/routing/clock_time.h"

namespace dray::dvrptw {
namespace {

DayRules RulesOf(const DvrptwConfig& config) {
  return {.noise = config.noise(),
          .patience_weight = config.patience_weight(),
          .with_shadow =
              config.report_no_shift() || config.reward() == DvrptwConfig::AGAINST_NO_SHIFTS};
}

// Returns whether this day of training is played as if no rider had been met before.
bool AmongStrangers(const EpisodeKey& key, double share) {
  if (share == 0 || key.purpose != RngPurpose::kEnvironment) return false;
  return delivery::EpisodeRng(key, kNewcomersStream).Uniform() < share;
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
      observer_(config, *world_),
      spec_(MakeSpec(oracle.note)),
      beliefs_(config.flexibility().belief() == FlexibilityConfig::TRUE_TYPES
                   ? Certain(world_->riders)
                   : Beliefs(config.num_customers())),
      nothing_(config.num_customers()),
      strangers_(count),
      epsilon_(config.flexibility().epsilon_start()),
      reward_(config, *world_, pricing_, count) {
  if (config.appraisal().futures() > 0) {
    appraiser_ = std::make_unique<Appraiser>(
        *world_, Foresight::Settings::Of(config, config.appraisal().rounds()),
        config.appraisal().futures());
  }
  for (int i = 0; i < count; ++i) {
    days_.emplace_back(*world_, RulesOf(config));
    next_.push_back({streams.seed, streams.purpose, streams.first_index + i, /*episode=*/0});
  }
}

EnvSpec NegotiateEnv::MakeSpec(const std::string& oracle_note) const {
  EnvSpec spec;
  spec.name = "dvrptw";
  observer_.Describe(spec);
  spec.actions = ActionSpace::Discrete(kShiftActions);
  spec.max_episode_steps = config_.num_customers();
  spec.fixed_length = !config_.legacy_failure();
  spec.masked = true;
  spec.appraises = config_.appraisal().futures() > 0;
  spec.episode_stats = DayStatNames(RulesOf(config_).with_shadow);
  using Over = RolloutStat::Over;
  spec.rollout_stats = {{"epsilon", Over::kMean}, {"belief_version", Over::kMean}};
  std::ranges::copy(delivery::StepPricing::Stats(), std::back_inserter(spec.rollout_stats));
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
    throw Failure("the beliefs are about ", beliefs.riders(), " riders, but there are ",
                  config_.num_customers(), ": use the config they were learned with");
  }
  // The training met other riders.
  if (config_.held_out_riders()) return;
  beliefs_ = std::move(beliefs);
}

void NegotiateEnv::BeginDay(size_t env) {
  days_[env].Begin(next_[env]);
  ++next_[env].episode;
  Attend(env);
}

void NegotiateEnv::Attend(size_t env) {
  const Day& day = days_[env];
  strangers_[env] = AmongStrangers(day.key(), config_.flexibility().newcomer_share());
  reward_.Begin(env, day);
}

void NegotiateEnv::Reset(std::span<float> observations, std::span<uint8_t> masks,
                         std::span<int16_t> bags) {
  const size_t n = days_.size();
  DRAY_CHECK_EQ(observations.size(), n * spec_.observation_size);
  DRAY_CHECK_EQ(bags.size(), n * spec_.bag.indices());
  DRAY_CHECK_EQ(masks.size(), n * kShiftActions);
  for (size_t i = 0; i < n; ++i) {
    BeginDay(i);
    WriteState(i, observations.subspan(i * observations.size() / n, observations.size() / n),
               masks.subspan(i * kShiftActions, kShiftActions),
               bags.subspan(i * bags.size() / n, bags.size() / n));
  }
}

void NegotiateEnv::Step(const Actions& actions, const StepSlots& slots) {
  const size_t n = days_.size();
  DRAY_CHECK_EQ(actions.indices.size(), n);
  for (size_t i = 0; i < n; ++i) {
    const int action = actions.indices[i];
    DRAY_CHECK_GE(action, 0);
    DRAY_CHECK_LT(action, kShiftActions);
    Day& day = days_[i];
    const int rider = day.arrival().rider;
    const bool accepted = day.Decide(action, accept_);
    choices_.push_back({rider, int16_t(action), accepted});
  }
  reward_.Price(days_);
  const size_t width = spec_.observation_size;
  const size_t bag_width = spec_.bag.indices();
  for (size_t i = 0; i < n; ++i) {
    Day& day = days_[i];
    const double reward = reward_.Settle(i, day);
    const bool failed = config_.legacy_failure() && !day.last_was_served();
    day.total_reward += reward;
    day.Advance();
    slots.rewards[i] = reward;
    slots.terminated[i] = day.over() || failed;
    slots.truncated[i] = 0;
    if (slots.terminated[i]) {
      // A day that failed early is not over: its last observation has a mask.
      ActionMask mask{};
      if (!day.over()) WriteMask(i, mask);
      observer_.WriteObservation(day, mask, beliefs(i),
                                 slots.final_observations.subspan(i * width, width));
      CloseDay(i);
      BeginDay(i);
    }
    WriteState(i, slots.observations.subspan(i * width, width),
               slots.masks.subspan(i * kShiftActions, kShiftActions),
               slots.bags.subspan(i * bag_width, bag_width));
  }
}

void NegotiateEnv::Appraise(std::span<float> appraisals) {
  DRAY_CHECK(appraiser_ != nullptr);
  for (size_t i = 0; i < days_.size(); ++i) {
    const Day& day = days_[i];
    ActionMask accepted;
    for (int action = 0; action < kShiftActions; ++action) {
      accepted[action] = Answer(accept_, day.rider(), day.asked(), action, day.arrival().contrary);
    }
    appraiser_->Appraise(day, accepted, appraisals.subspan(i * kShiftActions, kShiftActions));
  }
}

void NegotiateEnv::CloseDay(size_t env) {
  const Day& day = days_[env];
  const int index = env;
  if (watcher_) watcher_(index, day);
  episodes_.push_back({.env = index,
                       .length = day.step(),
                       .total_reward = day.total_reward,
                       .stats = DayStats(day)});
}

void NegotiateEnv::WriteState(size_t env, std::span<float> observation, std::span<uint8_t> mask,
                              std::span<int16_t> bag) {
  WriteMask(env, mask);
  observer_.WriteObservation(days_[env], mask, beliefs(env), observation);
  observer_.WriteBag(days_[env], bag);
}

void NegotiateEnv::WriteMask(size_t env, std::span<uint8_t> mask) const {
  const Day& day = days_[env];
  const Arrival& arrival = day.arrival();
  const FlexibilityConfig& flexibility = config_.flexibility();
  const bool explores = arrival.explore_draw < epsilon_;
  const bool as_another = explores && flexibility.exploration() == FlexibilityConfig::RANDOM_TYPE;
  // The mask of an unknown rider allows everything anyway.
  const Beliefs& believed = beliefs(env);
  if (as_another && believed.known(arrival.rider)) {
    std::ranges::copy(MaskOf(arrival.explore_as), mask.begin());
  } else {
    std::ranges::copy(believed.mask(arrival.rider), mask.begin());
  }
  for (int action = 0; action < kShiftActions; ++action) {
    if (mask[action] == 1 && !world_->Servable(Shifted(day.asked(), action))) {
      mask[action] = 0;
    }
  }
  // Given that it is below epsilon, the draw divided by epsilon is uniform again.
  if (explores && !as_another) KeepOneAction(arrival.explore_draw / epsilon_, mask);
}

void NegotiateEnv::Ask(int env, int rider, const Trip& trip, std::span<float> observation,
                       std::span<uint8_t> mask, std::span<int16_t> bag) {
  days_[env].Tell(rider, trip);
  WriteState(env, observation, mask, bag);
}

std::vector<Episode> NegotiateEnv::TakeEpisodes() { return std::exchange(episodes_, {}); }

std::string NegotiateEnv::TakeSideSamples() { return PackChoices(std::exchange(choices_, {})); }

std::vector<double> NegotiateEnv::TakeRolloutStats() {
  std::vector<double> stats = {epsilon_, 1.0 * beliefs_.version()};
  std::ranges::copy(pricing_.TakeStats(), std::back_inserter(stats));
  return stats;
}

std::string NegotiateEnv::Render(int env) const {
  const Day& day = this->day(env);
  const auto clock = [](Ticks ticks) { return ClockText(ticks / kTicksPerMinute); };
  const Trip& trip = day.asked();
  return Cat("request ", day.step() + 1, " of ", day.customers(), ": rider ", day.arrival().rider,
             " from place ", trip.origin, " at ", clock(trip.pickup_early), "-",
             clock(trip.pickup_late), " to ", trip.destination, " at ", clock(trip.dropoff_early),
             "-", clock(trip.dropoff_late), "; so far ",
             FormatCounted(std::ssize(day.own.plan.routes), "vehicle"), ", cost ",
             FormatTicks(day.own.cost, kTicksPerMinute), " min",
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
  for (const Day& day : days_) day.Save(out);
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
  const delivery::StepPricing::Counts counts = delivery::StepPricing::ReadCounts(in);
  std::vector<Day> days = days_;
  for (Day& day : days) day.Load(in, accept_);
  episodes_ = LoadEpisodes(spec_, size(), in);  // the last that can fail
  epsilon_ = epsilon;
  beliefs_ = std::move(beliefs);
  choices_ = std::move(choices);
  pricing_.SetCounts(counts);
  days_ = std::move(days);
  for (size_t i = 0; i < days_.size(); ++i) {
    next_[i] = days_[i].key();
    ++next_[i].episode;
    Attend(i);
  }
}

}  // namespace dray::dvrptw
