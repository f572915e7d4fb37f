#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace dray {

// A file that only grows. What Append was given is with the operating system when it returns, so
// that a killed process loses nothing.
class AppendFile {
 public:
  explicit AppendFile(const std::string& path);
  // Tries once more to write what could not be written.
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // On an Error (a full disk) the file ends where it did before. The record is kept, and goes first
  // with the next one; of more than kMostWaiting bytes, the oldest records are dropped. A file that
  // was deleted is begun again.
  void Append(std::string_view record);
  // All that was appended outlives a loss of power; an Error also when some of it still waits.
  void Sync();

  static constexpr size_t kMostWaiting = 16 << 20;

 private:
  void WriteWaiting();
  void Write(std::string_view record);
  void ReopenIfDeleted();

  std::string path_;
  int fd_;
  std::deque<std::string> waiting_;  // records that are not in the file
  size_t waiting_bytes_ = 0;
};

}  // namespace dray
