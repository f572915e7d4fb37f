#include "tests/cluster/in_process_cluster.h"

#include <algorithm>
#include <chrono>

#include "src/api/make_role.h"
#include "src/base/error.h"

namespace dray {

InProcessCluster::InProcessCluster(Info info) : info_(std::move(info)) {}

InProcessCluster::~InProcessCluster() {
  {
    const std::lock_guard lock(mutex_);
    for (auto& [actor, host] : hosts_) Die(host);
  }
  for (std::thread& thread : threads_) thread.join();
}

void InProcessCluster::Reserve(const std::string& strategy, const std::vector<Bundle>& bundles,
                               double /*timeout_s*/) {
  const std::lock_guard lock(mutex_);
  reserved_ = Cat(strategy, " ", bundles.size());
}

std::string InProcessCluster::reserved() const {
  const std::lock_guard lock(mutex_);
  return reserved_;
}

Cluster::Actor InProcessCluster::Start(const Request& request) {
  std::shared_ptr<Role> role = MakeRole(request.kind, request.settings);
  const std::lock_guard lock(mutex_);
  const Actor actor = next_++;
  started_.push_back(request.name);
  Host& host = hosts_[actor];
  host.name = request.name;
  host.role = std::move(role);
  return actor;
}

void InProcessCluster::Die(Host& host) {
  host.alive = false;
  for (const auto& outcome : host.open) {
    if (!outcome->ready) Settle(*outcome, "", host.name + " died", true);
  }
  host.open.clear();
  settled_.notify_all();
}

void InProcessCluster::Kill(Actor actor, bool /*restart*/) {
  const std::lock_guard lock(mutex_);
  Die(hosts_.at(actor));
}

void InProcessCluster::Settle(Outcome& outcome, std::string bytes, std::string error, bool lost) {
  outcome.bytes = std::move(bytes);
  outcome.error = std::move(error);
  outcome.lost = lost;
  outcome.ready = true;
  settled_.notify_all();
}

Cluster::ObjectPtr InProcessCluster::NewObject(std::shared_ptr<Outcome> outcome) {
  const int64_t number = next_++;
  objects_[number] = std::move(outcome);
  return std::make_shared<const Object>(*this, number);
}

Cluster::ObjectPtr InProcessCluster::Call(Actor actor, const std::string& method,
                                          const std::vector<Argument>& arguments) {
  const std::lock_guard lock(mutex_);
  Host& host = hosts_.at(actor);
  auto outcome = std::make_shared<Outcome>();
  ObjectPtr object = NewObject(outcome);
  if (!host.alive) {
    Settle(*outcome, "", host.name + " is dead", true);
    return object;
  }
  const Fate fate = strike_ ? strike_(host.name, method, host.calls[method]++) : Fate::kNothing;
  if (fate == Fate::kDiesBefore) {
    Die(host);
    Settle(*outcome, "", host.name + " was struck", true);
    return object;
  }
  if (fate == Fate::kResultIsLost) {
    Settle(*outcome, "", "an argument was lost with its node", true);
    return object;
  }
  host.open.push_back(outcome);
  host.doomed |= fate == Fate::kDiesAfter;
  if (fate == Fate::kHangs) return object;
  std::vector<std::shared_ptr<Outcome>> values;
  for (const Argument& argument : arguments) {
    if (argument.object) {
      values.push_back(objects_.at(argument.object->number()));
    } else {
      values.push_back(std::make_shared<Outcome>(Outcome{true, false, "", argument.bytes}));
    }
  }
  threads_.emplace_back([this, actor, role = host.role, method, values, outcome, fate] {
    std::vector<std::string_view> views;
    {
      std::unique_lock waiting(mutex_);
      for (const auto& value : values) {
        settled_.wait(waiting, [&] { return value->ready; });
        // The call never begins, and its summary never comes, while the actor lives. A dead one
        // goes on with nothing in its place, so that its threads end.
        const bool& alive = hosts_.at(actor).alive;
        if (value->lost && alive) {
          if (!outcome->ready) Settle(*outcome, "", "an argument was lost", true);
          settled_.wait(waiting, [&] { return !alive; });
        }
        views.push_back(value->bytes);
      }
    }
    Blob reply;
    std::string error;
    try {
      role->Call(method, views, reply);
    } catch (const std::exception& failure) {
      error = failure.what();
    }
    std::unique_lock settling(mutex_);
    Host& host = hosts_.at(actor);
    if (fate == Fate::kAnswerIsLost) {
      settled_.wait(settling, [&] {
        return std::ranges::all_of(
            host.open, [&](const auto& call) { return call == outcome || call->ready; });
      });
      if (!outcome->ready) Settle(*outcome, "", "an answer was lost", true);
    }
    if (fate == Fate::kDiesAfter) Die(host);
    if (host.alive && host.doomed) return;
    if (!outcome->ready) Settle(*outcome, std::string(reply.view()), error, false);
  });
  return object;
}

Cluster::ObjectPtr InProcessCluster::Put(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  return NewObject(std::make_shared<Outcome>(Outcome{true, false, "", std::string(bytes)}));
}

std::vector<bool> InProcessCluster::Wait(const std::vector<ObjectPtr>& objects, double timeout_s) {
  std::unique_lock lock(mutex_);
  const auto ready = [&] {
    std::vector<bool> now;
    for (const ObjectPtr& object : objects) now.push_back(objects_.at(object->number())->ready);
    return now;
  };
  const auto any = [&] {
    const std::vector<bool> now = ready();
    return std::find(now.begin(), now.end(), true) != now.end();
  };
  settled_.wait_for(lock, std::chrono::duration<double>(timeout_s), any);
  return ready();
}

std::string InProcessCluster::Fetch(const Object& object, double timeout_s) {
  std::unique_lock lock(mutex_);
  const auto outcome = objects_.at(object.number());
  settled_.wait_for(lock, std::chrono::duration<double>(timeout_s), [&] { return outcome->ready; });
  if (!outcome->ready) throw Failure("no answer in time");
  if (outcome->lost) throw ActorLost(outcome->error);
  if (!outcome->error.empty()) throw Failure(outcome->error);
  return outcome->bytes;
}

void InProcessCluster::Publish(int64_t epoch,
                               std::span<const std::pair<std::string, double>> values) {
  const std::lock_guard lock(mutex_);
  published_.emplace_back(epoch, values.size());
}

void InProcessCluster::Release(int64_t object) {
  const std::lock_guard lock(mutex_);
  objects_.erase(object);
}

std::vector<std::string> InProcessCluster::started() const {
  const std::lock_guard lock(mutex_);
  return started_;
}

std::set<std::string> InProcessCluster::alive() const {
  const std::lock_guard lock(mutex_);
  std::set<std::string> names;
  for (const auto& [actor, host] : hosts_) {
    if (host.alive) names.insert(host.name);
  }
  return names;
}

size_t InProcessCluster::objects() const {
  const std::lock_guard lock(mutex_);
  return objects_.size();
}

std::vector<std::pair<int64_t, size_t>> InProcessCluster::published() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

}  // namespace dray
