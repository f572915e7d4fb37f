#pragma once

#include <cstddef>
#include <msgpack.hpp>

#include "src/api/dray.h"

namespace dray_ray {

// Format of the bytes sent through Ray: a msgpack binary (bin32) whose first 59 bytes are a mark
// and padding. Every language can read the message, and the payload, which starts after 64 bytes,
// keeps the buffer's alignment.
//
//   C6 | size, big-endian 32 bits | "DRAYBLOB" | zeros up to 64 bytes | payload
//
// Bytes from Python have the shortest msgpack header that can hold their size (C4 and 8 bits, C5
// and 16 bits). These are accepted as well; small payloads from Python are therefore not aligned.
constexpr size_t kFrameHeader = 64;
constexpr size_t kMaxPayload = 0xFFFFFFFFu - (kFrameHeader - 5);

// Builds a message. The payload is written in place: `sink` provides the buffer that Ray copies
// from.
class Frame {
 public:
  Frame();
  Frame(Frame&&) = default;
  Frame& operator=(Frame&&) = default;

  static Frame Of(dray_bytes payload);

  // Returns memory for a payload of `size` bytes and keeps what was written so far. Throws if a
  // message cannot hold that much.
  char* Resize(size_t size);
  // Returns a sink with the same effect that does not throw: it returns NULL on failure. Valid
  // until this object is moved or destroyed.
  dray_sink sink();
  // Throws if the sink's last request failed.
  void Check() const;

  // Returns the finished message.
  msgpack::sbuffer Take() &&;

 private:
  msgpack::sbuffer buffer_;
  size_t payload_ = 0;
  size_t refused_ = 0;
};

// Returns the payload of a message, without copying it. Throws if the message is damaged or not
// ours.
dray_bytes Payload(const msgpack::sbuffer& message);

// Returns true if the bytes are a complete message of this format.
bool IsFrame(const msgpack::sbuffer& message);

}  // namespace dray_ray
