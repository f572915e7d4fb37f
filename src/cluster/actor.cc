#include "src/cluster/actor.h"

#include <algorithm>
#include <utility>

#include "src/cluster/roles/parse.h"

namespace dray {

void ClusterActor::Start(RoleSettings settings) {
  End();
  Cluster::Request request = request_;
  // The old name may not be free yet.
  if (starts_ > 0) request.name += Cat(".", starts_ + 1);
  settings.set_name(request.name);
  request.settings = settings.SerializeAsString();
  actor_ = cluster_.Start(request);
  ++starts_;
  working_ = false;
  heartbeat_.Clear();
  heartbeat_.set_phase("starting");
  moved_.Restart();
  heard_.Restart();
}

void ClusterActor::End() {
  if (actor_ < 0) return;
  cluster_.Kill(std::exchange(actor_, -1), /*restart=*/false);
}

Cluster::ObjectPtr ClusterActor::Call(const std::string& method,
                                      const std::vector<Cluster::Argument>& arguments) {
  if (actor_ < 0) throw ActorLost(Cat(name(), " is gone"));
  return cluster_.Call(actor_, method, arguments);
}

void ClusterActor::BeginWork(const char* work) {
  working_ = true;
  work_name_ = work;
  work_.Restart();
  moved_.Restart();
}

void ClusterActor::EndWork(double busy_s) {
  const double took_s = work_.seconds();
  for (ActorAccount* account : {&account_, &total_}) {
    account->busy_s += busy_s;
    account->transfer_s += std::max(0.0, took_s - busy_s);
  }
  working_ = false;
}

bool ClusterActor::OnHeartbeat(const std::string& reply) {
  heard_.Restart();
  const HeartbeatReply before = std::exchange(heartbeat_, Parsed<HeartbeatReply>(reply));
  const bool restarted = before.has_process() && before.process() != heartbeat_.process();
  if (restarted || before.beats() != heartbeat_.beats()) moved_.Restart();
  const double busy_s = heartbeat_.busy_s() - (restarted ? 0 : before.busy_s());
  account_.busy_s += busy_s;
  total_.busy_s += busy_s;
  return restarted;
}

ActorAccount ClusterActor::Completed(ActorAccount account, double elapsed_s) const {
  account.name = name();
  account.waiting_s = std::max(0.0, elapsed_s - account.busy_s - account.transfer_s);
  account.memory_mb = heartbeat_.memory_mb();
  return account;
}

ActorAccount ClusterActor::TakeAccount() {
  const double elapsed_s = since_account_.seconds();
  since_account_.Restart();
  return Completed(std::exchange(account_, {}), elapsed_s);
}

}  // namespace dray
