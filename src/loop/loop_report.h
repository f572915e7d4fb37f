#pragma once

#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/evaluation_report.h"
#include "src/learn/update_report.h"
#include "src/loop/coordinator.h"
#include "src/metrics/report.h"

namespace dray {

// Parts of a report that are the same for every runner.

// Records the epoch and the metrics without a prefix.
void RecordCounters(const Coordinator& loop, Report& report);
// Records the numbers of the newest update (Combine::kLast).
void RecordUpdate(const UpdateReport& update, Report& report);
// Returns a line for a person about an update that looks diverged, once; empty: nothing new.
std::string DivergenceLine(const UpdateReport& update, const UpdateReport& before,
                           PpoConfig::OnDivergence on_divergence);
// Records batches/, updates/ and actors/.
void RecordLosses(const Coordinator& loop, Report& report);
// Records eval/, with the episode statistics under these names.
void RecordEvaluation(const EvaluationReport& evaluation,
                      const std::vector<std::string>& stat_names, Report& report);

}  // namespace dray
