#pragma once

#include <string>
#include <string_view>

namespace dray {

// A file that only grows. What Append was given is with the operating system when it returns, so
// that a killed process loses nothing; on an Error (a full disk) the file ends where it did before.
class AppendFile {
 public:
  explicit AppendFile(const std::string& path);
  ~AppendFile();
  AppendFile(const AppendFile&) = delete;
  AppendFile& operator=(const AppendFile&) = delete;

  void Append(std::string_view bytes);

 private:
  std::string path_;
  int fd_;
};

}  // namespace dray
