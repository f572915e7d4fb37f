#pragma once

// Calls to actors and their replies, shared by the cluster and the oracle client.

#include <ray/api.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "ray_actors/frame.h"
#include "src/api/dray.h"

namespace dray_ray {

// An actor, its node or an object is gone; the work can be repeated elsewhere.
class Lost : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class TimedOut : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Holds an object in the store.
class HeldObject {
 public:
  HeldObject() = default;
  // Takes over the reference that came with the id.
  explicit HeldObject(std::string id) : id_(std::move(id)) {}
  HeldObject(HeldObject&& other) noexcept : id_(std::move(other.id_)) { other.id_.clear(); }
  HeldObject& operator=(HeldObject&& other) noexcept;
  ~HeldObject();

  const std::string& id() const { return id_; }

 private:
  std::string id_;
};

HeldObject PutBytes(dray_bytes bytes);

// An argument: an object, or bytes when the id is empty.
struct Argument {
  std::string object;
  dray_bytes bytes;
};

// Calls a method of an actor's role.
HeldObject CallActor(const std::string& actor, const std::string& method,
                     const std::vector<Argument>& arguments);

// Waits for a reply and returns it. Throws Lost, TimedOut, or std::runtime_error with the message
// that the actor threw.
std::shared_ptr<msgpack::sbuffer> FetchMessage(const std::string& object, double timeout_s);

// Copies the payload of a message into the sink.
void CopyPayload(const msgpack::sbuffer& message, dray_sink sink);

}  // namespace dray_ray
