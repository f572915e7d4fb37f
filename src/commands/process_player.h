#pragma once

#include <sys/types.h>

#include <string>

#include "src/env/env.h"
#include "src/env/player.h"

namespace dray {

// A player that is a program of the user's own, in any language. It is started once, by the shell,
// in the folder where the user stands;
// for each step it reads one line of JSON,
//   {"episode": 1, "step": 0, "observation": [0, 1, ...], "mask": [1, 0, ...]}
// ("mask", 1 = allowed, where actions may be forbidden), and answers with one line: the number of
// its action, or, where actions are continuous, their values with spaces between them. Its standard
// error is the terminal's. When all is played its input ends, and so should it.
class ProcessPlayer : public Player {
 public:
  // One that cannot be started is an Error, as are an answer that is no action, none within
  // kPatience_s, and an early end.
  ProcessPlayer(const std::string& command, const EnvSpec& spec);
  ~ProcessPlayer() override;
  ProcessPlayer(const ProcessPlayer&) = delete;
  ProcessPlayer& operator=(const ProcessPlayer&) = delete;

  // One environment at a time.
  void Begin(int first, int count) override;
  void Act(const Observed& observed, const ActionSlots& actions) override;

  static constexpr int kPatience_s = 60;

 private:
  void Send(const std::string& line);
  std::string ReadLine();
  void ReadIndex(const std::string& answer, const Observed& observed, const ActionSlots& actions);
  void ReadValues(const std::string& answer, const ActionSlots& actions) const;
  // "--policy process:COMMAND, episode 1, step 0: " and what is wrong.
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
