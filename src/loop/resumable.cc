#include "src/loop/resumable.h"

#include "src/base/error.h"
#include "src/config/dump.h"
#include "src/config/yaml_loader.h"

namespace dray {
namespace {

// What may change between a checkpoint and the run that goes on from it.
bool MayChange(const std::string& path) {
  for (const char* prefix :
       {"run.", "evaluation.", "train.epochs", "train.episodes", "train.total_steps",
        "train.duration_s", "train.early_stop", "scale.threads", "scale.learner_threads",
        "scale.envs_per_shard", "scale.num_workers", "ray."}) {
    if (path.starts_with(prefix)) return true;
  }
  return false;
}

}  // namespace

void CheckResumable(const Checkpoint& checkpoint, const Config& config,
                    const SettingSource& where_set) {
  Config trained_with;
  LoadYamlText(checkpoint.config_yaml, "the checkpoint's config", &trained_with);
  for (const ChangedKey& key : ChangedKeys(trained_with, config)) {
    if (MayChange(key.path)) continue;
    throw UsageError(where_set(key.path), ": ", key.path, " changed since the checkpoint, from ",
                     key.before, " to ", key.after,
                     ": set it back, or start a new run in another --run-dir");
  }
}

}  // namespace dray
