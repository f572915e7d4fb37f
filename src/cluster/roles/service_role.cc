#include "src/cluster/roles/service_role.h"

#include <utility>

#include "src/base/error.h"
#include "src/env/registry.h"

namespace dray {
namespace {

std::unique_ptr<ServiceHost> HostOf(const RoleSettings& settings) {
  const EnvConfig& env = settings.config().env();
  const Task& task = TaskOf(env);
  if (!task.service) throw Failure("the task ", env.name(), " has no oracle to host");
  return task.service->make_host(env, settings.oracle_callers());
}

}  // namespace

ServiceRole::ServiceRole(const RoleSettings& settings) : ServiceRole(HostOf(settings)) {}

ServiceRole::ServiceRole(std::unique_ptr<ServiceHost> host)
    : DispatchedRole("oracle"), host_(std::move(host)) {
  AddHeartbeat(heartbeat_, [this](HeartbeatReply& beat) { AddTo(beat); });
  Add("solve", 1,
      [this](Arguments arguments, ByteSink& reply) { reply.Write(Solve(arguments[0])); });
}

std::string ServiceRole::Solve(std::string_view request) {
  // All threads beat; the role rests when the last of them is done.
  struct UnderWay {
    explicit UnderWay(ServiceRole& role) : role(role) {
      ++role.under_way_;
      role.heartbeat_.Beat("solving");
    }
    ~UnderWay() { role.heartbeat_.Beat(--role.under_way_ == 0 ? "resting" : "solving"); }
    ServiceRole& role;
  };
  const UnderWay under_way(*this);
  ++calls_;
  return host_->Answer(request);
}

void ServiceRole::AddTo(HeartbeatReply& beat) const {
  const ServiceWork work = host_->work();
  for (const auto& [size, count] : work.batch_sizes) {
    beat.add_batch_size(size);
    beat.add_batch_count(count);
  }
  beat.set_busy_s(work.busy_s);
  beat.set_calls(calls_);
  beat.set_problems(work.items);
  beat.set_splits(work.splits);
  beat.set_limit(work.limit);
}

}  // namespace dray
