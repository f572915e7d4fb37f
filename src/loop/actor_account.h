#pragma once

#include <span>
#include <string>

namespace dray {

// Where an actor's time went, in seconds, and how much memory its process has.
struct ActorAccount {
  std::string name;
  double busy_s = 0;      // in its role, by its own count
  double waiting_s = 0;   // for something to do
  double transfer_s = 0;  // from calls to their answers, less busy_s
  double memory_mb = 0;
};

// A table for a person: a line per actor, with shares of its time.
std::string ActorTable(std::span<const ActorAccount> actors);

}  // namespace dray
