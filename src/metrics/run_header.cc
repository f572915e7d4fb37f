#include "src/metrics/run_header.h"

#include <vector>

#include "src/base/error.h"
#include "src/metrics/format.h"

namespace dray {
namespace {

constexpr int kRuleWidth = 80;

std::string Counted(int64_t count, const char* one) {
  return Cat(count, " ", one, count == 1 ? "" : "s");
}

std::string EpochMeaning(const RunHeader& header) {
  if (header.epoch_episodes > 0)
    return Cat("1 epoch = ", Counted(header.epoch_episodes, "episode"));
  return Cat("1 epoch = ", Counted(header.epoch_steps_per_env, "step"), " x ",
             Counted(header.num_envs, "environment"), " = ",
             Counted(header.epoch_steps_per_env * header.num_envs, "sample"));
}

std::string Limits(const RunHeader& header) {
  std::vector<std::string> parts;
  if (header.episodes > 0) parts.push_back(Cat("episodes ", header.episodes));
  if (header.total_steps > 0) parts.push_back(Cat("steps ", header.total_steps));
  const std::string epochs = header.epochs > 0 ? Cat("epochs ", header.epochs) : "epochs no limit";
  parts.push_back(Cat(epochs, " (", EpochMeaning(header), ")"));
  if (header.duration_s > 0) parts.push_back("at most " + FormatDuration(header.duration_s));
  std::string line;
  for (const std::string& part : parts) line += (line.empty() ? "" : " · ") + part;
  line[0] = static_cast<char>(line[0] - 'a' + 'A');
  return line;
}

}  // namespace

std::string HeaderText(const RunHeader& header) {
  const std::string rule = std::string(kRuleWidth, '=') + "\n";
  const std::string resumed = header.resumed_from_epoch > 0
                                  ? Cat(" · resumed after epoch ", header.resumed_from_epoch)
                                  : "";
  return Cat(rule, "Training ", header.environment, " with PPO  ·  ",
             Counted(header.num_envs, "environment"), " in ", Counted(header.num_shards, "shard"),
             "  ·  runner ", header.runner, "  ·  ", header.device, "\n", Limits(header),
             " · seed ", header.seed, " · run ", header.run_dir, resumed, "\n", rule);
}

}  // namespace dray
