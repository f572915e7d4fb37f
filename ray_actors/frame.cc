#include "ray_actors/frame.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

namespace dray_ray {
namespace {

constexpr unsigned kBin8 = 0xC4;  // bin16 and bin32 follow
constexpr unsigned kBin32 = 0xC6;
// Size of the mark and padding between msgpack's header and the payload.
constexpr size_t kPreamble = kFrameHeader - 5;
constexpr char kMark[8] = {'D', 'R', 'A', 'Y', 'B', 'L', 'O', 'B'};

// msgpack::sbuffer grows by doubling and can only be filled by copying. Replies are tens of
// megabytes and written by the engine, so its size and memory are set directly. C++ allows a
// private member's name in an explicit instantiation (C++17 [temp.explicit] p. 12), whose friend
// function then returns the pointer to member.
template <typename Member, typename Member::Pointer pointer>
struct Access {
  friend typename Member::Pointer PointerTo(Member) { return pointer; }
};
struct SizeMember {
  using Pointer = size_t msgpack::sbuffer::*;
  friend Pointer PointerTo(SizeMember);
};
struct DataMember {
  using Pointer = char* msgpack::sbuffer::*;
  friend Pointer PointerTo(DataMember);
};
struct AllocMember {
  using Pointer = size_t msgpack::sbuffer::*;
  friend Pointer PointerTo(AllocMember);
};
template struct Access<SizeMember, &msgpack::sbuffer::m_size>;
template struct Access<DataMember, &msgpack::sbuffer::m_data>;
template struct Access<AllocMember, &msgpack::sbuffer::m_alloc>;

void Reserve(msgpack::sbuffer& buffer, size_t size) {
  size_t& allocated = buffer.*PointerTo(AllocMember());
  if (size <= allocated) return;
  const size_t larger = std::max(size, allocated + allocated / 2);
  void* data = std::realloc(buffer.data(), larger);
  if (data == nullptr) throw std::bad_alloc();
  buffer.*PointerTo(DataMember()) = static_cast<char*>(data);
  allocated = larger;
}

std::string TooLarge(size_t size) {
  return "a message of " + std::to_string(size) + " bytes is too large for Ray: the limit is " +
         std::to_string(kMaxPayload) + "; use smaller shards or shorter rollouts";
}

void* ResizeFrame(void* self, size_t size) {
  try {
    return static_cast<Frame*>(self)->Resize(size);
  } catch (...) {
    return nullptr;
  }
}

size_t BigEndian(const char* bytes, size_t width) {
  size_t value = 0;
  for (size_t i = 0; i < width; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

// Returns the offset of the content of a msgpack binary, or 0 if the message is not a complete one.
size_t ContentAt(const msgpack::sbuffer& message) {
  if (message.size() == 0) return 0;
  const unsigned kind = static_cast<unsigned char>(message.data()[0]) - kBin8;
  if (kind > 2) return 0;
  const size_t width = size_t{1} << kind;
  const size_t content = 1 + width;
  if (message.size() < content) return 0;
  return BigEndian(message.data() + 1, width) == message.size() - content ? content : 0;
}

}  // namespace

Frame::Frame() : buffer_(kFrameHeader) {}

Frame Frame::Of(dray_bytes payload) {
  Frame frame;
  char* data = frame.Resize(payload.size);
  if (payload.size > 0) std::memcpy(data, payload.data, payload.size);
  return frame;
}

char* Frame::Resize(size_t size) {
  refused_ = size;
  if (size > kMaxPayload) throw std::length_error(TooLarge(size));
  Reserve(buffer_, kFrameHeader + size);
  refused_ = 0;
  payload_ = size;
  return buffer_.data() + kFrameHeader;
}

dray_sink Frame::sink() { return {this, ResizeFrame}; }

void Frame::Check() const {
  if (refused_ > kMaxPayload) throw std::length_error(TooLarge(refused_));
  if (refused_ > 0) throw std::bad_alloc();
}

msgpack::sbuffer Frame::Take() && {
  Check();
  const uint32_t size = kPreamble + payload_;
  char* header = buffer_.data();
  std::memset(header, 0, kFrameHeader);
  header[0] = static_cast<char>(kBin32);
  for (int i = 0; i < 4; ++i) header[1 + i] = static_cast<char>(size >> (24 - 8 * i));
  std::memcpy(header + 5, kMark, sizeof(kMark));
  buffer_.*PointerTo(SizeMember()) = kFrameHeader + payload_;
  return std::move(buffer_);
}

bool IsFrame(const msgpack::sbuffer& message) {
  const size_t at = ContentAt(message);
  return at > 0 && message.size() >= at + kPreamble &&
         std::memcmp(message.data() + at, kMark, sizeof(kMark)) == 0;
}

dray_bytes Payload(const msgpack::sbuffer& message) {
  if (!IsFrame(message)) {
    throw std::invalid_argument("a message of " + std::to_string(message.size()) +
                                " bytes is damaged or does not come from Dray");
  }
  const size_t at = ContentAt(message) + kPreamble;
  return {message.data() + at, message.size() - at};
}

}  // namespace dray_ray
