#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "src/oracle/neural/sequence_net_shape.h"

namespace dray {

// What the command train_oracle was asked to do.
struct TrainOracleOptions {
  bool help = false;
  std::string out;
  std::string curve;   // empty: beside `out`
  std::string resume;  // empty: random weights
  SequenceNetShape shape;
  int requests_min = 1;
  int requests_max = 30;
  int batch = 256;
  int starts = 32;
  int steps = 0;  // 0: as many as the minutes allow
  double minutes = 10;
  double learning_rate = 3e-4;
  uint64_t seed = 1;
  int threads = 0;  // 0: all cores
  std::string device = "auto";
  int validation = 256;  // problems
  int validate_every = 250;
  int reference_rounds = 3000;
};

// `arguments` without the program's name. A mistake is an Error of one line. With --help nothing
// else is looked at.
TrainOracleOptions ParseTrainOracleOptions(std::span<const std::string> arguments);

// What --help prints.
std::string TrainOracleHelp();

}  // namespace dray
