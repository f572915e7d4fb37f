#include "src/cluster/settle_on_cluster.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/cluster/packed.h"
#include "src/cluster/roles/parse.h"
#include "src/cluster/run_actors.h"

namespace dray {
namespace {

std::string AskSettler(Cluster& cluster, int workers, const Config& config) {
  Cluster::Request request = ActorRequest("settler", "settler");
  request.gpus = std::min(1.0, cluster.info().free_gpus);
  RoleSettings settings;
  *settings.mutable_config() = config;
  settings.set_name(request.name);
  request.settings = settings.SerializeAsString();
  const Cluster::Actor actor = cluster.Start(request);
  ByteWriter counts;
  counts.Put<int32_t>(workers);
  counts.Put<int32_t>(static_cast<int32_t>(cluster.info().free_gpus));
  std::string reply;
  std::exception_ptr error;
  try {
    const auto object = cluster.Call(actor, "settle", {counts.Take()});
    reply = cluster.Fetch(*object, config.ray().start_timeout_s());
  } catch (...) {
    error = std::current_exception();
  }
  cluster.Kill(actor, /*restart=*/false);
  if (error) std::rethrow_exception(error);
  return reply;
}

}  // namespace

std::vector<std::string> SettleOnCluster(Cluster& cluster, int workers, Config* config) {
  if (cluster.info().free_gpus <= 0 || config->run().device() == CPU) return {};
  try {
    const std::string reply = AskSettler(cluster, workers, *config);
    const std::vector<std::string_view> parts = Unpacked(reply, "the answer of the settler");
    if (parts.empty()) throw Failure("the settler's answer is empty");
    *config = Parsed<Config>(parts[0]);
    return {parts.begin() + 1, parts.end()};
  } catch (const std::exception& error) {
    const std::string what = error.what();
    return {Cat("the trial on the cluster's GPU failed: ", what.substr(0, what.find('\n')))};
  }
}

}  // namespace dray
