#include "src/search/search_run.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/base/rng.h"
#include "src/output/format.h"
#include "src/search/search_curve.h"
#include "src/search/search_verdict.h"
#include "src/search/warm_start.h"

namespace dray {
namespace {

// Seed of every order's k-th training; short enough to type, because `train --seed` repeats a
// trial.
uint64_t TrainingSeed(uint64_t seed, int k) {
  return Rng(seed, RngPurpose::kWorkflows, k).Next32();
}

std::string Title(const Config& config) {
  const SearchConfig& search = config.search();
  std::string text = Cat(config.env().name(), ", ", search.workflows(), " trainings, ",
                         search.parallel(), " at a time, seed ", config.train().seed(), "; ");
  if (search.strategy() == SearchConfig::RANDOM) return text + "random search";
  text += Cat("GP-UCB with ", search.kernel() == SearchConfig::MALLOWS
                                  ? Cat("Mallows' kernel, decay ", search.decay())
                                  : std::string("Kendall's kernel"));
  return Cat(text, ", a share of ", search.random_share(), " at random, ",
             search.beta() == SearchConfig::FIXED ? Cat("beta ", search.beta_value())
                                                  : Cat("Srinivas' beta, delta ", search.delta()));
}

}  // namespace

SearchRun::SearchRun(const Config& config, const std::string& folder,
                     std::vector<std::string> items, std::ostream& out)
    : config_(config),
      folder_(folder),
      items_(std::move(items)),
      out_(out),
      search_(config.search(), items_.size(), config.train().seed()),
      log_(folder),
      writes_([&out](const std::string& line) { out << line << std::endl; }) {
  DRAY_CHECK_GE(config.search().parallel(), 1);
}

SearchFindings SearchRun::Findings() const {
  return {search_, trials_, items_, Title(config_), {}, effect_};
}

uint64_t SearchRun::SeedOf(int order, const std::vector<Trial>& round) const {
  const auto told = std::ranges::count_if(
      trials_, [&](const FinishedTrial& one) { return one.trial.order == order; });
  const auto before = told + std::ranges::count(round, order, &Trial::order);
  return TrainingSeed(config_.train().seed(), before + 1);
}

std::vector<Trial> SearchRun::NextRound() const {
  const int count =
      std::min(config_.search().parallel(), config_.search().workflows() - search_.told());
  std::vector<Trial> round;
  for (const auto& [order, mean, standard_deviation, upper_bound] : search_.Next(count)) {
    Trial trial;
    trial.number = search_.told() + round.size() + 1;
    trial.order = order;
    trial.seed = SeedOf(order, round);
    if (config_.search().warm_start() == SearchConfig::NEAREST) {
      trial.init_from = NearestCheckpoint(search_.orders(), order, trials_);
    }
    trial.predicted_mean = mean;
    trial.predicted_deviation = standard_deviation;
    trial.bound = upper_bound;
    round.push_back(trial);
  }
  return round;
}

std::vector<Trial> SearchRun::Missing(const std::vector<Trial>& round) const {
  std::vector<Trial> missing;
  for (const Trial& trial : round) {
    const auto known = log_.trials().find(trial.number);
    if (known == log_.trials().end()) {
      missing.push_back(trial);
    } else if (known->second.trial.order != trial.order || known->second.trial.seed != trial.seed) {
      throw UsageError(folder_, "/trials.jsonl: trial ", trial.number,
                       " belongs to a search with other settings; restore them, or search "
                       "in another --run-dir");
    }
  }
  return missing;
}

void SearchRun::Run(TrialRunner& runner, const TrialRunner::Interrupted& interrupted,
                    std::span<const std::unique_ptr<ReportSink>> sinks) {
  const auto finished = std::ssize(log_.trials());
  if (finished > 0) {
    out_ << "Resuming after " << FormatCounted(finished, "finished training") << std::endl;
  }
  watch_.Restart();
  bool complete = true;
  while (complete && search_.told() < config_.search().workflows()) {
    const std::vector<Trial> round = NextRound();
    const std::vector<Trial> missing = Missing(round);
    if (!missing.empty() && !interrupted()) {
      runner.Evaluate(
          missing, [this](const auto& trial, const auto& result) { OnFinished(trial, result); },
          interrupted);
    }
    const size_t told = trials_.size();
    complete = FinishRound(round);
    WriteReports(told, sinks);
    if (!missing.empty()) {
      writes_.Try(Cat(folder_, "/report.md"), [this] { WriteSearchFiles(Findings(), folder_); });
    }
  }
  Conclude(complete);
}

void SearchRun::Conclude(bool complete) {
  if (complete) effect_ = ExamineEffect(search_);
  WriteSearchFiles(Findings(), folder_);
  out_ << "\n"
       << SearchText(Findings()) << "Report: " << folder_ << "/report.md\n"
       << VerdictLine(Findings()) << std::endl;
  if (complete) return;
  out_ << "Stopped after " << log_.trials().size() << " of " << config_.search().workflows()
       << " trainings; resume with: " << CommandLine("search") << " --resume " << ShellWord(folder_)
       << std::endl;
}

bool SearchRun::FinishRound(const std::vector<Trial>& round) {
  bool complete = true;
  for (const Trial& trial : round) {
    const auto known = log_.trials().find(trial.number);
    if (known == log_.trials().end()) {
      complete = false;
      continue;
    }
    search_.Tell(trial.order, known->second.result);
    trials_.push_back({trial, known->second.result});
  }
  return complete;
}

void SearchRun::OnFinished(const Trial& trial, const TrialResult& result) {
  const std::string workflow = OrderText(search_.orders().At(trial.order), items_);
  const auto append = [&] { log_.Append({trial, result}, workflow); };
  if (config_.run().stop_on_failed_save()) {
    append();
  } else {
    writes_.Try(folder_ + kTrialLogFile, append);
  }
  ++done_here_;
  const int left = config_.search().workflows() - std::ssize(log_.trials());
  const FinishedTrial* best = nullptr;
  for (const auto& [number, known] : log_.trials()) {
    if (!search_.Counts(known.result)) continue;
    if (best == nullptr || known.result.mean_return > best->result.mean_return) best = &known;
  }
  out_ << "[" << log_.trials().size() << "/" << config_.search().workflows() << "] trial "
       << trial.number << ": " << workflow << ": " << ResultText(result)
       << (search_.Counts(result) ? "" : ", does not count");
  if (best != nullptr) {
    out_ << "; best so far " << FormatFixed(best->result.mean_return, 1) << " (trial "
         << best->trial.number << ")";
  }
  out_ << "; " << FormatDuration(result.seconds);
  if (left > 0) out_ << ", " << FormatEta(watch_.seconds() / done_here_ * left);
  out_ << std::endl;
}

void SearchRun::WriteReports(size_t first, std::span<const std::unique_ptr<ReportSink>> sinks) {
  const std::vector<CurvePoint> curve = CurveOf(search_, trials_);
  for (size_t i = first; i < curve.size(); ++i) {
    const auto& [trial, result] = trials_[i];
    Report report;
    report.epoch = trial.number;
    report.Record("search/return_mean", result.mean_return);
    report.Record("search/compliance", result.compliance);
    report.Record("search/best_return", curve[i].best_return);
    report.Record("search/regret", curve[i].best_return - result.mean_return);
    report.Record("search/average_return", curve[i].average_return);
    for (size_t sink = 0; sink < sinks.size(); ++sink) {
      writes_.Try(Cat("output ", sink + 1, " of the search"), [&] { sinks[sink]->Write(report); });
    }
  }
}

}  // namespace dray
