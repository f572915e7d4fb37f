// Registers the tasks before main, for tests that make environments by name.

#include "src/envs/all_tasks.h"

namespace dray {
namespace {

[[maybe_unused]] const bool registered = (RegisterAllTasks(), true);

}  // namespace
}  // namespace dray
