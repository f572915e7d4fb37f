#include "src/cluster/roles/dispatch.h"

#include <unistd.h>

#include <utility>

#include "src/base/error.h"
#include "src/base/memory.h"
#include "src/cluster/roles/messages.pb.h"

namespace dray {

void DispatchedRole::Call(std::string_view method, Arguments arguments, ByteSink& reply) {
  const auto found = methods_.find(method);
  if (found == methods_.end()) throw Failure(kind_, " has no method ", method);
  const Entry& entry = found->second;
  if (entry.arguments != kAnyNumber && entry.arguments != arguments.size()) {
    throw Failure(kind_, ".", method, " takes ", entry.arguments, " arguments, not ",
                  arguments.size());
  }
  entry.method(arguments, reply);
}

void DispatchedRole::Add(const std::string& name, size_t arguments, Method method) {
  methods_[name] = {arguments, std::move(method)};
}

void DispatchedRole::AddAlone(const std::string& name, size_t arguments, Method method) {
  Add(name, arguments, [this, method = std::move(method)](Arguments given, ByteSink& reply) {
    const std::lock_guard lock(alone_);
    method(given, reply);
  });
}

void DispatchedRole::AddHeartbeat(const Heartbeat& heartbeat, AddToBeat add) {
  Add("heartbeat", 0, [&heartbeat, add = std::move(add)](Arguments, ByteSink& reply) {
    HeartbeatReply beat;
    beat.set_phase(heartbeat.phase());
    beat.set_beats(heartbeat.beats());
    beat.set_memory_mb(ResidentMegabytes());
    beat.set_process(::getpid());
    add(beat);
    reply.Write(beat.SerializeAsString());
  });
}

}  // namespace dray
