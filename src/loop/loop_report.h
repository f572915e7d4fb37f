#pragma once

#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/env/evaluation_report.h"
#include "src/learn/update_report.h"
#include "src/loop/coordinator.h"
#include "src/metrics/report.h"

namespace dray {

// The parts of a report that are the same whoever turns the loop.

// How far it is: the epoch and the metrics without a prefix.
void RecordCounters(const Coordinator& loop, Report& report);
// train/ and lag/
void RecordUpdate(const UpdateReport& update, Report& report);
// What to tell a person of an update that looks bad, once; empty: nothing new.
std::string DivergenceLine(const UpdateReport& update, const UpdateReport& before,
                           PpoConfig::OnDivergence on_divergence);
// batches/, updates/ and actors/
void RecordLosses(const Coordinator& loop, Report& report);
// eval/, with the statistics of episodes under these names
void RecordEvaluation(const EvaluationReport& evaluation,
                      const std::vector<std::string>& stat_names, Report& report);

}  // namespace dray
