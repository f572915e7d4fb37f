#include "src/output/run_header.h"

#include <cctype>

#include "src/base/error.h"
#include "src/output/format.h"
#include "src/output/wrapped_line.h"

namespace dray {
namespace {

std::string EpochMeaning(const RunHeader& header) {
  if (header.epoch_episodes > 0)
    return Cat("1 epoch = ", FormatCounted(header.epoch_episodes, "episode"));
  return Cat("1 epoch = ", FormatCounted(header.epoch_steps_per_env, "step"), " x ",
             FormatCounted(header.num_envs, "environment"), " = ",
             FormatCounted(header.epoch_steps_per_env * header.num_envs, "sample"));
}

void AddLimits(const RunHeader& header, WrappedLine* line) {
  if (header.episodes > 0) line->Add(Cat("episodes ", header.episodes));
  if (header.total_steps > 0) line->Add(Cat("steps ", header.total_steps));
  const std::string epochs = header.epochs > 0 ? Cat("epochs ", header.epochs) : "epochs no limit";
  line->Add(Cat(epochs, " (", EpochMeaning(header), ")"));
  if (header.duration_s > 0) line->Add("at most " + FormatDuration(header.duration_s));
}

}  // namespace

std::string HeaderText(const RunHeader& header, size_t columns) {
  WrappedLine what;
  what.Add(Cat("Training ", header.environment, " ", header.method));
  what.Add(Cat(FormatCounted(header.num_envs, "environment"), " in ",
               FormatCounted(header.num_shards, "shard")));
  what.Add("runner " + header.runner);
  what.Add(header.device);
  WrappedLine how;
  AddLimits(header, &how);
  how.Add(Cat("seed ", header.seed));
  how.Add("run " + header.run_dir);
  if (header.resumed_from_epoch > 0)
    how.Add(Cat("resumed after epoch ", header.resumed_from_epoch));
  const std::string rule = std::string(columns, '=') + "\n";
  std::string text = rule;
  for (const WrappedLine& line : {what, how}) {
    std::vector<std::string> lines = line.Wrapped(columns, "", "  ");
    lines[0][0] = std::toupper(lines[0][0]);
    for (const std::string& each : lines) text += each + "\n";
  }
  return text + rule;
}

}  // namespace dray
