#include "src/oracle/oracle_service.h"

#include <chrono>
#include <utility>

#include "src/base/error.h"
#include "src/config/fields.h"
#include "src/oracle/registry.h"
#include "src/oracle/remote.h"

namespace dray {
namespace {

constexpr size_t kCitiesBytes = size_t{256} << 20;

Gathering GatheringOf(const OracleConfig& config, int callers) {
  Gathering gathering{.max_wait = std::chrono::microseconds(config.max_wait_us())};
  gathering.problems = config.max_batch();
  if (callers > 0) gathering.callers = callers;
  return gathering;
}

std::string NameOf(const OracleConfig& oracle) {
  const auto text = [&](const char* field) {
    return ValueText(oracle, *OracleConfig::descriptor()->FindFieldByName(field));
  };
  return oracle.kind() == OracleConfig::NEURAL ? Cat("neural on ", text("device")) : text("kind");
}

}  // namespace

OracleHost::OracleHost(const OracleConfig& config, int callers, std::shared_ptr<Oracle> oracle)
    : timed_(std::make_shared<TimedOracle>(std::move(oracle))),
      splitting_(std::make_shared<SplittingOracle>(timed_, config.max_batch())),
      batching_(splitting_, GatheringOf(config, callers)),
      cities_(kCitiesBytes) {}

std::string OracleHost::Answer(std::string_view request) {
  return AnswerRequest(request, cities_, batching_);
}

ServiceWork OracleHost::work() const {
  const OracleTimes times = timed_->times();
  ServiceWork work;
  work.items = times.problems;
  work.batch_sizes = times.batch_sizes;
  work.busy_s = times.seconds;
  work.splits = splitting_->splits();
  work.limit = splitting_->limit();
  return work;
}

Service OracleService(TaskOracle (*oracle)(const EnvConfig& config),
                      OracleConfig* (*mutable_oracle)(EnvConfig* config)) {
  Service service;
  service.name = "oracle";
  service.activity = "pricing";
  service.device_setting = "oracle.device";
  service.make_host = [oracle](const EnvConfig& config, int callers) {
    const TaskOracle task = oracle(config);
    return std::make_unique<OracleHost>(task.config, callers,
                                        ChooseOracle(task.config, task.context).oracle);
  };
  service.shared = [oracle](const EnvConfig& config) {
    const TaskOracle task = oracle(config);
    return SharedByShards(task.config, task.context);
  };
  service.place = [mutable_oracle](Device device, EnvConfig* config) {
    OracleConfig& settings = *mutable_oracle(config);
    if (settings.device() == AUTO) settings.set_device(device == CUDA ? CUDA : CPU);
  };
  service.place_on_cluster = [mutable_oracle](int gpus, EnvConfig* config) {
    OracleConfig& settings = *mutable_oracle(config);
    if (settings.placement() == OraclePlacement::AUTO) {
      const bool on_gpu = settings.kind() == OracleConfig::NEURAL && settings.device() == CUDA;
      settings.set_placement(on_gpu ? OraclePlacement::ACTOR : OraclePlacement::INLINE);
    }
    if (settings.placement() == OraclePlacement::ACTOR && settings.actors() == 0) {
      settings.set_actors(std::max(1, gpus));
    }
  };
  service.candidates = [oracle, mutable_oracle](const EnvConfig& config) {
    const TaskOracle task = oracle(config);
    std::vector<ServiceCandidate> candidates;
    for (const OracleConfig& candidate : OracleCandidates(task.config, task.context)) {
      candidates.push_back({NameOf(candidate), config});
      *mutable_oracle(&candidates.back().settings) = candidate;
    }
    return candidates;
  };
  return service;
}

}  // namespace dray
