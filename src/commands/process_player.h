#pragma once

#include <sys/types.h>

#include <string>

#include "src/env/env.h"
#include "src/env/player.h"

namespace dray {

// Plays with the user's own program, in any language. The shell starts it once, in the user's
// folder. For each step it reads one line of JSON,
//   {"episode": 1, "step": 0, "observation": [0, 1, ...], "mask": [1, 0, ...]}
// ("mask" only if actions may be forbidden; 1 = allowed), and answers with one line: the number of
// its action or, for continuous actions, their values separated by spaces. Its standard error goes
// to the terminal. Its input is closed after the last episode, and it should then end.
class ProcessPlayer : public Player {
 public:
  // Throws an Error if the program cannot be started. An answer that is not an action, none within
  // kPatience_s, and an early end are Errors too.
  ProcessPlayer(const std::string& command, const EnvSpec& spec);
  ~ProcessPlayer() override;
  ProcessPlayer(const ProcessPlayer&) = delete;
  ProcessPlayer& operator=(const ProcessPlayer&) = delete;

  // Plays one environment at a time.
  void Begin(int first, int count) override;
  void Act(const Observed& observed, const ActionSlots& actions) override;

  static constexpr int kPatience_s = 60;

 private:
  void Send(const std::string& line);
  std::string ReadLine();
  void ReadIndex(const std::string& answer, const Observed& observed, const ActionSlots& actions);
  void ReadValues(const std::string& answer, const ActionSlots& actions) const;
  // Throws "--policy process:COMMAND, episode 1, step 0: " and what went wrong.
  [[noreturn]] void Fail(const std::string& what) const;

  const std::string command_;
  const EnvSpec spec_;
  pid_t process_ = -1;
  int socket_ = -1;
  std::string unread_;
  int episode_ = 0;
  int step_ = 0;
};

}  // namespace dray
