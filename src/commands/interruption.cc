#include "src/commands/interruption.h"

#include <csignal>

namespace dray {
namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

void CatchInterruptions() {
  struct sigaction action {};
  action.sa_handler = [](int) {
    interrupted = 1;
    ::signal(SIGINT, SIG_DFL);
    ::signal(SIGTERM, SIG_DFL);
  };
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
}

bool Interrupted() { return interrupted != 0; }

}  // namespace dray
