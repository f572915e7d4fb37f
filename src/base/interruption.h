#pragma once

#include <string_view>

namespace dray {

// Handles signals from now on. The first SIGINT, SIGTERM or SIGHUP asks for an orderly end; a
// second one ends the process at once. Five seconds after SIGTERM or SIGHUP the process ends in any
// case, because their senders do not wait for long, and prints the consequences, `left_behind`, to
// stderr. A SIGHUP ignored by nohup stays ignored. A closed pipe (`train | head`) no longer ends
// the process; its output is dropped.
void CatchInterruptions(std::string_view left_behind);

// Returns true once such a signal has arrived.
bool Interrupted();

// Thrown when a signal ended the work early but in an orderly way. Not an Error, because nothing
// went wrong.
class Interruption {
 public:
  // Records the signal that has arrived.
  Interruption();
  // 128 plus the signal's number, as a shell reports a process ended by it: 130, 143, 129.
  int exit_code() const { return exit_code_; }

 private:
  int exit_code_;
};

}  // namespace dray
