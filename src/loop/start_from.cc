#include "src/loop/start_from.h"

#include "src/base/error.h"
#include "src/loop/checkpoint.h"

namespace dray {

void StartFromCheckpoint(const Config& config, Learner& learner) {
  const std::string& path = config.run().init_from();
  if (path.empty()) return;
  const Checkpoint checkpoint = CheckpointStore::LoadFile(path);
  try {
    learner.StartFrom(checkpoint.learner);
  } catch (const std::exception& error) {
    throw UsageError("run.init_from: ", path, " does not fit this run (", error.what(),
                     "): its task, network and ppo.value_epochs must be the same");
  }
}

}  // namespace dray
