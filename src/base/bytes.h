#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace dray {

// Appends plain values to a byte string, in the machine's byte order (both supported architectures
// are little-endian).
class ByteWriter {
 public:
  template <typename T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(T));
  }

  template <typename T>
  void PutSpan(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    Put<uint64_t>(values.size());
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }

  template <typename T>
  void PutVector(const std::vector<T>& values) {
    PutSpan<T>(values);
  }

  void PutString(std::string_view text) { PutSpan<char>(text); }

  const std::string& bytes() const { return bytes_; }
  std::string Take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

// Reads what a ByteWriter wrote. Bytes that end too early, or claim more than there is, are an
// Error that names `what`; it never reads past the end.
class ByteReader {
 public:
  ByteReader(std::string_view bytes, std::string what) : rest_(bytes), what_(std::move(what)) {}

  template <typename T>
  T Get() {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, Take(sizeof(T)), sizeof(T));
    return value;
  }

  template <typename T>
  std::vector<T> GetVector() {
    const uint64_t count = GetCount(sizeof(T));
    std::vector<T> values(count);
    if (count > 0) std::memcpy(values.data(), Take(count * sizeof(T)), count * sizeof(T));
    return values;
  }

  // Reads exactly values.size() elements into memory the caller owns.
  template <typename T>
  void GetInto(std::span<T> values) {
    ExpectCount(GetCount(sizeof(T)), values.size());
    if (!values.empty()) std::memcpy(values.data(), Take(values.size_bytes()), values.size_bytes());
  }

  std::string GetString() { return std::string(GetView()); }

  // Reads a string without copying it. The view is valid as long as the underlying bytes.
  std::string_view GetView() {
    const uint64_t count = GetCount(1);
    return {Take(count), count};
  }

  bool AtEnd() const { return rest_.empty(); }
  void ExpectEnd() const;

 private:
  const char* Take(size_t size);
  uint64_t GetCount(size_t element_size);
  void ExpectCount(uint64_t found, uint64_t expected) const;

  std::string_view rest_;
  std::string what_;
};

// CRC-32C (Castagnoli), the checksum of checkpoints and of TensorBoard's event files.
uint32_t Crc32c(std::string_view bytes);

// 64-bit hash that identifies contents. Inputs that differ in a single 8-byte word never collide;
// others almost never do. Hashes a few gigabytes per second; not secure against deliberate
// collisions.
uint64_t Fingerprint(std::string_view bytes);

// A destination for bytes whose memory may belong to someone else, such as a message being built.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  // Returns memory for `size` bytes, keeping what was already written. The last size requested is
  // the size of the whole. Invalidates memory returned earlier.
  virtual std::byte* Resize(size_t size) = 0;

  void Write(std::string_view bytes) {
    std::byte* to = Resize(bytes.size());
    if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
  }
};

// One contiguous block of memory, allocated once and aligned for vector loads. Holds a rollout
// batch.
class Blob : public ByteSink {
 public:
  explicit Blob(size_t size = 0);
  // Copies bytes that came from elsewhere (the object store, a file).
  explicit Blob(std::string_view bytes);

  std::byte* data() { return data_.get(); }
  const std::byte* data() const { return data_.get(); }
  size_t size() const { return size_; }
  // Keeps the contents that fit; new memory is not initialised.
  std::byte* Resize(size_t size) override;
  std::string_view view() const { return {reinterpret_cast<const char*>(data_.get()), size_}; }

 private:
  struct Free {
    void operator()(std::byte* p) const;
  };
  size_t size_;
  size_t capacity_;
  std::unique_ptr<std::byte, Free> data_;
};

using SharedBlob = std::shared_ptr<const Blob>;

}  // namespace dray
