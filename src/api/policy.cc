// Implements the policy functions of dray.h.

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "src/api/dray.h"
#include "src/api/guard.h"
#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/base/json.h"
#include "src/config/config.pb.h"
#include "src/config/dump.h"
#include "src/config/user_path.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/loop/checkpoint.h"
#include "src/nets/attention_shape.h"
#include "src/nets/gru_shape.h"
#include "src/nets/memory.h"
#include "src/nets/net_shape.h"
#include "src/nets/trained_policy.h"

using dray::Guard;

namespace {

// Returns the spec with the bag expanded into counts, as in dray_envs. The first weights of the
// network belong to these counts.
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

namespace {

dray::Json DescribedLayer(const dray::LinearPart& part) {
  return {part.name, part.in, part.out, part.biased};
}

// Describes the layout of the parameters.
dray::Json DescribedNetwork(const dray_policy& policy) {
  const dray::NetworkConfig& network = policy.trained.config.network();
  dray::Json described = {{"layers", dray::Json::array()},
                          {"attention", nullptr},
                          {"memory", 0},
                          {"activation", network.activation() == dray::RELU ? "relu" : "tanh"},
                          {"scaled", policy.policy.weights().scaling.active()},
                          {"clip", policy.policy.weights().scaling.clip}};
  if (network.kind() == dray::ATTENTION) {
    const dray::AttentionShape shape(policy.spec, network, dray::NetRole::kActor);
    for (const dray::LinearPart& part : shape.Parts()) {
      described["layers"].push_back(DescribedLayer(part));
    }
    described["attention"] = {{"tokens", shape.tokens},
                              {"token_size", shape.token_size},
                              {"heads", shape.heads},
                              {"rounds", shape.rounds.size()},
                              {"priced", shape.price >= 0}};
    return described;
  }
  std::vector<int64_t> sizes =
      dray::LayerSizes(policy.spec, network, policy.spec.actions.outputs());
  if (const dray::EnvSpec seen = dray::WithMemory(policy.spec, network); seen.memory > 0) {
    const dray::GruShape shape(seen, network);
    for (const dray::LinearPart& part : {shape.look, shape.recall}) {
      described["layers"].push_back(DescribedLayer(part));
    }
    described["memory"] = shape.memory();
    sizes = shape.head;
  }
  for (size_t i = 1; i < sizes.size(); ++i) {
    described["layers"].push_back(
        DescribedLayer({.name = dray::Cat("hidden.", i - 1), .in = sizes[i - 1], .out = sizes[i]}));
  }
  return described;
}

}  // namespace

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
                            {"masked", spec.masked},
                            {"network", DescribedNetwork(*policy)},
                            {"version", policy->policy.version()},
                            {"log_std", policy->policy.log_std()},
                            {"settings", dray::DumpYaml(environment)}};
    dray::Answer(dray::JsonText(described), json);
  });
}

dray_status dray_policy_outputs(dray_policy* policy, const float* observations, size_t rows,
                                float* outputs) {
  return Guard([&] {
    const size_t size = policy->spec.observation_size;
    std::ranges::copy(policy->policy.Follow(std::span(observations, rows * size)), outputs);
  });
}

dray_status dray_policy_begin(dray_policy* policy, const uint8_t* begins, size_t rows) {
  return Guard([&] {
    for (size_t row = 0; row < rows && rows == policy->policy.remembering(); ++row) {
      if (begins[row] != 0) policy->policy.BeginEpisode(row);
    }
  });
}

dray_status dray_policy_parameters(dray_policy* policy, dray_sink floats) {
  return Guard([&] {
    const dray::PolicyWeights& weights = policy->policy.weights();
    std::string bytes;
    for (const auto* part : {&weights.scaling.mean, &weights.scaling.scale, &weights.actor}) {
      bytes.append(reinterpret_cast<const char*>(part->data()), part->size() * sizeof(float));
    }
    dray::Answer(bytes, floats);
  });
}

dray_status dray_policy_pack(const char* path, dray_sink checkpoint) {
  return Guard([&] {
    const auto found = dray::CheckpointStore::Find(dray::UserPath(path));
    dray::Checkpoint packed = found.checkpoint.ForActing();
    // The run folder is private to whoever trained the policy.
    dray::Config config;
    dray::LoadYamlText(packed.config_yaml, found.path, &config);
    config.mutable_run()->clear_dir();
    packed.config_yaml = dray::Cat("# Dray ", dray::kVersion, "\n", dray::DumpYaml(config));
    dray::Answer(packed.ToBytes(), checkpoint);
  });
}

void dray_policy_destroy(dray_policy* policy) { delete policy; }
