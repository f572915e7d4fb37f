#pragma once

// Passes bytes to and from Ray actors with the fewest copies that Ray's C++ API allows: one out of
// the object store for each argument, one into it for the reply. Ray's default packs and unpacks
// each message up to four times, with a copy each time.

#include <ray/api.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ray_actors/frame.h"
#include "src/api/dray.h"

namespace dray_ray {

// The messages of a call: the name of the role's method, then its arguments, which are not copied.
class Arguments {
 public:
  // Throws if one of them is not a message of our format.
  explicit Arguments(const ray::internal::ArgsBufferList& messages) {
    for (const msgpack::sbuffer& message : messages) payloads_.push_back(Payload(message));
    if (payloads_.empty()) throw std::invalid_argument("call without a method name");
    const dray_bytes& name = payloads_.front();
    method_.assign(static_cast<const char*>(name.data), name.size);
    payloads_.erase(payloads_.begin());
  }
  const std::string& method() const { return method_; }
  const std::vector<dray_bytes>& payloads() const { return payloads_; }

 private:
  std::string method_;
  std::vector<dray_bytes> payloads_;
};

using Reply = Frame;

}  // namespace dray_ray

namespace ray {
namespace internal {

// Passes Ray's buffers unchanged to methods of type `Reply (Actor::*)(const Arguments&)`.
template <typename Actor>
struct Invoker<dray_ray::Reply (Actor::*)(const dray_ray::Arguments&)> {
  using Method = dray_ray::Reply (Actor::*)(const dray_ray::Arguments&);

  static msgpack::sbuffer ApplyMember(const Method& method, msgpack::sbuffer* actor,
                                      const ArgsBufferList& messages) {
    const auto address = Serializer::Deserialize<uint64_t>(actor->data(), actor->size());
    return (reinterpret_cast<Actor*>(address)->*method)(dray_ray::Arguments(messages)).Take();
  }
};

}  // namespace internal
}  // namespace ray
