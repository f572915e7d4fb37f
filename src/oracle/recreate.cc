#include "src/oracle/recreate.h"

#include <algorithm>
#include <span>

namespace dray {
namespace {

// Orders in which requests are inserted, and how often each is drawn.
enum Order { kRandom, kLoad, kFar, kNear, kNarrow, kEarly, kLate };
constexpr int kOrderWeights[] = {4, 4, 2, 1, 2, 2, 2};
constexpr int kOrderWeightSum = 17;

int64_t SortKey(int order, const RequestView& view, int depot) {
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

}  // namespace

void Recreate::Apply(SearchRound& round) {
  SortAbsent(round);
  std::vector<int>& absent = round.tours.absent;
  round.changes.Move(absent);
  size_t kept = 0;
  for (const int request : absent) {
    const Seat seat = round.book.CheapestBlinking(round.tours, request, blink_rate_, round.rng);
    if (seat.possible()) {
      round.book.Insert(round.tours, request, seat);
      round.changes.Touch(round.tours.slot_of[request]);
    } else {
      absent[kept++] = request;
    }
  }
  absent.resize(kept);
}

void Recreate::SortAbsent(SearchRound& round) {
  std::vector<int>& absent = round.tours.absent;
  int draw = round.rng.Below(kOrderWeightSum);
  int order = 0;
  while (draw >= kOrderWeights[order]) draw -= kOrderWeights[order++];
  if (order == kRandom) {
    round.rng.Shuffle(std::span<int>(absent));
    return;
  }
  StopTable& table = round.book.table();
  keyed_.clear();
  for (const int request : absent) {
    keyed_.emplace_back(SortKey(order, table.View(request), table.depot()), request);
  }
  std::sort(keyed_.begin(), keyed_.end());
  for (size_t i = 0; i < absent.size(); ++i) absent[i] = keyed_[i].second;
}

}  // namespace dray
