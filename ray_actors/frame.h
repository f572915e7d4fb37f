#pragma once

#include <cstddef>
#include <msgpack.hpp>

#include "src/api/dray.h"

namespace dray_ray {

// How bytes cross Ray: a msgpack binary (bin32) whose first 59 bytes are a mark and padding, so
// that every language can read the message and the payload behind 64 bytes keeps the buffer's
// alignment.
//
//   C6 | size, big-endian 32 bits | "DRAYBLOB" | zeros up to 64 bytes | payload
//
// Bytes that Python passes come with the shortest header of msgpack's that holds their size (C4 and
// 8 bits, C5 and 16), which is accepted, too: small payloads from there are not aligned.
constexpr size_t kFrameHeader = 64;
constexpr size_t kMaxPayload = 0xFFFFFFFFu - (kFrameHeader - 5);

// A message under construction. The payload is written in place: the buffer that Ray copies from is
// the one that `sink` hands out.
class Frame {
 public:
  Frame();
  Frame(Frame&&) = default;
  Frame& operator=(Frame&&) = default;

  static Frame Of(dray_bytes payload);

  // Memory for a payload of `size` bytes, with what was written so far. Throws when that is more
  // than a message can hold.
  char* Resize(size_t size);
  // The same for code that must not see exceptions: NULL when there is no such memory. Valid as
  // long as this object stays where it is.
  dray_sink sink();
  // Throws when the sink could not give what it was asked for last.
  void Check() const;

  // The finished message.
  msgpack::sbuffer Take() &&;

 private:
  msgpack::sbuffer buffer_;
  size_t payload_ = 0;
  size_t refused_ = 0;
};

// The payload inside a message, in place. Throws when the message is damaged or not one of ours.
dray_bytes Payload(const msgpack::sbuffer& message);

// Whether the bytes are a whole message of ours.
bool IsFrame(const msgpack::sbuffer& message);

}  // namespace dray_ray
