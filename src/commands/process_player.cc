#include "src/commands/process_player.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <sstream>
#include <thread>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/config/user_path.h"
#include "src/output/format.h"

namespace dray {
namespace {

constexpr size_t kMostAnswer = 1 << 20;  // longest line in bytes
constexpr auto kGrace = std::chrono::seconds(1);

// The program's input and output are one socket, so that writing to a program that has ended is an
// error here and not a signal.
pid_t Start(const std::string& command, int end) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, end, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, end, STDOUT_FILENO);
  posix_spawn_file_actions_addchdir_np(&files, UserPath(".").c_str());
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::string shell = "/bin/sh", option = "-c", text = command;
  char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
  pid_t process = -1;
  const int error = ::posix_spawn(&process, shell.c_str(), &files, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  return error == 0 ? process : -1;
}

}  // namespace

ProcessPlayer::ProcessPlayer(const std::string& command, const EnvSpec& spec)
    : command_(command), spec_(spec) {
  if (command.empty()) {
    throw UsageError("--policy process: names no program; expected process:COMMAND");
  }
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Failure("--policy process:", command, ": ", std::strerror(errno));
  }
  socket_ = ends[0];
  process_ = Start(command, ends[1]);
  ::close(ends[1]);
  if (process_ < 0) {
    ::close(socket_);
    throw Failure("--policy process:", command, ": the shell cannot be started");
  }
}

ProcessPlayer::~ProcessPlayer() {
  ::shutdown(socket_, SHUT_WR);
  const auto until = std::chrono::steady_clock::now() + kGrace;
  int status = 0;
  while (::waitpid(process_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) {
      ::kill(-process_, SIGKILL);
      ::waitpid(process_, &status, 0);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::close(socket_);
}

void ProcessPlayer::Begin(int first, int count) {
  DRAY_CHECK_EQ(count, 1);
  episode_ = first + 1;
  step_ = 0;
}

void ProcessPlayer::Act(const Observed& observed, const ActionSlots& actions) {
  Json line = {{"episode", episode_}, {"step", step_}, {"observation", observed.observations}};
  if (!observed.masks.empty()) line["mask"] = observed.masks;
  Send(JsonText(line) + "\n");
  const std::string answer = ReadLine();
  if (spec_.actions.discrete()) {
    ReadIndex(answer, observed, actions);
  } else {
    ReadValues(answer, actions);
  }
  ++step_;
}

void ProcessPlayer::Fail(const std::string& what) const {
  throw Failure("--policy process:", command_, ", episode ", episode_, ", step ", step_, ": ",
                what);
}

void ProcessPlayer::Send(const std::string& line) {
  for (size_t sent = 0; sent < line.size();) {
    const ssize_t count = ::send(socket_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) Fail("the program has ended; see what it wrote above");
    sent += count;
  }
}

std::string ProcessPlayer::ReadLine() {
  for (;;) {
    const size_t end = unread_.find('\n');
    if (end != unread_.npos) {
      const std::string line = unread_.substr(0, end);
      unread_.erase(0, end + 1);
      return line;
    }
    if (unread_.size() > kMostAnswer) Fail("its answer has no end of line");
    pollfd ready = {.fd = socket_, .events = POLLIN, .revents = 0};
    const int found = ::poll(&ready, 1, kPatience_s * 1000);
    if (found < 0 && errno == EINTR) continue;
    if (found == 0) {
      Fail(Cat("no answer within ", kPatience_s,
               " s; does the program end each answer with a line end, and flush it?"));
    }
    char buffer[4096];
    const ssize_t count = ::recv(socket_, buffer, sizeof(buffer), 0);
    if (count <= 0) Fail("the program ended without an answer; see what it wrote above");
    unread_.append(buffer, count);
  }
}

void ProcessPlayer::ReadIndex(const std::string& answer, const Observed& observed,
                              const ActionSlots& actions) {
  const int count = spec_.actions.count;
  int index = -1;
  const char* const end = answer.data() + answer.size();
  const auto [stopped, error] = std::from_chars(answer.data(), end, index);
  const bool rest_is_space =
      answer.find_first_not_of(" \t\r", stopped - answer.data()) == std::string::npos;
  if (error != std::errc() || !rest_is_space || index < 0 || index >= count) {
    Fail(Cat("'", answer.substr(0, 40), "' is not an action; expected a number from 0 to ",
             count - 1));
  }
  if (!observed.masks.empty() && observed.masks[index] == 0) {
    Fail(Cat("action ", index, " is forbidden here: its mask is 0"));
  }
  actions.indices[0] = index;
}

void ProcessPlayer::ReadValues(const std::string& answer, const ActionSlots& actions) const {
  std::istringstream words(answer);
  for (float& value : actions.values) {
    if (!(words >> value) || !std::isfinite(value)) {
      Fail(Cat("'", answer.substr(0, 40), "' is not an action; expected ",
               FormatCounted(std::ssize(actions.values), "number"),
               actions.values.size() == 1 ? "" : " separated by spaces"));
    }
  }
}

}  // namespace dray
