#include "src/envs/waves/waves.h"

#include <algorithm>
#include <numeric>

#include "src/base/error.h"
#include "src/base/printed.h"
#include "src/envs/waves/policies/dispatch_policy.h"

namespace dray::waves {
namespace {

constexpr int kMostDays = 1000;

// Upper bound of the decisions of a day: each request, in each epoch but the last.
int MostDecisions(const Instance& instance) {
  const int waits = instance.epochs() - 1;
  return std::max(instance.draws * waits * (waits + 1) / 2, 1);
}

EnvSpec SpecFor(const Instances& instances) {
  EnvSpec spec{.name = "waves",
               .observation_size = Observer::kSize,
               .actions = ActionSpace::Discrete(2),
               .episode_stats = {"cost_s", "dispatched_share", "routes", "requests"}};
  for (const auto& instance : instances) {
    spec.max_episode_steps = std::max(spec.max_episode_steps, MostDecisions(*instance));
  }
  return spec;
}

int64_t CountRoutes(const Day& day) {
  int64_t routes = 0;
  for (const Routes& epoch : day.dispatched()) routes += std::ssize(epoch);
  return routes;
}

std::string FrameOf(int instance, const Day& day) {
  ByteWriter frame;
  frame.Put<int32_t>(instance);
  day.Save(frame);
  return frame.Take();
}

Error Damaged(std::string_view what) {
  return Failure("a saved state of waves is damaged: ", what);
}

}  // namespace

WavesWorld::WavesWorld(const WavesConfig& settings)
    : instances(InstancesOf(settings)), rounds(settings.rounds()) {
  for (const auto& instance : instances) observers.emplace_back(*instance);
  spec = SpecFor(instances);
}

Waves::Waves(std::shared_ptr<const WavesWorld> world) : world_(std::move(world)) {}

void Waves::Advance(State& state) const {
  Day& day = *state.day;
  while (state.agenda->finished()) {
    day.Dispatch(PlanDispatch(day, state.agenda->dispatched(), {.rounds = world_->rounds},
                              day.seed() + static_cast<uint64_t>(day.epoch()),
                              state.agenda->sketch().routes()));
    state.agenda.reset();
    if (day.done()) return;
    state.agenda.emplace(day);
  }
}

Waves::State Waves::StartDay(int instance, uint64_t seed) const {
  State state;
  state.instance = instance;
  state.day.emplace(world_->instances[instance], seed);
  state.agenda.emplace(*state.day);
  Advance(state);
  return state;
}

void Waves::Reset(Rng& rng, std::span<float> observation) {
  // A day without any decision has no steps.
  for (int days = 0; days < kMostDays; ++days) {
    const int instance = static_cast<int>(rng.Below(world_->instances.size()));
    state_ = StartDay(instance, rng.Next64());
    if (!state_.day->done()) return Observe(observation);
  }
  throw Failure("env.waves: ", kMostDays,
                " days had no request that can wait; use an instance with longer windows");
}

int64_t Waves::Estimate() const {
  return state_.day->cost() + (state_.agenda ? state_.agenda->sketch().cost() : 0);
}

void Waves::Observe(std::span<float> observation) const {
  if (state_.agenda) {
    world_->observers[state_.instance].Write(*state_.day, *state_.agenda, observation);
  } else {
    std::ranges::fill(observation, 0.0f);
  }
}

Outcome Waves::Step(const Action& action, Rng& /*rng*/, std::span<float> observation) {
  // The first decision also pays for what had to be dispatched before it.
  const int64_t before = state_.decisions == 0 ? 0 : Estimate();
  state_.agenda->Decide(action.index == 1);
  ++state_.decisions;
  state_.dispatched += action.index;
  if (state_.agenda->finished()) Advance(state_);
  ended_day_ = state_.day->done() ? FrameOf(state_.instance, *state_.day) : "";
  Observe(observation);
  return {.reward = static_cast<float>(static_cast<double>(before - Estimate()) / kHour_s),
          .terminated = state_.day->done()};
}

void Waves::WriteEpisodeStats(std::span<double> stats) const {
  const Day& day = *state_.day;
  stats[0] = static_cast<double>(day.cost());
  stats[1] = static_cast<double>(state_.dispatched) / state_.decisions;
  stats[2] = static_cast<double>(CountRoutes(day));
  stats[3] = static_cast<double>(std::ssize(day.arrived()));
}

std::string Waves::Render() const {
  const Day& day = *state_.day;
  std::string text = Cat(day.instance().name, ", day ", day.seed(), ": ");
  const std::string driven =
      Printed("%.2f h of driving", static_cast<double>(Estimate()) / kHour_s);
  if (!state_.agenda) return Cat(text, "done, ", driven);
  const Agenda& agenda = *state_.agenda;
  const Request& request = agenda.next();
  return Cat(text, "epoch ", day.epoch(), " of ", day.instance().first_epoch, " to ",
             day.instance().last_epoch, ", ", driven, "; request ", request.id, " at place ",
             request.place, " can wait ", EpochsToWait(day.instance(), request, day.epoch()),
             " epochs; dispatched ", std::ssize(agenda.dispatched()), ", held ",
             std::ssize(agenda.held()), ", to decide ", std::ssize(agenda.later()) + 1);
}

void Waves::Save(ByteWriter& out) const {
  out.Put<int32_t>(state_.instance);
  state_.day->Save(out);
  out.PutVector(state_.agenda ? state_.agenda->actions() : std::vector<uint8_t>());
  out.Put<int32_t>(state_.decisions);
  out.Put<int32_t>(state_.dispatched);
}

void Waves::Load(ByteReader& in) {
  State state;
  state.instance = in.Get<int32_t>();
  if (state.instance < 0 || state.instance >= std::ssize(world_->instances)) {
    throw Damaged("there is no such instance");
  }
  state.day = Day::Load(world_->instances[state.instance], in);
  const auto actions = in.GetVector<uint8_t>();
  if (!state.day->done()) state.agenda.emplace(*state.day);
  for (const uint8_t action : actions) {
    if (!state.agenda || state.agenda->finished() || action > 1) {
      throw Damaged("an epoch has other decisions than requests");
    }
    state.agenda->Decide(action == 1);
  }
  if (state.agenda && state.agenda->finished()) throw Damaged("an epoch has nothing to decide");
  state.decisions = in.Get<int32_t>();
  state.dispatched = in.Get<int32_t>();
  if (state.decisions < std::ssize(actions) || state.decisions > spec().max_episode_steps ||
      state.dispatched < 0 || state.dispatched > state.decisions) {
    throw Damaged("its numbers of decisions are impossible");
  }
  state_ = std::move(state);
}

Day DayOfFrame(const Instances& instances, std::string_view frame) {
  ByteReader in(frame, "a frame of waves");
  const auto instance = in.Get<int32_t>();
  return Day::Load(instances.at(instance), in);
}

}  // namespace dray::waves
