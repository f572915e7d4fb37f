#include "src/metrics/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "src/base/file.h"

namespace dray {
namespace {

off_t SizeOf(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_size : -1;
}

}  // namespace

AppendFile::AppendFile(const std::string& path)
    : path_(path), fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644)) {
  if (fd_ < 0) throw CannotWrite(path_, errno);
}

AppendFile::~AppendFile() { ::close(fd_); }

void AppendFile::Append(std::string_view bytes) {
  const off_t size_before = SizeOf(fd_);
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // Half a record would spoil the file for its readers; where this fails, the error stands.
      if (size_before >= 0) [[maybe_unused]]
        const int cut = ::ftruncate(fd_, size_before);
      throw CannotWrite(path_, error);
    }
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

}  // namespace dray
