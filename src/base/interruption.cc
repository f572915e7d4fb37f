#include "src/base/interruption.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr unsigned kPatience_s = 5;
constexpr int kExitCodeOfSignal = 128;

volatile std::sig_atomic_t interrupted_by = 0;
char last_words[256];
size_t last_words_size = 0;

bool IsIgnored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

// Signal handlers only call async-signal-safe functions.
void OnTimeIsUp(int) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, last_words, last_words_size);
  ::_exit(kExitCodeOfSignal + interrupted_by);
}

void OnInterruption(int number) {
  interrupted_by = number;
  for (const int each : kSignals) {
    if (!IsIgnored(each)) ::signal(each, SIG_DFL);
  }
  if (number != SIGINT) ::alarm(kPatience_s);
}

void Handle(int number, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigaction(number, &action, nullptr);
}

}  // namespace

void CatchInterruptions(std::string_view left_behind) {
  const int size =
      std::snprintf(last_words, sizeof(last_words),
                    "\ndray: did not finish within %u s; stopped immediately; %.*s\n", kPatience_s,
                    static_cast<int>(left_behind.size()), left_behind.data());
  last_words_size = std::min<size_t>(size, sizeof(last_words) - 1);
  Handle(SIGALRM, OnTimeIsUp);
  for (const int number : kSignals) {
    if (number != SIGHUP || !IsIgnored(SIGHUP)) Handle(number, OnInterruption);
  }
  ::signal(SIGPIPE, SIG_IGN);
}

bool Interrupted() { return interrupted_by != 0; }

Interruption::Interruption() : exit_code_(kExitCodeOfSignal + interrupted_by) {
  DRAY_CHECK(Interrupted());
}

}  // namespace dray
