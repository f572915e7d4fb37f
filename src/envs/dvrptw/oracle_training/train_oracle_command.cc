#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/base/interruption.h"
#include "src/base/json.h"
#include "src/base/stopwatch.h"
#include "src/config/command.h"
#include "src/envs/dvrptw/oracle_training/sequence_trainer.h"
#include "src/envs/dvrptw/oracle_training/sequence_validation.h"
#include "src/envs/dvrptw/oracle_training/train_oracle.pb.h"
#include "src/nets/device.h"
#include "src/oracle/insertion.h"
#include "src/oracle/neural/make_neural_oracle.h"
#include "src/output/append_file.h"
#include "src/output/format.h"
#include "src/output/status_line.h"
#include "src/output/wrapped_line.h"

namespace dray {
namespace dvrptw {
namespace {

constexpr double kWarmUpSteps = 100;
constexpr int kValidationStarts = 30;

// Problems held out from training come from other cities.
enum class HeldOut : uint64_t { kValidation = 0x56414c, kFinal = 0x46494e };

using StepNumber = double SequenceTrainingStep::*;
constexpr std::pair<const char*, StepNumber> kStepParts[] = {
    {"problems", &SequenceTrainingStep::problems_s},
    {"sequences", &SequenceTrainingStep::sequences_s},
    {"prices", &SequenceTrainingStep::prices_s},
    {"learning", &SequenceTrainingStep::learning_s}};

// Statistics of the steps since the last report.
class RecentSteps {
 public:
  void Add(const SequenceTrainingStep& step) { steps_.push_back(step); }

  double Mean(StepNumber number) const {
    double sum = 0;
    for (const SequenceTrainingStep& step : steps_) sum += step.*number;
    return sum / static_cast<double>(steps_.size());
  }

 private:
  std::vector<SequenceTrainingStep> steps_;
};

SequenceNetShape ShapeOf(const TrainOracleSettings& settings) {
  SequenceNetShape shape;
  shape.dim = settings.dim();
  shape.layers = settings.layers();
  shape.heads = settings.heads();
  shape.hidden = settings.hidden();
  return shape;
}

class OracleTraining {
 public:
  OracleTraining(const TrainOracleSettings& settings, const TerminalStyle& style)
      : settings_(settings),
        style_(style),
        status_(std::cout, style),
        threads_(settings.threads() > 0 ? settings.threads()
                                        : std::max(1u, std::thread::hardware_concurrency())),
        device_(ChooseDevice(settings.device())),
        weights_(settings.resume().empty()
                     ? RandomSequenceWeights(ShapeOf(settings), settings.seed())
                     : ReadSequenceWeights(settings.resume())),
        curve_(settings.curve()) {
    at::manual_seed(settings.seed());
    at::set_num_threads(threads_);
    // Ten bits of mantissa are enough for training and eight times as fast.
    if (device_.is_cuda()) at::globalContext().setFloat32MatmulPrecision("high");
  }

  void Run() {
    PrintHeader();
    const TrainingProblems problems(
        {.seed = settings_.seed(), .most_requests = settings_.requests_max()}, threads_);
    const SequenceValidation validation = MakeValidation();
    SequenceTrainer trainer(weights_, problems, TrainerOptions(), device_);
    const Stopwatch watch;
    RecentSteps recent;
    while (Done(trainer, watch) < 1 && !Interrupted()) {
      const double warm = std::min(1.0, static_cast<double>(trainer.steps() + 1) / kWarmUpSteps);
      const double left = std::max(0.01, 1 - Done(trainer, watch));
      recent.Add(trainer.Step(settings_.learning_rate() * warm * left));
      status_.Draw(Status(trainer, watch));
      if (trainer.steps() % settings_.validate_every() != 0 && Done(trainer, watch) < 1) continue;
      weights_ = trainer.weights();
      WriteSequenceWeights(weights_, settings_.out());
      Report(trainer, validation, watch, recent);
      recent = {};
    }
    status_.Clear();
    if (Interrupted() && Done(trainer, watch) < 1) return EndInterrupted(trainer);
    PrintTable();
  }

 private:
  SequenceTrainerOptions TrainerOptions() const {
    return {.seed = settings_.seed(),
            .fewest_requests = settings_.requests_min(),
            .most_requests = settings_.requests_max(),
            .batch = settings_.batch(),
            .starts = settings_.starts(),
            .threads = threads_};
  }

  RunStatus Status(const SequenceTrainer& trainer, const Stopwatch& watch) const {
    const double done = Done(trainer, watch);
    return {.progress = done,
            .phase = Cat("step ", FormatCount(trainer.steps())),
            .steps_per_s = static_cast<double>(trainer.steps()) / watch.seconds(),
            .eta_s = done < 1 ? watch.seconds() / done * (1 - done) : 0};
  }

  // Saves the weights so far, for --resume.
  void EndInterrupted(const SequenceTrainer& trainer) {
    WriteSequenceWeights(trainer.weights(), settings_.out());
    std::cout << "Stopped after " << FormatCount(trainer.steps())
              << " steps; resume with: " << CommandLine("train_oracle") << " --resume "
              << ShellWord(settings_.out()) << " --out " << ShellWord(settings_.out()) << std::endl;
    throw Interruption();
  }

  // Returns the fraction of the training that is done.
  double Done(const SequenceTrainer& trainer, const Stopwatch& watch) const {
    return settings_.steps() > 0 ? static_cast<double>(trainer.steps()) / settings_.steps()
                                 : watch.seconds() / 60 / settings_.minutes();
  }

  double Gap(const SequenceValidation& validation, int starts) const {
    return validation.Gap(
        *MakeNeuralOracle(weights_, {.starts = starts, .threads = threads_}, OracleDevice()));
  }

  TrainingProblems HeldOutProblems(HeldOut kind) const {
    return {{.seed = ~settings_.seed() ^ static_cast<uint64_t>(kind),
             .cities = 32,
             .most_requests = settings_.requests_max()},
            threads_};
  }

  SequenceValidation Validation(HeldOut kind, bool singles, int requests) const {
    const TrainingProblems source = HeldOutProblems(kind);
    std::vector<Problem> problems;
    for (int i = 0; i < settings_.validation(); ++i) {
      Rng rng(settings_.seed(), RngPurpose::kEvaluation, static_cast<uint64_t>(i));
      problems.push_back(singles ? TrainingProblems::DrawSingles(requests, rng)
                                 : source.DrawDelivery(requests, rng));
    }
    return {std::move(problems), {.rounds = settings_.reference_rounds()}, threads_};
  }

  SequenceValidation MakeValidation() {
    const Stopwatch watch;
    SequenceValidation validation =
        Validation(HeldOut::kValidation, false, settings_.requests_max());
    InsertionOracle arrival(/*local_search=*/false);
    std::cout << "validation: " << validation.size() << " problems of " << settings_.requests_max()
              << " riders, " << FormatFixed(validation.mean_cost() / kTicksPerMinute, 1)
              << " min by ruin_recreate (" << settings_.reference_rounds()
              << " rounds, best of 3), insertion as they arrive "
              << FormatPercent(validation.Gap(arrival)) << " above; took "
              << FormatDuration(watch.seconds()) << std::endl;
    return validation;
  }

  void PrintHeader() const {
    std::cout << "sequence net: " << weights_.shape.Describe() << ", "
              << FormatCount(std::ssize(weights_.values)) << " parameters, "
              << (settings_.resume().empty() ? "random" : "from " + settings_.resume()) << "\n"
              << "training on " << DeviceName(device_) << " with "
              << FormatCounted(threads_, "thread") << ": " << settings_.batch() << " problems of "
              << settings_.requests_min() << " to " << settings_.requests_max() << " requests x "
              << settings_.starts() << " sequences per step, ";
    if (settings_.steps() > 0) {
      std::cout << FormatCount(settings_.steps()) << " steps" << std::endl;
    } else {
      std::cout << FormatDuration(settings_.minutes() * 60) << std::endl;
    }
  }

  void Report(const SequenceTrainer& trainer, const SequenceValidation& validation,
              const Stopwatch& watch, const RecentSteps& recent) {
    const double greedy = Gap(validation, 1);
    const double best = Gap(validation, kValidationStarts);
    const double seconds = watch.seconds();
    status_.Clear();
    for (const std::string& line : ReportLines(Status(trainer, watch), greedy, best, recent)) {
      std::cout << line << std::endl;
    }
    Json line = {{"step", trainer.steps()},
                 {"seconds", seconds},
                 {"problems", trainer.steps() * settings_.batch()},
                 {"greedy_gap", greedy},
                 {Cat("best_of_", kValidationStarts, "_gap"), best},
                 {"entropy", recent.Mean(&SequenceTrainingStep::entropy)}};
    for (const auto& [name, part] : kStepParts) line[Cat(name, "_s")] = recent.Mean(part);
    curve_.Append(JsonText(line) + "\n");
  }

  // Formats a report like train: one line, and all the rest with --verbose.
  std::vector<std::string> ReportLines(const RunStatus& status, double greedy, double best,
                                       const RecentSteps& recent) const {
    const size_t columns = style_.columns;
    const auto above = [](double gap) { return Cat("+", FormatFixed(100 * gap, 2), "%"); };
    WrappedLine line;
    line.Add(status.phase);
    line.Add("greedy " + above(greedy));
    line.Add(Cat("best of ", kValidationStarts, " ", above(best)));
    line.Add(FormatSignificant(status.steps_per_s, 3) + " steps/s");
    line.Add(FormatEta(status.eta_s));
    const std::string percent = Cat(std::floor(100 * std::min(1.0, status.progress)), "%");
    std::vector<std::string> lines =
        line.Wrapped(columns, std::string(4 - percent.size(), ' ') + percent + "  ", "      ");
    if (!style_.verbose) return lines;
    WrappedLine details;
    details.Add(
        Cat("entropy ", FormatFixed(recent.Mean(&SequenceTrainingStep::entropy), 3), " nats"));
    for (const auto& [name, part] : kStepParts) {
      details.Add(Cat(name, " ", FormatFixed(1000 * recent.Mean(part), 1), " ms"));
    }
    for (std::string& each : details.Wrapped(columns, "      a step: ", "        ")) {
      lines.push_back(std::move(each));
    }
    return lines;
  }

  // Prints the gaps on problems that were not used for selection.
  void PrintTable() const {
    std::cout << "\nabove ruin_recreate, in %, on " << settings_.validation()
              << " other problems each:\n"
              << "problems            greedy   30 starts   100 starts" << std::endl;
    const auto row = [&](const std::string& what, bool singles, int requests) {
      const SequenceValidation validation = Validation(HeldOut::kFinal, singles, requests);
      std::string line = Cat(requests, " ", what);
      line.resize(16, ' ');
      std::cout << line;
      for (const int starts : {1, 30, 100}) {
        const std::string gap = FormatFixed(100 * Gap(validation, starts), 2);
        std::cout << std::string(starts == 1 ? 10 - gap.size() : 12 - gap.size(), ' ') << gap;
      }
      std::cout << std::endl;
    };
    row("riders", false, settings_.requests_max());
    row("riders", false, (settings_.requests_max() + 1) / 2);
    row("single stops", true, settings_.requests_max());
    std::cout << "weights: " << settings_.out() << std::endl;
  }

  Device OracleDevice() const { return device_.is_cuda() ? CUDA : device_.is_mps() ? MPS : CPU; }

  const TrainOracleSettings settings_;
  const TerminalStyle style_;
  StatusLine status_;
  const int threads_;
  const at::Device device_;
  SequenceWeights weights_;
  AppendFile curve_;
};

void TrainOracleCommand(const GivenFlags& given) {
  auto settings = SettingsFrom<TrainOracleSettings>(given);
  if (settings.requests_min() > settings.requests_max()) {
    throw UsageError("--requests-min ", settings.requests_min(), ": is above --requests-max ",
                     settings.requests_max());
  }
  if (settings.dim() % settings.heads() != 0) {
    throw UsageError("--dim ", settings.dim(), ": is not a multiple of --heads ", settings.heads());
  }
  if (settings.curve().empty()) settings.set_curve(settings.out() + ".jsonl");
  TerminalStyle style = TerminalStyle::Of(STDOUT_FILENO);
  style.verbose = given.Has("verbose");
  CatchInterruptions("the weights are those of the last validation");
  OracleTraining(settings, style).Run();
}

std::vector<Flag> Flags() {
  using enum FlagForm;
  return {
      {.name = "out",
       .form = kPath,
       .value = "FILE",
       .path = "out",
       .ask = "name a file for the weights: --out weights.bin"},
      {.name = "curve", .form = kPath, .value = "FILE", .path = "curve"},
      {.name = "resume", .form = kPath, .value = "FILE", .path = "resume"},
      {.name = "minutes", .value = "M", .path = "minutes"},
      {.name = "steps", .value = "N", .path = "steps"},
      {.name = "batch", .value = "N", .path = "batch"},
      {.name = "starts", .value = "K", .path = "starts"},
      {.name = "requests-min", .value = "N", .path = "requests_min"},
      {.name = "requests-max", .value = "N", .path = "requests_max"},
      {.name = "learning-rate", .value = "R", .path = "learning_rate"},
      {.name = "dim", .value = "N", .path = "dim"},
      {.name = "layers", .value = "N", .path = "layers"},
      {.name = "heads", .value = "N", .path = "heads"},
      {.name = "hidden", .value = "N", .path = "hidden"},
      {.name = "seed", .value = "S", .path = "seed"},
      {.name = "device", .path = "device"},
      {.name = "threads", .value = "N", .path = "threads"},
      {.name = "validation", .value = "N", .path = "validation"},
      {.name = "validate-every", .value = "N", .path = "validate_every"},
      {.name = "reference-rounds", .value = "N", .path = "reference_rounds"},
      kVerboseFlag,
      kHelpFlag,
  };
}

}  // namespace
}  // namespace dvrptw

namespace commands {
Command train_oracle() {
  return {.name = "train_oracle",
          .intro = "Trains the neural routing oracle and writes its weights.\n",
          .examples =
              "  train_oracle --out weights.bin --minutes 10 --device cuda\n"
              "  train_oracle --out small.bin --steps 200 --batch 32 --requests-max 10 --dim 32\n",
          .settings = TrainOracleSettings::descriptor(),
          .flags = dvrptw::Flags(),
          .body = dvrptw::TrainOracleCommand};
}
}  // namespace commands

}  // namespace dray
