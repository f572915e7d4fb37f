// The policies of dray.h.

#include <algorithm>
#include <span>
#include <string>

#include "src/api/dray.h"
#include "src/api/guard.h"
#include "src/base/error.h"
#include "src/base/json.h"
#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/envs/registry.h"
#include "src/nets/trained_policy.h"

using dray::Guard;

namespace {

// The same with bags written out, as dray_envs has them: the network's first weights are the
// counts'.
dray::EnvSpec WrittenOut(dray::EnvSpec spec) {
  spec.observation_size += spec.bag.width;
  spec.bag = {};
  return spec;
}

}  // namespace

struct dray_policy {
  dray_policy(dray::TrainedPolicy read, const std::string& path)
      : trained(std::move(read)),
        spec(WrittenOut(dray::SpecOf(trained.config.env()))),
        policy(trained.Make(spec, path)) {}

  dray::TrainedPolicy trained;
  dray::EnvSpec spec;
  dray::Policy policy;
};

dray_status dray_policy_load(const char* path, dray_policy** policy) {
  return Guard(
      [&] { *policy = new dray_policy(dray::TrainedPolicy::Read(path, /*env=*/"", path), path); });
}

dray_status dray_policy_describe(dray_policy* policy, dray_sink json) {
  return Guard([&] {
    dray::Config environment;
    *environment.mutable_env() = policy->trained.config.env();
    const dray::EnvSpec& spec = policy->spec;
    dray::Json described = {{"env", spec.name},
                            {"observation_size", spec.observation_size},
                            {"outputs", spec.actions.outputs()},
                            {"discrete", spec.actions.discrete()},
                            {"version", policy->policy.version()},
                            {"log_std", policy->policy.log_std()},
                            {"settings", dray::DumpYaml(environment)}};
    dray::Answer(dray::JsonText(described), json);
  });
}

dray_status dray_policy_outputs(dray_policy* policy, const float* observations, size_t rows,
                                float* outputs) {
  return Guard([&] {
    const auto size = static_cast<size_t>(policy->spec.observation_size);
    std::ranges::copy(policy->policy.Outputs(std::span(observations, rows * size)), outputs);
  });
}

void dray_policy_destroy(dray_policy* policy) { delete policy; }
