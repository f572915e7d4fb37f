#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "src/base/heartbeat.h"
#include "src/cluster/roles/role.h"

namespace dray {

class HeartbeatReply;

// A role implemented as a table of methods.
class DispatchedRole : public Role {
 public:
  explicit DispatchedRole(std::string kind) : kind_(std::move(kind)) {}

  void Call(std::string_view method, Arguments arguments, ByteSink& reply) final;

 protected:
  using Method = std::function<void(Arguments arguments, ByteSink& reply)>;
  static constexpr size_t kAnyNumber = -1;
  void Add(const std::string& name, size_t arguments, Method method);
  // Adds a method that has the role to itself: it waits for the method of this kind under way.
  void AddAlone(const std::string& name, size_t arguments, Method method);
  // Adds the method `heartbeat`, which every role has. `add` may add to the reply.
  using AddToBeat = std::function<void(HeartbeatReply& beat)>;
  void AddHeartbeat(
      const Heartbeat& heartbeat, AddToBeat add = [](HeartbeatReply&) {});

 private:
  struct Entry {
    size_t arguments;
    Method method;
  };
  std::string kind_;
  std::mutex alone_;
  std::map<std::string, Entry, std::less<>> methods_;
};

}  // namespace dray
