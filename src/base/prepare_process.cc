#include "src/base/prepare_process.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>

namespace dray {

void PrepareProcess() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // open returns the lowest free number.
    if (::fcntl(descriptor, F_GETFD) < 0) (void)::open("/dev/null", O_RDWR);
  }
  std::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace dray
