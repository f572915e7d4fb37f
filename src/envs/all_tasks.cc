#include "src/envs/all_tasks.h"

#include "src/env/registry.h"
#include "src/env/task.h"

namespace dray {

namespace tasks {
#define TASK(name) Task name();
DRAY_TASKS
#undef TASK
}  // namespace tasks

void RegisterAllTasks() {
  static const bool registered = [] {
    RegisterTasks({
#define TASK(name) tasks::name(),
        DRAY_TASKS
#undef TASK
    });
    return true;
  }();
  static_cast<void>(registered);
}

}  // namespace dray
