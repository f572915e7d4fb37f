#include "src/output/append_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "src/base/error.h"
#include "src/base/file.h"

namespace dray {
namespace {

int Open(const std::string& path) { return OpenToWrite(path, O_WRONLY | O_APPEND); }

off_t SizeOf(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_size : -1;
}

}  // namespace

AppendFile::AppendFile(const std::string& path) : path_(path), fd_(Open(path)) {}

AppendFile::~AppendFile() {
  try {
    WriteWaiting();
  } catch (const Error&) {
    // Append has already reported it.
  }
  ::close(fd_);
}

void AppendFile::Append(std::string_view record) {
  waiting_.emplace_back(record);
  waiting_bytes_ += record.size();
  WriteWaiting();
}

void AppendFile::WriteWaiting() {
  try {
    if (!waiting_.empty()) ReopenIfDeleted();
    for (; !waiting_.empty(); waiting_.pop_front()) {
      Write(waiting_.front());
      waiting_bytes_ -= waiting_.front().size();
    }
  } catch (const Error&) {
    for (; waiting_bytes_ > kMostWaiting; waiting_.pop_front()) {
      waiting_bytes_ -= waiting_.front().size();
    }
    throw;
  }
}

void AppendFile::Write(std::string_view record) {
  const off_t size_before = SizeOf(fd_);
  while (!record.empty()) {
    const ssize_t written = ::write(fd_, record.data(), record.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // Half a record would corrupt the file for its readers. If truncating fails too, the first
      // error is the one to report.
      if (size_before >= 0) [[maybe_unused]]
        const int cut = ::ftruncate(fd_, size_before);
      throw CannotWrite(path_, error);
    }
    record.remove_prefix(written);
  }
}

void AppendFile::ReopenIfDeleted() {
  struct stat status {};
  if (::fstat(fd_, &status) != 0 || status.st_nlink > 0) return;
  const int fd = Open(path_);
  ::close(fd_);
  fd_ = fd;
}

void AppendFile::Sync() {
  WriteWaiting();
  if (::fdatasync(fd_) != 0) throw CannotWrite(path_, errno);
}

}  // namespace dray
