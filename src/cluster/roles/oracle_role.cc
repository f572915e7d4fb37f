#include "src/cluster/roles/oracle_role.h"

#include <limits>
#include <utility>

#include "src/base/error.h"
#include "src/envs/registry.h"
#include "src/oracle/registry.h"

namespace dray {
namespace {

constexpr size_t kCitiesBytes = size_t{256} << 20;

TaskOracle OracleOf(const EnvConfig& env) {
  const Task& task = TaskOf(env);
  if (!task.oracle) throw Failure("the task ", env.name(), " has no oracle to host");
  return task.oracle(env);
}

Gathering GatheringOf(const OracleConfig& config, int callers) {
  Gathering gathering{.max_wait = std::chrono::microseconds(config.max_wait_us())};
  gathering.problems = static_cast<size_t>(config.max_batch());
  if (callers > 0) gathering.callers = static_cast<size_t>(callers);
  return gathering;
}

}  // namespace

OracleRole::OracleRole(const RoleSettings& settings)
    : OracleRole(OracleOf(settings.config().env()), settings.oracle_callers()) {}

OracleRole::OracleRole(const TaskOracle& task, int callers)
    : OracleRole(task.config, callers, ChooseOracle(task.config, task.context).oracle) {}

OracleRole::OracleRole(const OracleConfig& config, int callers, std::shared_ptr<Oracle> oracle)
    : DispatchedRole("oracle"),
      timed_(std::make_shared<TimedOracle>(std::move(oracle))),
      splitting_(
          std::make_shared<SplittingOracle>(timed_, static_cast<size_t>(config.max_batch()))),
      batching_(splitting_, GatheringOf(config, callers)),
      cities_(kCitiesBytes) {
  AddHeartbeat(heartbeat_, [this](HeartbeatReply& beat) { AddTo(beat); });
  Add("solve", 1,
      [this](Arguments arguments, ByteSink& reply) { reply.Write(Solve(arguments[0])); });
}

std::string OracleRole::Solve(std::string_view request) {
  // Told from all threads: it rests when the last of them is done.
  struct UnderWay {
    explicit UnderWay(OracleRole& role) : role(role) {
      ++role.under_way_;
      role.heartbeat_.Beat("solving");
    }
    ~UnderWay() { role.heartbeat_.Beat(--role.under_way_ == 0 ? "resting" : "solving"); }
    OracleRole& role;
  };
  const UnderWay under_way(*this);
  ++calls_;
  return AnswerRequest(request, cities_, batching_);
}

void OracleRole::AddTo(HeartbeatReply& beat) const {
  const OracleTimes times = timed_->times();
  for (const auto& [size, count] : times.batch_sizes) {
    beat.add_batch_size(static_cast<int64_t>(size));
    beat.add_batch_count(count);
  }
  beat.set_busy_s(times.seconds);
  beat.set_calls(calls_);
  beat.set_problems(times.problems);
  beat.set_splits(splitting_->splits());
  beat.set_limit(static_cast<int64_t>(splitting_->limit()));
}

}  // namespace dray
