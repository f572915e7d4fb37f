#pragma once

namespace dray {

// Registers every task of envs.bzl, in that order. Further calls do nothing. Thread-safe.
void RegisterAllTasks();

}  // namespace dray
