#pragma once

#include <span>
#include <string>

namespace dray {

// Time that an actor spent, in seconds, and memory of its process.
struct ActorAccount {
  std::string name;
  double busy_s = 0;      // working, by its own count
  double waiting_s = 0;   // idle
  double transfer_s = 0;  // between calls and their answers, not counting busy_s
  double memory_mb = 0;
};

// Returns a table for a person: one line per actor, with shares of its time.
std::string ActorTable(std::span<const ActorAccount> actors);

}  // namespace dray
