// Arguments of FusedStep's kernels. Like loss_terms.h, this file is included by fused_step.cc and
// is part of the kernels' source.
#ifndef __CUDACC_RTC__
#pragma once
#endif

namespace dray {

// Memory that PickRows copies rows from and to.
struct Column {
  const char* from = nullptr;
  char* to = nullptr;
  long long bytes = 0;  // size of a row
};
static_assert(sizeof(Column) == 24, "the layout is the same on both sides");

struct Columns {
  Column all[8];
  int count = 0;
};
static_assert(sizeof(Columns) == 8 * sizeof(Column) + 8, "the layout is the same on both sides");

struct PolicySettings {
  float clip;
  float policy_coefficient;
  float entropy_coefficient;
  float appraisal_coefficient;
  float logits_per_reward;  // 1 / appraisal temperature
};
static_assert(sizeof(PolicySettings) == 5 * sizeof(float), "the layout is the same on both sides");

}  // namespace dray
