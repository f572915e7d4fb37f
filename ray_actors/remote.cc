#include "ray_actors/remote.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <new>
#include <utility>

namespace dray_ray {
namespace {

// Larger arguments go through the object store, because Ray would send them inside the call, with
// more copies.
constexpr size_t kInlineBytes = 100 << 10;

// Removes Ray's prefix "Invalid: An exception was thrown while executing
// function(&RoleActor::Call): type: " from the actor's message.
std::string ThrownLine(const std::string& message) {
  const std::string before_type = "): ";
  const size_t type = message.find(before_type);
  if (message.find("executing function(") == std::string::npos || type == std::string::npos) {
    return message;
  }
  const size_t text = message.find(": ", type + before_type.size());
  return text == std::string::npos ? message : message.substr(text + 2);
}

// Ray's own errors are protobuf messages, whose longest stretch of text says what happened. Returns
// the start of that text, without the possible causes that follow.
std::string ReadablePart(const std::string& bytes) {
  std::string longest, current;
  for (const char byte : bytes) {
    if (std::isprint(static_cast<unsigned char>(byte)) != 0) {
      current += byte;
    } else {
      current.clear();
    }
    if (current.size() > longest.size()) longest = current;
  }
  for (const char* rest : {" Worker exit detail", " Some common causes", ". The actor"}) {
    longest = longest.substr(0, longest.find(rest));
  }
  return longest.size() < 12 ? "its process ended" : longest;
}

ray::internal::TaskArg ByValue(dray_bytes bytes) {
  ray::internal::TaskArg argument;
  argument.buf = Frame::Of(bytes).Take();
  return argument;
}

ray::internal::TaskArg ByReference(const std::string& object) {
  ray::internal::TaskArg argument;
  argument.id = object;
  return argument;
}

bool IsNil(const std::string& id) {
  return std::all_of(id.begin(), id.end(), [](char byte) { return byte == '\xFF'; });
}

}  // namespace

HeldObject& HeldObject::operator=(HeldObject&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

HeldObject::~HeldObject() {
  if (id_.empty()) return;
  try {
    const auto runtime = ray::internal::GetRayRuntime();
    if (runtime != nullptr) runtime->RemoveLocalReference(id_);
  } catch (...) {  // without a connection there is nothing to release
  }
}

HeldObject PutBytes(dray_bytes bytes) {
  auto message = std::make_shared<msgpack::sbuffer>(Frame::Of(bytes).Take());
  return HeldObject(ray::internal::GetRayRuntime()->Put(std::move(message)));
}

HeldObject CallActor(const std::string& actor, const std::string& method,
                     const std::vector<Argument>& arguments) {
  std::vector<HeldObject> put;  // the call holds its arguments once it is submitted
  std::vector<ray::internal::TaskArg> passed;
  passed.reserve(arguments.size() + 1);
  passed.push_back(ByValue({method.data(), method.size()}));
  for (const Argument& argument : arguments) {
    if (!argument.object.empty()) {
      passed.push_back(ByReference(argument.object));
    } else if (argument.bytes.size <= kInlineBytes) {
      passed.push_back(ByValue(argument.bytes));
    } else {
      put.push_back(PutBytes(argument.bytes));
      passed.push_back(ByReference(put.back().id()));
    }
  }
  ray::internal::CallOptions options{};
  options.bundle_index = -1;
  std::string id = ray::internal::GetRayRuntime()->CallActor(
      ray::internal::RemoteFunctionHolder("&RoleActor::Call"), actor, passed, options);
  if (IsNil(id)) throw Lost("Ray refused the call " + method);
  return HeldObject(std::move(id));
}

std::shared_ptr<msgpack::sbuffer> FetchMessage(const std::string& object, double timeout_s) {
  std::shared_ptr<msgpack::sbuffer> message;
  try {
    const int timeout_ms = std::min(timeout_s * 1e3, 2e9);
    message = ray::internal::GetRayRuntime()->Get(object, timeout_ms);
  } catch (const ray::internal::RayTaskException& thrown) {
    throw std::runtime_error(ThrownLine(thrown.what()));
  } catch (const ray::internal::RayTimeoutException&) {
    throw TimedOut("no answer in time");
  } catch (const ray::internal::RayException& gone) {
    throw Lost(ReadablePart(gone.msg_));
  } catch (const msgpack::unpack_error& broken) {
    throw Lost(broken.what());
  } catch (const msgpack::type_error& broken) {
    throw Lost(broken.what());
  }
  // Ray throws some of its errors and returns others instead of the reply.
  if (!IsFrame(*message)) throw Lost(ReadablePart(std::string(message->data(), message->size())));
  return message;
}

void CopyPayload(const msgpack::sbuffer& message, dray_sink sink) {
  const dray_bytes payload = Payload(message);
  void* to = sink.resize(sink.self, payload.size);
  if (payload.size == 0) return;
  if (to == nullptr) throw std::bad_alloc();
  std::memcpy(to, payload.data, payload.size);
}

}  // namespace dray_ray
