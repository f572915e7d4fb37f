#include "src/api/foreign_cluster.h"

#include "src/api/string_sink.h"
#include "src/base/error.h"

namespace dray {

ForeignCluster::ForeignCluster(const dray_cluster& table, const std::string& run_name)
    : table_(table) {
  dray_cluster_info info{};
  Check(table_.connect(table_.self, run_name.c_str(), &info));
  info_ = {info.address,   info.dashboard,    info.nodes,
           info.cpus,      info.gpus,         info.free_cpus,
           info.free_gpus, info.memory_bytes, info.object_store_bytes};
}

ForeignCluster::~ForeignCluster() { table_.disconnect(table_.self); }

void ForeignCluster::Check(int status) const {
  if (status == DRAY_OK) return;
  const std::string message = table_.last_error(table_.self);
  if (status == DRAY_LOST) throw ActorLost(message);
  throw Failure(message);
}

void ForeignCluster::Reserve(const std::string& strategy, const std::vector<Bundle>& bundles,
                             double timeout_s) {
  std::vector<dray_bundle> wanted;
  for (const Bundle& bundle : bundles) wanted.push_back({bundle.cpus, bundle.gpus});
  Check(table_.reserve(table_.self, strategy.c_str(), wanted.data(), wanted.size(), timeout_s));
}

Cluster::Actor ForeignCluster::Start(const Request& request) {
  std::vector<const char*> oracles;
  for (const std::string& name : request.oracles) oracles.push_back(name.c_str());
  dray_actor_request wanted{};
  wanted.kind = request.kind.c_str();
  wanted.name = request.name.c_str();
  wanted.settings = {request.settings.data(), request.settings.size()};
  wanted.cpus = request.cpus;
  wanted.gpus = request.gpus;
  wanted.bundle = request.bundle;
  wanted.concurrency = request.concurrency;
  wanted.max_restarts = request.max_restarts;
  wanted.oracles = oracles.data();
  wanted.oracle_count = oracles.size();
  Actor actor = -1;
  Check(table_.start(table_.self, &wanted, &actor));
  return actor;
}

void ForeignCluster::Kill(Actor actor, bool restart) {
  table_.kill(table_.self, actor, restart ? 1 : 0);
}

Cluster::ObjectPtr ForeignCluster::Call(Actor actor, const std::string& method,
                                        const std::vector<Argument>& arguments) {
  std::vector<dray_argument> wanted;
  for (const Argument& argument : arguments) {
    wanted.push_back({argument.object ? argument.object->number() : -1,
                      {argument.bytes.data(), argument.bytes.size()}});
  }
  int64_t object = -1;
  Check(table_.call(table_.self, actor, method.c_str(), wanted.data(), wanted.size(), &object));
  return std::make_shared<const Object>(*this, object);
}

Cluster::ObjectPtr ForeignCluster::Put(std::string_view bytes) {
  int64_t object = -1;
  Check(table_.put(table_.self, {bytes.data(), bytes.size()}, &object));
  return std::make_shared<const Object>(*this, object);
}

std::vector<bool> ForeignCluster::Wait(const std::vector<ObjectPtr>& objects, double timeout_s) {
  std::vector<int64_t> numbers;
  for (const ObjectPtr& object : objects) numbers.push_back(object->number());
  std::vector<uint8_t> ready(numbers.size());
  Check(table_.wait(table_.self, numbers.data(), numbers.size(), timeout_s, ready.data()));
  return {ready.begin(), ready.end()};
}

std::string ForeignCluster::Fetch(const Object& object, double timeout_s) {
  std::string bytes;
  Check(table_.fetch(table_.self, object.number(), timeout_s, StringSink(bytes)));
  return bytes;
}

void ForeignCluster::Publish(int64_t epoch,
                             std::span<const std::pair<std::string, double>> values) {
  std::vector<const char*> names;
  std::vector<double> numbers;
  for (const auto& [name, value] : values) {
    names.push_back(name.c_str());
    numbers.push_back(value);
  }
  Check(table_.publish(table_.self, epoch, names.data(), numbers.data(), names.size()));
}

void ForeignCluster::Release(int64_t object) { table_.release(table_.self, object); }

}  // namespace dray
