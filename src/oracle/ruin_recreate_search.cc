#include "src/oracle/ruin_recreate_search.h"

#include <algorithm>
#include <cmath>

namespace dray {
namespace {

// Exceeds any travel: a search for few vehicles opens a route only if it must.
constexpr int64_t kReluctance = int64_t{1} << 40;

// Cost of a route before routes are reduced, in mean costs of a stop.
constexpr double kFreeReluctance = 2;

// Parameters while places are searched for requests of dissolved routes: the temperature in mean
// costs of a stop, requests removed per round, and the share of rounds that remove the nearest.
// Small changes that rarely cost more find places several times as often as the ruins of a search
// for little travel.
constexpr double kReducingTemperature = 0.01;
constexpr double kReducingRequests = 4;
constexpr double kReducingNearShare = 0.7;

// Rounds of the phases of a search for few vehicles, in rounds of a search for little travel.
constexpr int kReducingRounds = 15;
constexpr int kReducedRounds = 2;

// First temperature of a plan that is continued.
constexpr double kContinuedTemperature = 0.2;

// Returns the number of vehicles that the loads alone require.
int LeastVehicles(const StopTable& table) {
  int64_t load = 0;
  for (const Request& request : table.problem().requests)
    if (!request.paired()) load += table.node(request.pickup).load;
  return std::max<int64_t>(1, (load + table.capacity() - 1) / table.capacity());
}

}  // namespace

RuinRecreateSearch::RuinRecreateSearch(const RuinRecreateOptions& options)
    : options_(options), ruin_(options_), recreate_(options.blink_rate) {}

OracleAnswer RuinRecreateSearch::Run(const Problem& problem, const Plan* start, int rounds,
                                     int search) {
  Reseed(search);
  Load(problem, start);
  if (options_.fewest_vehicles) {
    ReduceVehicles(kReducingRounds * rounds);
    Anneal(kReducedRounds * rounds, options_.first_temperature);
  } else {
    Anneal(rounds, options_.first_temperature);
  }
  return Finished(best_);
}

void RuinRecreateSearch::Reseed(int search) {
  rng_ = Rng(options_.seed, RngPurpose::kOracle, search);
}

OracleAnswer RuinRecreateSearch::Finished(Tours& tours) {
  local_search_.Run(book_, tours);
  return book_.Answer(tours);
}

void RuinRecreateSearch::Found(int rounds) {
  Begin(nullptr);
  AnnealFreely(rounds);
  ReduceVehicles(kReducingRounds * rounds);
  Anneal(kReducedRounds * rounds, options_.first_temperature);
}

int RuinRecreateSearch::Continue(int rounds, size_t absent) {
  std::fill(absences_.begin(), absences_.end(), 0);
  candidate_ = current_;
  const int serving = ServeAbsent(rounds);
  best_ = current_;
  if (current_.absent.size() > absent) return serving;
  Anneal(rounds, kContinuedTemperature);
  return serving + rounds;
}

void RuinRecreateSearch::Load(const Problem& problem, const Plan* start) {
  book_.Load(problem);
  if (options_.fewest_vehicles) book_.set_reluctance(kReluctance);
  Begin(start);
  const size_t nodes = problem.stops.size();
  nearest_.Load(book_.table());
  changes_.Load(book_.requests(), nodes);
  ruin_.Load(nodes);
  recreate_.Load(nodes);
}

void RuinRecreateSearch::Begin(const Plan* start) {
  if (start != nullptr) {
    book_.Adopt(*start, current_);
  } else {
    book_.Clear(current_);
  }
  book_.InsertAbsent(current_);
  candidate_ = current_;
  best_ = current_;
  absences_.assign(book_.requests(), 0);
}

void RuinRecreateSearch::Anneal(int rounds, double first_temperature) {
  if (book_.requests() == 0) return;
  const double unit = MeanLeg();
  const double first = std::max(unit * first_temperature, 1e-6);
  const double last = std::max(unit * options_.last_temperature, 1e-6);
  const double cooling = rounds > 1 ? std::pow(last / first, 1.0 / (rounds - 1)) : 1.0;
  double temperature = first;
  for (int round = 0; round < rounds; ++round) {
    Round(temperature);
    temperature *= cooling;
  }
}

void RuinRecreateSearch::AnnealFreely(int rounds) {
  if (book_.requests() == 0) return;
  book_.set_reluctance(std::llround(MeanLeg() * kFreeReluctance));
  Anneal(rounds, options_.first_temperature);
  book_.set_reluctance(kReluctance);
  current_ = best_;
  candidate_ = best_;
}

double RuinRecreateSearch::MeanLeg() {
  const size_t stops = book_.table().problem().stops.size();
  return static_cast<double>(current_.travel) / stops;
}

void RuinRecreateSearch::ReduceVehicles(int rounds) {
  const int limit = book_.vehicle_limit();
  const int least = LeastVehicles(book_.table());
  int left = rounds;
  while (left > 0 && current_.absent.empty() && std::ssize(current_.used) > least) {
    best_ = current_;
    book_.set_vehicle_limit(std::ssize(current_.used) - 1);
    const auto easiest = std::min_element(
        current_.used.begin(), current_.used.end(),
        [&](int a, int b) { return current_.routes[a].stops() < current_.routes[b].stops(); });
    Dissolve(*easiest);
    left -= ServeAbsent(left);
  }
  if (!current_.absent.empty() && best_.absent.empty()) {
    current_ = best_;
    candidate_ = best_;
    book_.set_vehicle_limit(best_.used.size());
  }
  if (!best_.absent.empty()) book_.set_vehicle_limit(limit);
  KeepIfBest();
}

int RuinRecreateSearch::ServeAbsent(int most) {
  if (current_.absent.empty()) return 0;
  const Ruin::Style usual = ruin_.style();
  const double stops = book_.table().problem().stops.size();
  ruin_.set_style({kReducingRequests * stops / book_.requests(), kReducingNearShare});
  const double temperature = MeanLeg() * kReducingTemperature;
  int rounds = 0;
  for (; rounds < most && !current_.absent.empty(); ++rounds) Round(temperature);
  ruin_.set_style(usual);
  return rounds;
}

void RuinRecreateSearch::Dissolve(int slot) {
  for (const RouteNode& visit : current_.routes[slot].nodes()) {
    const int request = book_.table().request_of(visit.node);
    if (request >= 0) book_.Mark(request);
  }
  book_.RemoveMarked(current_, slot);
  book_.InsertAbsent(current_);
  candidate_ = current_;
}

void RuinRecreateSearch::Round(double temperature) {
  SearchRound round{book_, nearest_, rng_, candidate_, changes_};
  ruin_.Apply(round);
  recreate_.Apply(round);
  for (const int request : candidate_.absent) ++absences_[request];
  if (Accepts(temperature)) {
    changes_.Copy(candidate_, current_);
    KeepIfBest();
  } else {
    changes_.Copy(current_, candidate_);
  }
  changes_.Clear();
  if (options_.rounds_done != nullptr) {
    options_.rounds_done->fetch_add(1, std::memory_order_relaxed);
  }
}

void RuinRecreateSearch::KeepIfBest() {
  const auto rank = [&](const Tours& tours) {
    return std::make_pair(tours.absent.size(), book_.Cost(tours));
  };
  if (rank(current_) < rank(best_)) best_ = current_;
}

bool RuinRecreateSearch::Accepts(double temperature) {
  const size_t absent = candidate_.absent.size();
  const size_t absent_before = current_.absent.size();
  if (absent < absent_before) return true;
  if (absent > 0 && AbsenceSum(candidate_) < AbsenceSum(current_)) return true;
  if (absent > absent_before) return false;
  const double allowed = temperature > 0 ? -temperature * std::log(1.0 - rng_.Uniform()) : 0.0;
  return static_cast<double>(book_.Cost(candidate_) - book_.Cost(current_)) < allowed;
}

int64_t RuinRecreateSearch::AbsenceSum(const Tours& tours) const {
  int64_t sum = 0;
  for (const int request : tours.absent) sum += absences_[request];
  return sum;
}

}  // namespace dray
