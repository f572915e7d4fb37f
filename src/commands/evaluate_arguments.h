#pragma once

#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/config/flags.h"
#include "src/config/overrides.h"
#include "src/env/drawn_episodes.h"

namespace dray {

// Arguments of the command evaluate.
struct EvaluateArguments {
  Config config;                    // the defaults or --config, with the overrides
  std::string config_file;          // empty: use the run's own settings
  std::vector<Override> overrides;  // to be applied to the run's own settings by ApplyOverrides
  std::string checkpoint;           // empty: the newest in run.dir
  bool render = false;
  std::string render_folder;  // empty: print to the terminal
  DrawnEpisodes drawn;        // episodes to draw
  std::vector<std::string> baselines;
  std::string policy;          // scripted policy; empty: the trained one
  bool with_run = false;       // --run-dir or --checkpoint was given
  std::string every_value_of;  // setting given as --<setting> all; empty: none
  std::string out;             // folder for reports; empty: none
  bool json = false;
};

std::vector<Flag> EvaluateFlags();

EvaluateArguments ReadEvaluateArguments(const GivenFlags& given);

}  // namespace dray
