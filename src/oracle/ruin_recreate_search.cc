#include "src/oracle/ruin_recreate_search.h"

#include <algorithm>
#include <cmath>

namespace dray {
namespace {

// More than any travel: a search for few vehicles opens a route only when it must.
constexpr int64_t kReluctance = int64_t{1} << 40;

// What a route costs before that, in mean costs of a stop.
constexpr double kFreeReluctance = 2;

// While places are searched for requests of dissolved routes: the temperature in mean costs of a
// stop, requests taken off by a round, and the share of rounds that take the nearest. Small
// changes, hardly ever dearer ones, find places several times as often as the ruins of a search for
// little travel.
constexpr double kReducingTemperature = 0.01;
constexpr double kReducingRequests = 4;
constexpr double kReducingNearShare = 0.7;

// Of a search for few vehicles, in rounds of a search for little travel.
constexpr int kReducingRounds = 15;
constexpr int kReducedRounds = 2;

// The first temperature of a plan that is continued.
constexpr double kContinuedTemperature = 0.2;

// The orders in which requests are put back, and how often each is drawn.
enum Order { kRandom, kLoad, kFar, kNear, kNarrow, kEarly, kLate };
constexpr int kOrderWeights[] = {4, 4, 2, 1, 2, 2, 2};
constexpr int kOrderWeightSum = 17;

}  // namespace

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
  touched_.clear();
  is_touched_.assign(book_.requests(), 0);
  is_ruined_.assign(book_.requests(), 0);
  nearest_.resize(std::max(nearest_.size(), nodes * nodes));
  has_nearest_.assign(nodes, 0);
  keyed_.reserve(nodes);
  moved_.clear();
  moved_.reserve(2 * nodes);
  head_.reserve(nodes);
  tail_.reserve(nodes);
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
  return static_cast<double>(current_.travel) / static_cast<double>(stops);
}

void RuinRecreateSearch::ReduceVehicles(int rounds) {
  const int limit = book_.vehicle_limit();
  const int least = LeastVehicles();
  int left = rounds;
  while (left > 0 && current_.absent.empty() && static_cast<int>(current_.used.size()) > least) {
    best_ = current_;
    book_.set_vehicle_limit(static_cast<int>(current_.used.size()) - 1);
    const auto easiest = std::min_element(
        current_.used.begin(), current_.used.end(),
        [&](int a, int b) { return current_.routes[a].stops() < current_.routes[b].stops(); });
    Dissolve(*easiest);
    left -= ServeAbsent(left);
  }
  if (!current_.absent.empty() && best_.absent.empty()) {
    current_ = best_;
    candidate_ = best_;
    book_.set_vehicle_limit(static_cast<int>(best_.used.size()));
  }
  if (!best_.absent.empty()) book_.set_vehicle_limit(limit);
  KeepIfBest();
}

int RuinRecreateSearch::ServeAbsent(int most) {
  if (current_.absent.empty()) return 0;
  const RuinStyle usual = style_;
  const double stops = book_.table().problem().stops.size();
  style_ = {kReducingRequests * stops / book_.requests(), kReducingNearShare};
  const double temperature = MeanLeg() * kReducingTemperature;
  int rounds = 0;
  for (; rounds < most && !current_.absent.empty(); ++rounds) Round(temperature);
  style_ = usual;
  return rounds;
}

int RuinRecreateSearch::LeastVehicles() {
  int64_t load = 0;
  for (const Request& request : book_.table().problem().requests)
    if (!request.paired()) load += book_.table().node(request.pickup).load;
  const int capacity = book_.table().capacity();
  return std::max<int>(1, static_cast<int>((load + capacity - 1) / capacity));
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
  Ruin();
  Recreate();
  for (const int request : candidate_.absent) ++absences_[request];
  if (Accepts(temperature)) {
    CopyTouched(candidate_, current_);
    KeepIfBest();
  } else {
    CopyTouched(current_, candidate_);
  }
  for (const int slot : touched_) is_touched_[slot] = is_ruined_[slot] = 0;
  touched_.clear();
  moved_.clear();
  if (options_.rounds_done != nullptr) {
    options_.rounds_done->fetch_add(1, std::memory_order_relaxed);
  }
}

void RuinRecreateSearch::Touch(int slot) {
  if (is_touched_[slot]) return;
  is_touched_[slot] = 1;
  touched_.push_back(slot);
}

void RuinRecreateSearch::CopyTouched(const Tours& from, Tours& to) {
  for (const int slot : touched_) to.routes[slot] = from.routes[slot];
  for (const int request : moved_) to.slot_of[request] = from.slot_of[request];
  to.used = from.used;
  to.unused = from.unused;
  to.absent = from.absent;
  to.travel = from.travel;
}

void RuinRecreateSearch::KeepIfBest() {
  const auto rank = [&](const Tours& tours) {
    return std::make_pair(tours.absent.size(), book_.Cost(tours));
  };
  if (rank(current_) < rank(best_)) best_ = current_;
}

void RuinRecreateSearch::Ruin() {
  if (candidate_.used.empty()) return;
  if (rng_.Uniform() < options_.cut_share) CutRoute(SeedNode());
  if (rng_.Uniform() < style_.near_share) {
    RuinNearest();
  } else {
    RuinStrings();
  }
}

int RuinRecreateSearch::SeedNode() {
  const Problem& problem = book_.table().problem();
  if (!candidate_.absent.empty() && rng_.Below(2) == 0) {
    const uint32_t absent = candidate_.absent.size();
    const Request& ends = problem.requests[candidate_.absent[rng_.Below(absent)]];
    return ends.paired() && rng_.Below(2) ? ends.delivery : ends.pickup;
  }
  return static_cast<int>(rng_.Below(static_cast<uint32_t>(problem.stops.size())));
}

void RuinRecreateSearch::CutRoute(int node) {
  const int request = book_.table().request_of(node);
  const int slot = request < 0 ? -1 : candidate_.slot_of[request];
  if (slot < 0 || static_cast<int>(candidate_.used.size()) >= book_.vehicle_limit()) return;
  const std::vector<RouteNode>& nodes = candidate_.routes[slot].nodes();
  const int stops = candidate_.routes[slot].stops();
  int at = 1;
  while (nodes[at].node != node) ++at;
  while (at < stops && nodes[at].open != 0) ++at;
  if (at >= stops) return;
  head_.clear();
  tail_.clear();
  for (int i = 1; i <= at; ++i) head_.push_back(nodes[i].node);
  for (int i = at + 1; i <= stops; ++i) tail_.push_back(nodes[i].node);
  // Both are feasible, unless travel times break the triangle inequality.
  if (!head_route_.Assign(book_.table(), head_)) return;
  if (!tail_route_.Assign(book_.table(), tail_)) return;
  const int other = candidate_.unused.back();
  book_.Replace(candidate_, slot, head_route_);
  book_.Replace(candidate_, other, tail_route_);
  for (const int stop : tail_) {
    candidate_.slot_of[book_.table().request_of(stop)] = other;
    moved_.push_back(book_.table().request_of(stop));
  }
  Touch(slot);
  Touch(other);
}

void RuinRecreateSearch::RuinNearest() {
  int left = 1 + static_cast<int>(rng_.Uniform(0, 2 * style_.removed_stops));
  for (const int node : Nearest(SeedNode())) {
    const int request = book_.table().request_of(node);
    if (request < 0 || candidate_.slot_of[request] < 0 || book_.marks()[node]) continue;
    book_.Mark(request);
    Touch(candidate_.slot_of[request]);
    left -= 1 + book_.table().problem().requests[request].paired();
    if (left <= 0) break;
  }
  for (const int slot : touched_) book_.RemoveMarked(candidate_, slot);
}

void RuinRecreateSearch::RuinStrings() {
  const int vehicles = candidate_.used.size();
  const int stops = book_.table().problem().stops.size();
  const double mean_stops = static_cast<double>(stops) / vehicles;
  const double longest = std::max(1.0, std::min<double>(options_.longest_string, mean_stops));
  const double most = std::max(1.0, 4.0 * style_.removed_stops / (1.0 + longest) - 1.0);
  int strings = rng_.Uniform(1.0, most + 1.0);
  for (const int node : Nearest(SeedNode())) {
    const int request = book_.table().request_of(node);
    const int slot = request < 0 ? -1 : candidate_.slot_of[request];
    if (slot < 0 || is_ruined_[slot]) continue;
    const double limit = std::min<double>(longest, candidate_.routes[slot].stops());
    RuinString(slot, node, static_cast<int>(rng_.Uniform(1.0, limit + 1.0)));
    if (--strings == 0) break;
  }
}

void RuinRecreateSearch::RuinString(int slot, int node, int length) {
  const std::vector<RouteNode>& nodes = candidate_.routes[slot].nodes();
  const int stops = candidate_.routes[slot].stops();
  int at = 1;
  while (nodes[at].node != node) ++at;
  // A split string spans one stop more, and keeps one of them.
  const bool split = length > 1 && length < stops && rng_.Uniform() < options_.split_share;
  const int span = length + split;
  const int lowest = std::max(1, at - span + 1);
  const int highest = std::min(at, stops - span + 1);
  const int begin = lowest + static_cast<int>(rng_.Below(highest - lowest + 1));
  const int kept = split ? begin + static_cast<int>(rng_.Below(span)) : 0;
  for (int i = begin; i < begin + span; ++i)
    if (i != kept) book_.Mark(book_.table().request_of(nodes[i].node));
  Touch(slot);
  is_ruined_[slot] = 1;
  book_.RemoveMarked(candidate_, slot);
}

void RuinRecreateSearch::Recreate() {
  SortAbsent();
  moved_.insert(moved_.end(), candidate_.absent.begin(), candidate_.absent.end());
  size_t kept = 0;
  for (const int request : candidate_.absent) {
    const Seat seat = book_.CheapestBlinking(candidate_, request, options_.blink_rate, rng_);
    if (seat.possible()) {
      book_.Insert(candidate_, request, seat);
      Touch(candidate_.slot_of[request]);
    } else {
      candidate_.absent[kept++] = request;
    }
  }
  candidate_.absent.resize(kept);
}

void RuinRecreateSearch::SortAbsent() {
  std::vector<int>& absent = candidate_.absent;
  int draw = rng_.Below(kOrderWeightSum);
  int order = 0;
  while (draw >= kOrderWeights[order]) draw -= kOrderWeights[order++];
  if (order == kRandom) {
    rng_.Shuffle(std::span<int>(absent));
    return;
  }
  keyed_.clear();
  for (const int request : absent) keyed_.emplace_back(SortKey(order, request), request);
  std::sort(keyed_.begin(), keyed_.end());
  for (size_t i = 0; i < absent.size(); ++i) absent[i] = keyed_[i].second;
}

int64_t RuinRecreateSearch::SortKey(int order, int request) {
  const RequestView& view = book_.table().View(request);
  const int depot = book_.table().depot();
  const Stop& end = view.paired() ? view.delivery : view.pickup;
  const Ticks distance =
      view.to_pickup[depot] + (view.paired() ? view.from_delivery : view.from_pickup)[depot];
  switch (order) {
    case kLoad:
      return -view.pickup.load;
    case kFar:
      return -distance;
    case kNear:
      return distance;
    case kNarrow:
      return int64_t{view.pickup.closes} - view.pickup.opens + end.closes - end.opens;
    case kEarly:
      return view.pickup.opens;
    default:
      return -int64_t{end.closes};
  }
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

std::span<const int> RuinRecreateSearch::Nearest(int node) {
  const Problem& problem = book_.table().problem();
  const int count = problem.stops.size();
  int* row = nearest_.data() + static_cast<size_t>(node) * count;
  if (!has_nearest_[node]) {
    has_nearest_[node] = 1;
    keyed_.clear();
    for (int other = 0; other < count; ++other) {
      const StopTable& table = book_.table();
      const int64_t there_and_back = int64_t{table.Travel(node, other)} + table.Travel(other, node);
      keyed_.emplace_back(other == node ? -1 : there_and_back, other);
    }
    std::sort(keyed_.begin(), keyed_.end());
    for (int i = 0; i < count; ++i) row[i] = keyed_[i].second;
  }
  return {row, static_cast<size_t>(count)};
}

}  // namespace dray
