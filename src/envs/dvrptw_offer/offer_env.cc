#include "src/envs/dvrptw_offer/offer_env.h"

#include <algorithm>
#include <utility>

#include "src/base/error.h"
#include "src/output/format.h"

namespace dray::dvrptw_offer {
namespace {

constexpr int kTokenSize = 8;
constexpr int kContextSize = 3 + 2 * kSlots;
// Name of saved states, from when this task was a mode of dvrptw.
constexpr char kSavedName[] = "dvrptw/offer";
constexpr int64_t kImpossible = PricedInsertion::kImpossible;

double Units(const Day& day, int64_t ticks) {
  return static_cast<double>(ticks) / day.stops().ticks_per_unit;
}

float MeanRoundTrip(const Day& day) { return static_cast<float>(day.lost_penalty()) / 1.5f; }

}  // namespace

OfferEnv::OfferEnv(const DvrptwOfferConfig& config, const EnvStreams& streams, int count)
    : OfferEnv(config, streams, count, MakeOracle(config.oracle(), OracleContextOf(config))) {}

OfferEnv::OfferEnv(const DvrptwOfferConfig& config, const EnvStreams& streams, int count,
                   MadeOracle oracle)
    : config_(config),
      source_(config),
      pricing_(oracle),
      spec_(MakeSpec(oracle.note)),
      prices_(count) {
  for (int i = 0; i < count; ++i) {
    days_.emplace_back(source_);
    next_.push_back({streams.seed, streams.purpose, streams.first_index + i, /*episode=*/0});
  }
}

EnvSpec OfferEnv::MakeSpec(const std::string& oracle_note) const {
  EnvSpec spec;
  spec.name = "dvrptw_offer";
  spec.tokens = {.count = source_.customers(), .size = kTokenSize};
  spec.observation_size = source_.customers() * kTokenSize + kContextSize;
  spec.actions = ActionSpace::Discrete(kOfferActions);
  spec.max_episode_steps = source_.customers();
  spec.fixed_length = true;
  spec.masked = true;
  spec.episode_stats = {"cost",     "served",   "cost_per_served", "vehicles", "lost",
                        "served_0", "served_1", "served_2",        "served_3"};
  spec.rollout_stats = delivery::StepPricing::Stats();
  spec.service_actors = OracleActors(config_.oracle());
  spec.shared_service = pricing_.shared_oracle();
  if (!oracle_note.empty()) spec.notes.push_back(oracle_note);
  return spec;
}

void OfferEnv::BeginDay(size_t env) {
  days_[env].Begin(next_[env]);
  ++next_[env].episode;
  PriceSlots(env);
}

void OfferEnv::PriceSlots(size_t env) {
  Day& day = days_[env];
  auto& prices = prices_[env];
  prices.fill(kImpossible);
  if (day.over()) return;
  std::array<RequestWindows, kSlots> windows;
  std::array<int, kSlots> slots;
  size_t count = 0;
  for (int slot = 0; slot < kSlots; ++slot) {
    windows[count] = day.WindowOf(day.asked(), slot);
    slots[count] = slot;
    count += windows[count].pickup_opens <= windows[count].pickup_closes;
  }
  std::array<int64_t, kSlots> costs;
  const int request = day.own.problem.requests.size();
  const int stop = day.own.problem.stops.size();
  day.own.problem.requests.push_back({stop, -1});
  day.own.problem.stops.push_back(day.asked());
  insertion_.Load(day.own.problem, day.own.plan);
  insertion_.Price(request, std::span(windows).first(count), std::span(costs).first(count));
  day.own.problem.requests.pop_back();
  day.own.problem.stops.pop_back();
  for (size_t i = 0; i < count; ++i) prices[slots[i]] = costs[i];
}

void OfferEnv::Reset(std::span<float> observations, std::span<uint8_t> masks,
                     std::span<int16_t> bags) {
  const size_t n = days_.size();
  DRAY_CHECK_EQ(observations.size(), n * spec_.observation_size);
  DRAY_CHECK_EQ(masks.size(), n * kOfferActions);
  DRAY_CHECK(bags.empty());
  for (size_t i = 0; i < n; ++i) {
    BeginDay(i);
    WriteObservation(i, observations.subspan(i * observations.size() / n, observations.size() / n));
    WriteMask(i, masks.subspan(i * kOfferActions, kOfferActions));
  }
}

bool OfferEnv::CanServe(size_t env, int slot) const { return prices_[env][slot] != kImpossible; }

bool OfferEnv::Offer(size_t env, int action) {
  DRAY_CHECK_GE(action, 0);
  DRAY_CHECK_LT(action, kOfferActions);
  // A slot that cannot be served cannot be booked.
  for (int slot = 0; slot < kSlots; ++slot) {
    if (!CanServe(env, slot)) action &= ~(1 << slot);
  }
  return days_[env].Decide(action);
}

void OfferEnv::PlanBooked(std::span<const size_t> booked, std::span<float> rewards) {
  if (booked.empty()) return;
  std::vector<const Problem*> problems;
  std::vector<const Plan*> plans;
  for (const size_t env : booked) {
    problems.push_back(&days_[env].own.problem);
    plans.push_back(&days_[env].own.plan);
  }
  std::vector<OracleAnswer> answers = pricing_.Improve(problems, plans);
  for (size_t b = 0; b < booked.size(); ++b) {
    Day& day = days_[booked[b]];
    OracleAnswer answer = std::move(answers[b]);
    if (answer.cost.unserved > 0) {
      // An oracle that solves from scratch may miss a place that the kept plan has.
      answer = InsertionOracle(/*local_search=*/false).ImproveOne(day.own.problem, day.own.plan);
      DRAY_CHECK_EQ(answer.cost.unserved, 0);
    }
    const double reward = Units(day, day.own.cost - answer.cost.total());
    pricing_.CountStep(day.own.cost, answer.cost.total());
    day.own.plan = std::move(answer.plan);
    day.own.cost = answer.cost.total();
    day.total_reward += reward;
    rewards[booked[b]] = reward;
  }
}

void OfferEnv::Step(const Actions& actions, const StepSlots& slots) {
  const size_t n = days_.size();
  DRAY_CHECK_EQ(actions.indices.size(), n);
  std::vector<size_t> booked;
  for (size_t i = 0; i < n; ++i) {
    if (Offer(i, actions.indices[i])) {
      booked.push_back(i);
      continue;
    }
    Day& day = days_[i];
    const double reward = -Units(day, day.lost_penalty());
    slots.rewards[i] = reward;
    day.total_reward += reward;
  }
  PlanBooked(booked, slots.rewards);
  const size_t width = spec_.observation_size;
  for (size_t i = 0; i < n; ++i) {
    slots.terminated[i] = days_[i].over();
    slots.truncated[i] = 0;
    PriceSlots(i);
    if (days_[i].over()) {
      WriteObservation(i, slots.final_observations.subspan(i * width, width));
      CloseDay(i);
      BeginDay(i);
    }
    WriteObservation(i, slots.observations.subspan(i * width, width));
    WriteMask(i, slots.masks.subspan(i * kOfferActions, kOfferActions));
  }
}

void OfferEnv::CloseDay(size_t env) {
  const Day& day = days_[env];
  if (watcher_) watcher_(env, day);
  const double cost = Units(day, day.own.cost);
  const auto share = [](double part, int whole) { return whole > 0 ? part / whole : 0.0; };
  Episode episode{.env = static_cast<int>(env),
                  .length = day.step(),
                  .total_reward = day.total_reward,
                  .stats = {cost, share(day.served(), day.customers()),
                            day.served() > 0 ? cost / day.served() : 0.0,
                            static_cast<double>(day.own.plan.routes.size()),
                            static_cast<double>(day.customers() - day.served())}};
  for (size_t type = 0; type < kFlexibilityTypes; ++type) {
    episode.stats.push_back(share(day.served_by_type()[type], day.asked_by_type()[type]));
  }
  episodes_.push_back(std::move(episode));
}

void OfferEnv::WriteToken(const Day& day, int index, float* token) const {
  const Problem& stops = day.stops();
  const float horizon = stops.depot_closes - stops.depot_opens;
  const float mean_trip = MeanRoundTrip(day);
  const Stop& stop = stops.stops[day.everybody()[index].stop];
  const bool is_new = index == day.step();
  const int slot = is_new ? -1 : day.booked(index);
  const RequestWindows window =
      slot >= 0 ? day.WindowOf(stop, slot) : RequestWindows{stop.opens, stop.closes, 0, 0};
  token[0] = 1;
  token[1] = is_new;
  if (stops.points.empty()) {
    token[2] = stops.travel(stops.depot, stop.place) / mean_trip;
    token[3] = stops.travel(stop.place, stops.depot) / mean_trip;
  } else {
    const Point& depot = stops.points[stops.depot];
    const Point& point = stops.points[stop.place];
    const double scale = stops.ticks_per_unit / static_cast<double>(mean_trip);
    token[2] = (point.x - depot.x) * scale;
    token[3] = (point.y - depot.y) * scale;
  }
  token[4] = static_cast<float>(stop.load) / stops.fleet.capacity;
  token[5] = (window.pickup_opens - stops.depot_opens) / horizon;
  token[6] = (window.pickup_closes - stops.depot_opens) / horizon;
  token[7] = !is_new && slot < 0;
}

void OfferEnv::WriteObservation(size_t env, std::span<float> out) const {
  const Day& day = days_[env];
  const float mean_trip = MeanRoundTrip(day);
  std::ranges::fill(out, 0.0f);
  const int known = std::min(day.step() + 1, day.customers());
  for (int i = 0; i < known; ++i) WriteToken(day, i, out.data() + i * kTokenSize);
  float* context = out.data() + day.customers() * kTokenSize;
  *context++ = static_cast<float>(day.step()) / day.customers();
  *context++ = static_cast<float>(day.served()) / std::max(1, day.step());
  *context++ = static_cast<float>(day.own.plan.routes.size()) /
               std::max(1, day.own.problem.fleet.free_vehicles);
  for (const int64_t price : prices_[env]) *context++ = price != kImpossible;
  for (const int64_t price : prices_[env]) {
    *context++ = price == kImpossible ? 0.0f : price / mean_trip;
  }
}

void OfferEnv::WriteMask(size_t env, std::span<uint8_t> mask) const {
  int possible = 0;
  for (int slot = 0; slot < kSlots; ++slot) {
    possible |= CanServe(env, slot) << slot;
  }
  for (int action = 0; action < kOfferActions; ++action) {
    mask[action] = (action & ~possible) == 0;
  }
}

std::vector<Episode> OfferEnv::TakeEpisodes() { return std::exchange(episodes_, {}); }

std::string OfferEnv::Render(int env) const {
  const Day& day = this->day(env);
  const Stop& stop = day.asked();
  std::string possible;
  for (int slot = 0; slot < kSlots; ++slot) {
    if (CanServe(env, slot)) {
      possible += Cat(possible.empty() ? "" : ", ", slot + 1);
    }
  }
  return Cat("customer ", day.step() + 1, " of ", day.customers(), " at place ", stop.place,
             ", demand ", stop.load,
             "; slots that can be served: ", possible.empty() ? "none" : possible, "; so far ",
             day.served(), " served by ", FormatCounted(std::ssize(day.own.plan.routes), "vehicle"),
             ", cost ", day.stops().Format(day.own.cost));
}

void OfferEnv::Save(ByteWriter& out) const {
  SaveBatchName(kSavedName, size(), out);
  pricing_.Save(out);
  for (const Day& day : days_) day.Save(out);
  SaveEpisodes(episodes_, out);
}

void OfferEnv::Load(ByteReader& in) {
  ExpectSavedBatch(kSavedName, size(), in);
  const delivery::StepPricing::Counts counts = delivery::StepPricing::ReadCounts(in);
  std::vector<Day> days = days_;
  for (Day& day : days) day.Load(in);
  episodes_ = LoadEpisodes(spec_, size(), in);  // the last that can fail
  pricing_.SetCounts(counts);
  days_ = std::move(days);
  for (size_t i = 0; i < days_.size(); ++i) {
    next_[i] = days_[i].key();
    ++next_[i].episode;
    PriceSlots(i);
  }
}

}  // namespace dray::dvrptw_offer
