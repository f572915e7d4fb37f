#include "src/envs/waves/agenda.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray::waves {

int EpochsToWait(const Instance& instance, const Request& request, int epoch) {
  int waits = 0;
  while (epoch + waits < instance.last_epoch &&
         instance.CanServe(request, instance.Departure(epoch + waits + 1))) {
    ++waits;
  }
  return waits;
}

Agenda::Agenda(const Day& day) : sketch_(day.instance(), day.departure()) {
  DRAY_CHECK(!day.done());
  for (const Request& request : day.open())
    (request.must_go ? dispatched_ : waiting_).push_back(request);
  const auto by_closing = [](const Request& a, const Request& b) { return a.closes < b.closes; };
  std::stable_sort(dispatched_.begin(), dispatched_.end(), by_closing);
  for (const Request& request : dispatched_) sketch_.Insert(request);
  std::stable_sort(waiting_.begin(), waiting_.end(), [&](const Request& a, const Request& b) {
    return EpochsToWait(day.instance(), a, day.epoch()) <
           EpochsToWait(day.instance(), b, day.epoch());
  });
}

void Agenda::Decide(bool dispatch) {
  DRAY_CHECK(!finished());
  const Request& request = next();
  (dispatch ? dispatched_ : held_).push_back(request);
  if (dispatch) sketch_.Insert(request);
  actions_.push_back(dispatch);
}

std::span<const Request> Agenda::later() const {
  return std::span(waiting_).subspan(std::min<size_t>(decided() + 1, waiting_.size()));
}

}  // namespace dray::waves
