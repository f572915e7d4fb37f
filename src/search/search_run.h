#pragma once

#include <memory>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "src/config/config.pb.h"
#include "src/loop/stopwatch.h"
#include "src/metrics/failed_writes.h"
#include "src/metrics/report.h"
#include "src/search/order_effect.h"
#include "src/search/order_search.h"
#include "src/search/search_report.h"
#include "src/search/trial_log.h"
#include "src/search/trial_runner.h"

namespace dray {

// A search in its folder: asks for orders, has them trained, keeps what came of each at once, and
// reports. A search that goes on asks the same again and takes what is already there from the log,
// so that it makes the choices that it would have made without the interruption.
//
//   trials.jsonl   a line per finished trial
//   workflow-001/  the run folder of each
//   search.csv, orders.csv, search.json, report.md and its pictures are written anew after each
//   round; whether the order matters is examined once, at the end
//   events.out.*   the same numbers for TensorBoard, over the trials
class SearchRun {
 public:
  // `parallel` orders a round. The config's number of workflows may grow when a search goes on.
  SearchRun(const Config& config, const std::string& folder, std::vector<std::string> items,
            std::ostream& out);

  // To the end, or until `interrupted`. Each trial's report, in their order, goes to the sinks.
  void Run(TrialRunner& runner, const TrialRunner::Interrupted& interrupted,
           std::span<const std::unique_ptr<ReportSink>> sinks = {});

  const std::vector<FinishedTrial>& trials() const { return trials_; }
  SearchFindings Findings() const;

 private:
  std::vector<Trial> NextRound() const;
  // Of the next training of this order after those that were told and those of the round so far.
  // The k-th training of every order has the same seed: orders are compared on paired seeds.
  uint64_t SeedOf(int order, const std::vector<Trial>& round) const;
  // Those that the log does not have.
  std::vector<Trial> Missing(const std::vector<Trial>& round) const;
  // Tells the search what came of it; false when something is missing.
  bool FinishRound(const std::vector<Trial>& round);
  void OnFinished(const Trial& trial, const TrialResult& result);
  void WriteReports(size_t first, std::span<const std::unique_ptr<ReportSink>> sinks);
  // The end of a run that is complete, or was interrupted.
  void Conclude(bool complete);

  Config config_;
  std::string folder_;
  std::vector<std::string> items_;
  std::ostream& out_;
  OrderSearch search_;
  TrialLog log_;
  FailedWrites writes_;
  std::vector<FinishedTrial> trials_;  // told to the search, by number
  std::optional<OrderEffect> effect_;  // once complete
  Stopwatch watch_;
  int done_here_ = 0;
};

}  // namespace dray
