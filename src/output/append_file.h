#pragma once

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

namespace dray {

// A file that only grows. When Append returns, the operating system has the record, so a killed
// process loses nothing.
class AppendFile {
 public:
  explicit AppendFile(const std::string& path);
  // Makes a last attempt to write pending records.
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  // If writing fails (full disk), throws an Error and leaves the file as it was. The record is kept
  // and written before the next one; beyond kMostWaiting bytes, the oldest records are dropped. A
  // file that was deleted is created again.
  void Append(std::string_view record);
  // Makes all records survive a loss of power. Throws an Error if some could not be written.
  void Sync();

  static constexpr size_t kMostWaiting = 16 << 20;

 private:
  void WriteWaiting();
  void Write(std::string_view record);
  void ReopenIfDeleted();

  std::string path_;
  int fd_;
  std::deque<std::string> waiting_;  // pending records
  size_t waiting_bytes_ = 0;
};

}  // namespace dray
