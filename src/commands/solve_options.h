#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/routing/read_options.h"

namespace dray {

// What the command solve was asked to do.
struct SolveOptions {
  bool help = false;
  std::string instance;
  std::string oracle = "ruin_recreate";
  int rounds = 1000;
  int seeds = 1;
  uint64_t seed = 0;
  bool fewest_vehicles = false;
  int starts = 1;
  std::string weights;  // empty: those shipped
  std::string device = "auto";
  ReadOptions reading;
  std::string out;
  std::string render;  // folder for pictures; empty: none
  bool clock = false;
  bool json = false;
};

// `arguments` without the program's name. A mistake is an Error of one line. With --help nothing
// else is looked at.
SolveOptions ParseSolveOptions(std::span<const std::string> arguments);

// What --help prints.
std::string SolveHelp();

}  // namespace dray
