#include "src/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "src/base/error.h"

namespace dray {
namespace {

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

void WriteAndSync(const std::string& path, std::string_view bytes, std::string_view flag) {
  const Descriptor file(OpenToWrite(path, O_WRONLY | O_TRUNC, flag));
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw CannotWrite(path, errno, flag);
    bytes.remove_prefix(written);
  }
  if (::fsync(file.get()) != 0) throw CannotWrite(path, errno, flag);
}

const char* KindOf(mode_t mode) {
  return S_ISFIFO(mode) ? "pipe" : S_ISSOCK(mode) ? "socket" : "device";
}

Error CannotRead(const std::string& path, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return Error(missing ? Error::Kind::kUsage : Error::Kind::kFailure,
               Cat("cannot read ", path, ": ", std::strerror(error)));
}

}  // namespace

Error CannotWrite(const std::string& path, int error, std::string_view flag) {
  const char* remedy =
      error == ENOSPC || error == EDQUOT ? " (free some space, or choose another folder with "
      : error == EFBIG ? " (raise the file size limit, ulimit -f, or choose another folder with "
                       : " (choose another folder with ";
  return Failure("cannot write ", path, ": ", std::strerror(error), remedy, flag, ")");
}

int OpenToWrite(const std::string& path, int flags, std::string_view flag) {
  // Nonblocking, because opening a pipe would otherwise wait for a reader.
  const int fd = ::open(path.c_str(), flags | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0644);
  const int error = errno;
  struct stat status = {};
  const bool known = (fd >= 0 ? ::fstat(fd, &status) : ::stat(path.c_str(), &status)) == 0;
  const bool is_file = !known || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode);
  if (fd >= 0 && is_file) return fd;
  if (fd >= 0) ::close(fd);
  if (is_file) throw CannotWrite(path, error, flag);
  throw Failure("cannot write ", path, ": it is a ", KindOf(status.st_mode),
                ", not a file (remove it, or choose another folder with ", flag, ")");
}

std::string ReadFile(const std::string& path) {
  // Nonblocking, because opening a pipe would otherwise wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status = {};
  if (file.get() < 0 || ::fstat(file.get(), &status) != 0) throw CannotRead(path, errno);
  if (S_ISDIR(status.st_mode)) throw Failure("cannot read ", path, ": it is a folder");
  if (!S_ISREG(status.st_mode)) {
    throw Failure("cannot read ", path, ": it is a ", KindOf(status.st_mode),
                  ", not a file; write its contents to a file and name that");
  }
  std::string text;
  text.reserve(status.st_size);
  std::array<char, 1 << 16> block;
  while (true) {
    const ssize_t count = ::read(file.get(), block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw CannotRead(path, errno);
    if (count == 0) return text;
    text.append(block.data(), count);
  }
}

void WriteFileAtomically(const std::string& path, std::string_view bytes, std::string_view flag) {
  const std::string aside = path + ".tmp";
  try {
    WriteAndSync(aside, bytes, flag);
  } catch (const Error&) {
    ::unlink(aside.c_str());
    throw;
  }
  if (::rename(aside.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::unlink(aside.c_str());
    throw CannotWrite(path, error, flag);
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  const Descriptor parent(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() >= 0) ::fsync(parent.get());
}

void MakeWritableFolder(const std::string& path, std::string_view flag) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) throw CannotWrite(path, error.value(), flag);
  // Checking permissions is not enough (full or read-only file system), so try.
  const std::string probe = path + "/.writable";
  WriteAndSync(probe, "\n", flag);
  ::unlink(probe.c_str());
}

}  // namespace dray
