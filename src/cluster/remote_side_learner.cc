#include "src/cluster/remote_side_learner.h"

#include <utility>

#include "src/base/error.h"
#include "src/cluster/role_settings.h"
#include "src/cluster/run_actors.h"
#include "src/env/registry.h"

namespace dray {
namespace {

// An update takes seconds; much more than that is a hang.
constexpr double kPatienceS = 600;

}  // namespace

RemoteSideLearner::RemoteSideLearner(Cluster& cluster, Cluster::Request request,
                                     const SideLearner& local, int max_restarts,
                                     std::function<void(const std::string&)> restarted)
    : cluster_(cluster),
      request_(std::move(request)),
      synchronous_(local.synchronous()),
      update_epochs_(local.update_epochs()),
      max_restarts_(max_restarts),
      restarted_(std::move(restarted)) {
  Start();
  Remember();
}

RemoteSideLearner::~RemoteSideLearner() {
  if (actor_ >= 0) cluster_.Kill(actor_, /*restart=*/false);
}

void RemoteSideLearner::Start() {
  if (actor_ >= 0) cluster_.Kill(actor_, /*restart=*/false);
  Cluster::Request request = request_;
  if (starts_ > 0) request.name += Cat(".", starts_ + 1);
  actor_ = cluster_.Start(request);
  ++starts_;
}

std::string RemoteSideLearner::Ask(const std::string& method,
                                   const std::vector<std::string>& arguments) const {
  const std::vector<Cluster::Argument> wrapped(arguments.begin(), arguments.end());
  return cluster_.Fetch(*cluster_.Call(actor_, method, wrapped), kPatienceS);
}

std::string RemoteSideLearner::AskAnew(const std::string& method,
                                       const std::vector<std::string>& arguments) {
  for (;;) {
    try {
      return Ask(method, arguments);
    } catch (const ActorLost& lost) {
      if (starts_ > max_restarts_) {
        throw Failure(request_.name, " was lost ", starts_, " times (", lost.what(),
                      "): more than ray.max_restarts allows");
      }
      restarted_(Cat(request_.name, " was lost (", lost.what(),
                     "): replaced; it continues from its last update"));
      Start();
      if (!state_.empty()) {
        try {
          Ask("load", {state_});
        } catch (const ActorLost&) {
          // The next round finds out.
        }
      }
    }
  }
}

void RemoteSideLearner::Remember() {
  published_ = AskAnew("publish", {});
  state_ = AskAnew("save", {});
}

void RemoteSideLearner::Add(std::string_view samples) { AskAnew("add", {std::string(samples)}); }

std::vector<std::string> RemoteSideLearner::Update() {
  const std::string text = AskAnew("update", {});
  std::vector<std::string> lines;
  for (size_t start = 0, end; (end = text.find('\n', start)) != std::string::npos;
       start = end + 1) {
    lines.push_back(text.substr(start, end - start));
  }
  Remember();
  return lines;
}

std::string RemoteSideLearner::Save() const {
  try {
    return Ask("save", {});
  } catch (const ActorLost&) {
    return state_;
  }
}

void RemoteSideLearner::Load(std::string_view state) {
  AskAnew("load", {std::string(state)});
  Remember();
}

std::unique_ptr<SideLearner> MakeSideLearner(const Config& config, const RunPlan& plan,
                                             Cluster& cluster,
                                             std::function<void(const std::string&)> restarted) {
  auto local = MakeSideLearner(config);
  if (!local || config.ray().embedder() != RayConfig::ACTOR) return local;
  RoleSettings settings = SettingsOf(config, plan);
  settings.set_name("embedder");
  Cluster::Request request = ActorRequest("embedder", "embedder");
  request.settings = settings.SerializeAsString();
  return std::make_unique<RemoteSideLearner>(cluster, request, *local, config.ray().max_restarts(),
                                             std::move(restarted));
}

}  // namespace dray
