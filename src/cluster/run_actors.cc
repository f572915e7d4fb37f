#include "src/cluster/run_actors.h"

#include "src/base/error.h"
#include "src/cluster/layout.h"
#include "src/cluster/role_settings.h"

namespace dray {
namespace {

// A long call, its summary and a heartbeat at a time.
constexpr int kConcurrency = 3;

std::string Indexed(const std::string& name, size_t index) {
  return Cat(name, "-", index < 10 ? "0" : "", index);
}

}  // namespace

Cluster::Request ActorRequest(const std::string& kind, const std::string& name) {
  Cluster::Request request;
  request.kind = kind;
  request.name = name;
  request.concurrency = kConcurrency;
  return request;
}

RunActors::RunActors(const Config& config, const RunPlan& plan, int oracles, int first_replacement,
                     Cluster& cluster)
    : config_(config), plan_(plan), cluster_(cluster), first_replacement_(first_replacement) {
  const ClusterLayout layout = LayOut(config, plan, oracles, cluster.info());
  const int shard_count = plan.actors();
  const bool reserved = config.ray().placement() != RayConfig::ANYWHERE;
  if (reserved) {
    cluster.Reserve(RayConfig::Placement_Name(config.ray().placement()),
                    layout.Bundles(shard_count), config.ray().start_timeout_s());
  }
  const auto bundle = [&](int index) { return reserved ? index : -1; };
  std::vector<std::string> oracle_names;
  for (int i = 0; i < layout.oracles; ++i) {
    Cluster::Request request = ActorRequest("oracle", Indexed("oracle", i));
    request.gpus = layout.oracle_gpus;
    // It remembers nothing: the cluster restarts it, and shards ask again.
    request.max_restarts = -1;
    request.concurrency += shard_count;
    request.bundle = bundle(shard_count + 1 + i);
    oracle_names.push_back(request.name);
    oracles_.push_back(Make(request));
    oracles_.back()->Start(SettingsOf(config, plan));
  }
  for (int i = 0; i < shard_count; ++i) {
    Cluster::Request request = ActorRequest("env_shard", Indexed("shard", i));
    request.cpus = layout.shard_cpus;
    request.oracles = oracle_names;
    request.bundle = bundle(i);
    shards_.push_back(Make(request));
    ReplaceShard(i);
  }
  Cluster::Request learner = ActorRequest("learner", "learner");
  learner.cpus = layout.learner_cpus;
  learner.gpus = layout.learner_gpus;
  learner.bundle = bundle(shard_count);
  learner_ = Make(learner);
  ReplaceLearner();
  Cluster::Request evaluator = ActorRequest("evaluator", "evaluator");
  evaluator.oracles = oracle_names;
  evaluator_ = Make(evaluator);
  ReplaceEvaluator();
  all_ = shards_;
  all_.insert(all_.end(), oracles_.begin(), oracles_.end());
  all_.insert(all_.end(), {learner_, evaluator_});
}

RunActors::~RunActors() {
  for (const auto& actor : owned_) actor->End();
}

ClusterActor* RunActors::Make(const Cluster::Request& request) {
  return owned_.emplace_back(std::make_unique<ClusterActor>(cluster_, request)).get();
}

void RunActors::ReplaceShard(size_t i) {
  const int replacement = first_replacement_ + shards_[i]->starts();
  shards_[i]->Start(ShardSettingsOf(config_, plan_, i, replacement));
}

void RunActors::ReplaceLearner() { learner_->Start(SettingsOf(config_, plan_)); }

void RunActors::ReplaceEvaluator() { evaluator_->Start(SettingsOf(config_, plan_)); }

}  // namespace dray
