#include "src/oracle/codec.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "src/base/bytes.h"
#include "src/base/error.h"

namespace dray {
namespace {

constexpr uint32_t kRequestMark = 0x31515244;  // "DRQ1"
constexpr uint32_t kReplyMark = 0x31505244;    // "DRP1"
constexpr char kRequest[] = "a request to the oracle";
constexpr char kReply[] = "a reply of the oracle";
// Positions on a route are stored in 16 bits.
constexpr size_t kMostStops = std::numeric_limits<int16_t>::max() - 1;

// Messages end with the fingerprint of the bytes before it.
std::string Sealed(ByteWriter& out) {
  out.Put(Fingerprint(out.bytes()));
  return out.Take();
}

ByteReader Unsealed(std::string_view bytes, uint32_t mark, const char* what) {
  if (bytes.size() < sizeof(uint64_t)) throw Failure(what, " is truncated");
  const std::string_view content = bytes.substr(0, bytes.size() - sizeof(uint64_t));
  if (ByteReader(bytes.substr(content.size()), what).Get<uint64_t>() != Fingerprint(content)) {
    throw Failure(what, " was damaged in transit: its checksum does not match");
  }
  ByteReader in(content, what);
  if (in.Get<uint32_t>() != mark) {
    throw Failure("these bytes are not ", what, " of this version of Dray");
  }
  return in;
}

void PutPlan(const Plan& plan, ByteWriter& out) {
  out.Put<uint32_t>(plan.routes.size());
  for (const std::vector<int>& route : plan.routes) out.PutVector(route);
}

Plan GetPlan(ByteReader& in, size_t stops, const char* what) {
  Plan plan;
  // Routes are appended one by one: a count that is too large runs out of bytes first.
  const auto routes = in.Get<uint32_t>();
  for (uint32_t i = 0; i < routes; ++i) {
    const std::vector<int>& route = plan.routes.emplace_back(in.GetVector<int>());
    for (const int stop : route) {
      if (stop >= 0 && static_cast<size_t>(stop) < stops) continue;
      throw Failure(what, " is invalid: a plan visits stop ", stop, " of ", stops);
    }
  }
  return plan;
}

void PutProblem(const Problem& problem, ByteWriter& out) {
  out.Put(problem.travel.fingerprint());
  out.Put(problem.depot);
  out.Put(problem.depot_opens);
  out.Put(problem.depot_closes);
  out.Put(problem.fleet.capacity);
  out.Put(problem.fleet.free_vehicles);
  out.Put(problem.fleet.extra_vehicle_cost);
  out.Put<uint8_t>(problem.fleet.hard);
  out.Put(problem.ticks_per_unit);
  out.PutVector(problem.stops);
  out.PutVector(problem.requests);
}

// Reads a problem without its matrix.
Problem GetProblem(ByteReader& in) {
  Problem problem;
  problem.depot = in.Get<int>();
  problem.depot_opens = in.Get<Ticks>();
  problem.depot_closes = in.Get<Ticks>();
  problem.fleet.capacity = in.Get<int>();
  problem.fleet.free_vehicles = in.Get<int>();
  problem.fleet.extra_vehicle_cost = in.Get<Ticks>();
  problem.fleet.hard = in.Get<uint8_t>() != 0;
  problem.ticks_per_unit = in.Get<int>();
  problem.stops = in.GetVector<Stop>();
  problem.requests = in.GetVector<Request>();
  return problem;
}

bool Within(int64_t value, int64_t least, int64_t most) { return least <= value && value <= most; }
bool IsTime(Ticks ticks) { return Within(ticks, -kMaxTicks, kMaxTicks); }
bool IsDuration(Ticks ticks) { return Within(ticks, 0, kMaxTicks); }

bool StopsMakeSense(const Problem& problem) {
  return problem.stops.size() <= kMostStops &&
         std::ranges::all_of(problem.stops, [&](const Stop& stop) {
           return Within(stop.place, 0, problem.travel.places() - 1) && IsTime(stop.opens) &&
                  IsTime(stop.closes) && IsDuration(stop.service) &&
                  Within(stop.load, -kMaxLoad, kMaxLoad);
         });
}

// Returns true if every stop belongs to one request and the loads of pairs cancel out.
bool RequestsMakeSense(const Problem& problem) {
  const auto stops = std::ssize(problem.stops);
  std::vector<uint8_t> uses(problem.stops.size());
  for (const Request& request : problem.requests) {
    if (!Within(request.pickup, 0, stops - 1) || !Within(request.delivery, -1, stops - 1)) {
      return false;
    }
    const int load = problem.stops[request.pickup].load;
    if (load < 0 || uses[request.pickup]++ > 0) return false;
    if (!request.paired()) continue;
    if (problem.stops[request.delivery].load != -load || uses[request.delivery]++ > 0) return false;
  }
  return std::ranges::all_of(uses, [](uint8_t use) { return use == 1; });
}

// Returns true if the depot exists and an empty route there is on time and costs nothing. Otherwise
// a search could gain forever by emptying a route and opening it again.
bool DepotMakesSense(const Problem& problem) {
  return Within(problem.depot, 0, problem.travel.places() - 1) && IsTime(problem.depot_opens) &&
         IsTime(problem.depot_closes) && problem.depot_opens <= problem.depot_closes &&
         problem.travel(problem.depot, problem.depot) == 0;
}

// Checks the assumptions of every oracle: valid indices, sums that do not overflow, a feasible
// empty route. Less strict than Validate, since an environment may ask for requests nobody can
// serve.
bool MakesSense(const Problem& problem) {
  const Fleet& fleet = problem.fleet;
  return Within(fleet.capacity, 1, kMaxLoad) && fleet.free_vehicles >= 0 &&
         IsDuration(fleet.extra_vehicle_cost) && problem.ticks_per_unit >= 1 &&
         DepotMakesSense(problem) && StopsMakeSense(problem) && RequestsMakeSense(problem);
}

// Reads the matrices of a request, keyed by fingerprint.
using Sent = std::map<uint64_t, TravelMatrix>;

Sent GetMatrices(ByteReader& in) {
  Sent sent;
  const auto count = in.Get<uint32_t>();
  for (uint32_t i = 0; i < count; ++i) {
    const auto places = in.Get<int>();
    std::vector<Ticks> times = in.GetVector<Ticks>();
    if (places < 0 || times.size() != static_cast<uint64_t>(places) * places ||
        !std::ranges::all_of(times, IsDuration)) {
      throw Failure(kRequest, " is invalid: travel times of ", places, " places");
    }
    TravelMatrix matrix(places, std::move(times));
    sent.emplace(matrix.fingerprint(), std::move(matrix));
  }
  return sent;
}

}  // namespace

std::string EncodeRequest(OracleTask task, std::span<const Problem* const> problems,
                          std::span<const Plan* const> plans, std::span<const uint64_t> send) {
  DRAY_CHECK_EQ(plans.size(), task == OracleTask::kImprove ? problems.size() : 0);
  Sent matrices;
  for (const Problem* problem : problems) {
    const uint64_t name = problem->travel.fingerprint();
    if (std::ranges::find(send, name) != send.end()) matrices.emplace(name, problem->travel);
  }
  ByteWriter out;
  out.Put(kRequestMark);
  out.Put(task);
  out.Put<uint32_t>(matrices.size());
  for (const auto& [name, matrix] : matrices) {
    out.Put(matrix.places());
    out.PutSpan(matrix.times());
  }
  out.Put<uint32_t>(problems.size());
  for (const Problem* problem : problems) PutProblem(*problem, out);
  for (const Plan* plan : plans) PutPlan(*plan, out);
  return Sealed(out);
}

OracleRequest DecodeRequest(std::string_view bytes, KnownCities& cities) {
  ByteReader in = Unsealed(bytes, kRequestMark, kRequest);
  OracleRequest request;
  const auto task = in.Get<uint8_t>();
  if (task > static_cast<uint8_t>(OracleTask::kImprove)) {
    throw Failure(kRequest, " is invalid: there is no task ", int{task});
  }
  request.task = static_cast<OracleTask>(task);
  // The request's own matrices are available even if the cache is too small for them.
  Sent at_hand = GetMatrices(in);
  for (const auto& [name, matrix] : at_hand) cities.Add(matrix);
  const auto count = in.Get<uint32_t>();
  std::set<uint64_t> unknown;
  for (uint32_t i = 0; i < count; ++i) {
    const auto name = in.Get<uint64_t>();
    Problem& problem = request.problems.emplace_back(GetProblem(in));
    auto city = at_hand.find(name);
    if (city == at_hand.end()) {
      std::optional<TravelMatrix> known = cities.Find(name);
      if (!known) {
        unknown.insert(name);
        continue;
      }
      city = at_hand.emplace(name, std::move(*known)).first;
    }
    problem.travel = city->second;
    if (!MakesSense(problem)) throw Failure(kRequest, " is invalid: its problem ", i);
  }
  if (request.task == OracleTask::kImprove) {
    for (const Problem& problem : request.problems) {
      request.plans.push_back(GetPlan(in, problem.stops.size(), kRequest));
    }
  }
  in.ExpectEnd();
  if (!unknown.empty()) return {.unknown = {unknown.begin(), unknown.end()}};
  return request;
}

std::string EncodeReply(const OracleReply& reply) {
  ByteWriter out;
  out.Put(kReplyMark);
  out.PutVector(reply.unknown);
  out.Put<uint32_t>(reply.answers.size());
  for (const OracleAnswer& answer : reply.answers) {
    out.Put(answer.cost.travel);
    out.Put(answer.cost.vehicles);
    out.Put(answer.cost.extra_vehicles);
    out.Put(answer.cost.unserved);
    PutPlan(answer.plan, out);
  }
  return Sealed(out);
}

OracleReply DecodeReply(std::string_view bytes, std::span<const Problem* const> problems) {
  ByteReader in = Unsealed(bytes, kReplyMark, kReply);
  OracleReply reply;
  reply.unknown = in.GetVector<uint64_t>();
  const auto count = in.Get<uint32_t>();
  if (count != (reply.unknown.empty() ? problems.size() : 0)) {
    throw Failure(kReply, " is invalid: ", count, " answers to ", problems.size(), " problems");
  }
  for (uint32_t i = 0; i < count; ++i) {
    OracleAnswer& answer = reply.answers.emplace_back();
    answer.cost.travel = in.Get<int64_t>();
    answer.cost.vehicles = in.Get<int>();
    answer.cost.extra_vehicles = in.Get<int64_t>();
    answer.cost.unserved = in.Get<int>();
    answer.plan = GetPlan(in, problems[i]->stops.size(), kReply);
  }
  in.ExpectEnd();
  return reply;
}

}  // namespace dray
