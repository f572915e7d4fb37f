#pragma once

#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/config/flags.h"
#include "src/config/overrides.h"
#include "src/env/drawn_episodes.h"

namespace dray {

// What the command evaluate was asked to do.
struct EvaluateArguments {
  Config config;                    // the defaults, or those of --config, with the overrides
  std::string config_file;          // empty: a run brings its own settings
  std::vector<Override> overrides;  // for the run's own settings, with ApplyOverrides
  std::string checkpoint;           // empty: the newest of run.dir
  bool render = false;
  std::string render_folder;  // empty: to the terminal
  DrawnEpisodes drawn;        // those to draw
  std::vector<std::string> baselines;
  std::string policy;          // scripted; empty: the trained one
  bool with_run = false;       // --run-dir or --checkpoint was given
  std::string every_value_of;  // the setting of --<setting> all; empty: none
  std::string out;             // folder for reports; empty: none
  bool json = false;
};

EvaluateArguments ReadEvaluateArguments(const GivenFlags& given);

}  // namespace dray
