#include "src/envs/waves/serving/dispatcher.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/envs/waves/random_streams.h"
#include "src/routing/clock_time.h"

namespace dray::waves {

Dispatcher::Dispatcher(std::shared_ptr<const Instance> instance,
                       std::unique_ptr<DispatchPolicy> policy, const Effort& effort, uint64_t seed)
    : instance_(std::move(instance)),
      policy_(std::move(policy)),
      effort_(effort),
      rng_(seed, kPolicyStream, 0),
      day_(Day::Live(instance_)) {}

void Dispatcher::BeginDay() {
  day_ = Day::Live(instance_);
  names_.clear();
}

Wave Dispatcher::Dispatch(Ticks departure, const std::vector<LiveOrder>& orders) {
  const int epoch = departure / kEpoch_s - 1;
  if (departure % kEpoch_s != 0 || epoch < instance_->first_epoch ||
      epoch > instance_->last_epoch) {
    throw UsageError("leaves ", ClockTextOfSeconds(departure), ": vehicles leave every hour from ",
                     ClockTextOfSeconds(instance_->Departure(instance_->first_epoch)), " to ",
                     ClockTextOfSeconds(instance_->Departure(instance_->last_epoch)));
  }
  if (epoch < day_.epoch()) {
    throw UsageError("leaves ", ClockTextOfSeconds(departure),
                     R"(: that wave has already left; {"new_day": true} starts a new day)");
  }
  Day day = day_;
  while (day.epoch() < epoch) {
    for (const Request& request : day.open()) {
      if (!request.must_go) continue;
      throw UsageError("order ", NameOf(request.id), " must leave at ",
                       ClockTextOfSeconds(day.departure()), "; ask for that wave first");
    }
    day.Dispatch({});
  }
  std::vector<std::string> names = names_;
  std::vector<Request> requests;
  for (const LiveOrder& order : orders) {
    if (std::ranges::count(names, order.name) > 0) {
      throw UsageError("order ", order.name, ": was given before");
    }
    if (!instance_->CanServe(order.request, departure)) {
      throw UsageError("order ", order.name, ": no vehicle that leaves at ",
                       ClockTextOfSeconds(departure), " can serve it by ",
                       ClockTextOfSeconds(order.request.closes), " and be back by ",
                       ClockTextOfSeconds(instance_->depot_closes));
    }
    names.push_back(order.name);
    requests.push_back(order.request);
  }
  day.Add(requests);
  Wave wave{.departure = departure, .routes = policy_->Decide(day, effort_, rng_), .waiting = {}};
  day.Dispatch(wave.routes);
  wave.waiting.assign(day.open().begin(), day.open().end());
  day_ = std::move(day);
  names_ = std::move(names);
  return wave;
}

}  // namespace dray::waves
