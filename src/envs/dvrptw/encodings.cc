#include "src/envs/dvrptw/encodings.h"

#include <algorithm>
#include <limits>

#include "src/base/error.h"

namespace dray::dvrptw {
namespace {

constexpr float kHour = 60.0f * kTicksPerMinute;

float Days(Ticks time) { return static_cast<float>(time) / kTicksPerDay; }
float Hours(Ticks time) { return time / kHour; }

template <typename T>
void ExpectSize(std::span<T> out, int size) {
  DRAY_CHECK_EQ(std::ssize(out), size);
}

void ExpectRoom(const Negotiation& state, int customers) {
  DRAY_CHECK_LE(std::ssize(state.agreed) + (state.asked != nullptr), customers);
}

float* WriteRow(const Trip& trip, float* row) {
  *row++ = trip.origin;
  *row++ = Days(trip.pickup_early);
  *row++ = Days(trip.pickup_late);
  *row++ = trip.destination;
  *row++ = Days(trip.dropoff_early);
  *row++ = Days(trip.dropoff_late);
  return row;
}

int HalfHour(Ticks time) { return std::clamp(time / (30 * kTicksPerMinute), 0, kHalfHours - 1); }

// Returns the position of a one in the table.
int16_t CountsPlace(int16_t row, int column) { return 2 * row + column; }

float* WriteToken(const City& city, const Trip& trip, bool is_new, float* token) {
  const Ticks ride = city.travel(trip.origin, trip.destination);
  *token++ = 1.0f;
  *token++ = is_new ? 1.0f : 0.0f;
  token = WritePlace(city, trip.origin, token);
  token = WritePlace(city, trip.destination, token);
  for (const Ticks time :
       {trip.pickup_early, trip.pickup_late, trip.dropoff_early, trip.dropoff_late}) {
    *token++ = Days(time);
  }
  *token++ = Hours(ride);
  *token++ = Hours(trip.dropoff_early - trip.pickup_early - ride);
  return token;
}

}  // namespace

void EncodeRows(const Negotiation& state, int customers, std::span<float> out) {
  ExpectSize(out, RowsSize(customers));
  ExpectRoom(state, customers);
  float* row = out.data();
  for (const Trip& trip : state.agreed) row = WriteRow(trip, row);
  if (state.asked != nullptr) row = WriteRow(*state.asked, row);
  std::fill(row, out.data() + out.size(), 0.0f);
}

CountsLayout::CountsLayout(int places) : places_(places) {
  DRAY_CHECK_GE(places, 1);
  DRAY_CHECK_LE(rows(), std::numeric_limits<int16_t>::max());
}

CountIndices CountsLayout::Indices(const Trip& trip) const {
  const int times = 2 * places_;
  const auto index = [](int row) -> int16_t { return row; };
  return {index(trip.origin),
          index(places_ + trip.destination),
          index(times + HalfHour(trip.pickup_early)),
          index(times + kHalfHours + HalfHour(trip.pickup_late)),
          index(times + 2 * kHalfHours + HalfHour(trip.dropoff_early)),
          index(times + 3 * kHalfHours + HalfHour(trip.dropoff_late))};
}

void WriteCountsBag(const CountsLayout& layout, const Trip& asked, const Trip* agreed,
                    std::span<int16_t> bag) {
  ExpectSize(bag, kCountsBagSize);
  int16_t* place = bag.data();
  for (const int16_t row : layout.Indices(asked)) *place++ = CountsPlace(row, 1);
  if (agreed == nullptr) {
    std::fill_n(place, kCountsPerRequest, int16_t{-1});
    return;
  }
  for (const int16_t row : layout.Indices(*agreed)) *place++ = CountsPlace(row, 0);
}

float* WritePlace(const City& city, int place, float* out) {
  if (city.points.empty()) {
    *out++ = Hours(city.travel(city.depot, place));
    *out++ = Hours(city.travel(place, city.depot));
    return out;
  }
  const Point& depot = city.points[city.depot];
  const Point& point = city.points[place];
  *out++ = point.x - depot.x;
  *out++ = point.y - depot.y;
  return out;
}

void EncodeTokens(const City& city, const Negotiation& state, const RequestContext& context,
                  int customers, std::span<float> out) {
  ExpectSize(out, TokensSize(customers));
  ExpectRoom(state, customers);
  float* token = out.data();
  for (const Trip& trip : state.agreed) token = WriteToken(city, trip, /*is_new=*/false, token);
  if (state.asked != nullptr) token = WriteToken(city, *state.asked, /*is_new=*/true, token);
  float* rest = out.data() + customers * kTokenSize;
  std::fill(token, rest, 0.0f);
  *rest++ = static_cast<float>(state.agreed.size()) / customers;
  rest = std::ranges::copy(context.belief, rest).out;
  *rest++ = context.added_cost_min / 60.0f;
  for (const float cost : context.action_cost_min) *rest++ = cost / 10.0f;
}

}  // namespace dray::dvrptw
