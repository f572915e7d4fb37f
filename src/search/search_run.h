#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "src/base/stopwatch.h"
#include "src/config/config.pb.h"
#include "src/metrics/report.h"
#include "src/output/failed_writes.h"
#include "src/search/order_effect.h"
#include "src/search/order_search.h"
#include "src/search/search_report.h"
#include "src/search/trial_log.h"
#include "src/search/trial_runner.h"

namespace dray {

// Runs a search in its folder: chooses orders, trains them, stores each result at once, and
// reports. A resumed search repeats its choices and takes existing results from the log, so it
// makes the same choices as without the interruption.
//
//   trials.jsonl   one line per finished trial
//   workflow-001/  the run folder of each trial
//   search.csv, orders.csv, search.json, report.md and its pictures are rewritten after each round;
//   whether the order matters is examined once, at the end
//   events.out.*   the same numbers for TensorBoard, over the trials
class SearchRun {
 public:
  // Trains `parallel` orders per round. The configured number of workflows may grow when a search
  // is resumed.
  SearchRun(const Config& config, const std::string& folder, std::vector<std::string> items,
            std::ostream& out);

  // Runs to the end, or until `interrupted`. The sinks get each trial's report in order.
  void Run(TrialRunner& runner, const TrialRunner::Interrupted& interrupted,
           std::span<const std::unique_ptr<ReportSink>> sinks = {});

  const std::vector<FinishedTrial>& trials() const { return trials_; }
  SearchFindings Findings() const;

 private:
  std::vector<Trial> NextRound() const;
  // Seed of the next training of this order, after the known ones and those of the round so far.
  // The k-th training of every order has the same seed, so that orders are compared on paired
  // seeds.
  uint64_t SeedOf(int order, const std::vector<Trial>& round) const;
  // Returns the trials that the log does not contain.
  std::vector<Trial> Missing(const std::vector<Trial>& round) const;
  // Tells the search the results of a round. Returns false if some are missing.
  bool FinishRound(const std::vector<Trial>& round);
  void OnFinished(const Trial& trial, const TrialResult& result);
  void WriteReports(size_t first, std::span<const std::unique_ptr<ReportSink>> sinks);
  // Prints the end of a run that is complete or was interrupted.
  void Conclude(bool complete);

  Config config_;
  std::string folder_;
  std::vector<std::string> items_;
  std::ostream& out_;
  OrderSearch search_;
  TrialLog log_;
  FailedWrites writes_;
  std::vector<FinishedTrial> trials_;  // known to the search, by number
  std::optional<OrderEffect> effect_;  // set once complete
  Stopwatch watch_;
  int done_here_ = 0;
};

}  // namespace dray
