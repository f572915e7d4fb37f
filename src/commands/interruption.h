#pragma once

#include <string_view>

namespace dray {

// From now on the first SIGINT, SIGTERM or SIGHUP asks for an orderly end; a second one, of any
// kind, ends the process as it would have anyway. What is not in order five seconds after SIGTERM
// or SIGHUP ends then, and stderr is told what that means, `left_behind`: whoever sends these does
// not wait for long. A SIGHUP that nohup had ignored stays ignored. A reader that goes away
// (`train | head`) no longer ends the process: its output is dropped.
void CatchInterruptions(std::string_view left_behind);

// Whether one has come.
bool Interrupted();

// To be thrown when the work was ended early by a signal, in good order and with everything said.
// Not an Error: nothing went wrong.
class Interruption {
 public:
  // By the signal that has come.
  Interruption();
  // 128 + its number, as a shell has it for a process that the signal ended: 130, 143, 129.
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace dray
