#include <ATen/Context.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/commands/commands.h"
#include "src/commands/device_named.h"
#include "src/commands/train_oracle_options.h"
#include "src/envs/dvrptw/oracle_training/sequence_trainer.h"
#include "src/envs/dvrptw/oracle_training/sequence_validation.h"
#include "src/loop/stopwatch.h"
#include "src/metrics/append_file.h"
#include "src/metrics/format.h"
#include "src/nets/device.h"
#include "src/oracle/insertion.h"
#include "src/oracle/neural/make_neural_oracle.h"

namespace dray {
namespace {

constexpr double kAlwaysWorthAGpu = 1e15;
constexpr double kWarmUpSteps = 100;
constexpr int kValidationStarts = 30;

// Problems that are kept from training come from other cities.
enum class HeldOut : uint64_t { kValidation = 0x56414c, kFinal = 0x46494e };

using StepNumber = double SequenceTrainingStep::*;
constexpr std::pair<const char*, StepNumber> kStepParts[] = {
    {"problems", &SequenceTrainingStep::problems_s},
    {"orders", &SequenceTrainingStep::sequences_s},
    {"prices", &SequenceTrainingStep::prices_s},
    {"learning", &SequenceTrainingStep::learning_s}};

// The steps since the last report.
class Recently {
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

class OracleTraining {
 public:
  explicit OracleTraining(const TrainOracleOptions& options)
      : options_(options),
        threads_(options.threads > 0 ? options.threads
                                     : std::max(1u, std::thread::hardware_concurrency())),
        device_(ChooseDevice(DeviceNamed(options.device), kAlwaysWorthAGpu)),
        weights_(options.resume.empty() ? RandomSequenceWeights(options.shape, options.seed)
                                        : ReadSequenceWeights(options.resume)),
        curve_(options.curve) {
    at::manual_seed(options.seed);
    at::set_num_threads(threads_);
    // Ten bits of mantissa are enough to train by, and eight times as fast.
    if (device_.is_cuda()) at::globalContext().setFloat32MatmulPrecision("high");
  }

  void Run() {
    PrintHeader();
    const TrainingProblems problems({.seed = options_.seed, .most_requests = options_.requests_max},
                                    threads_);
    const SequenceValidation validation = MakeValidation();
    SequenceTrainer trainer(weights_, problems, TrainerOptions(), device_);
    const Stopwatch watch;
    Recently recently;
    while (Done(trainer, watch) < 1) {
      const double warm = std::min(1.0, static_cast<double>(trainer.steps() + 1) / kWarmUpSteps);
      const double left = std::max(0.01, 1 - Done(trainer, watch));
      recently.Add(trainer.Step(options_.learning_rate * warm * left));
      if (trainer.steps() % options_.validate_every != 0 && Done(trainer, watch) < 1) continue;
      weights_ = trainer.weights();
      WriteSequenceWeights(weights_, options_.out);
      Report(trainer, validation, watch, recently);
      recently = {};
    }
    PrintTable();
  }

 private:
  SequenceTrainerOptions TrainerOptions() const {
    return {.seed = options_.seed,
            .fewest_requests = options_.requests_min,
            .most_requests = options_.requests_max,
            .batch = options_.batch,
            .starts = options_.starts,
            .threads = threads_};
  }

  // Share of the training that is done.
  double Done(const SequenceTrainer& trainer, const Stopwatch& watch) const {
    return options_.steps > 0 ? static_cast<double>(trainer.steps()) / options_.steps
                              : watch.seconds() / 60 / options_.minutes;
  }

  double Gap(const SequenceValidation& validation, int starts) const {
    return validation.Gap(
        *MakeNeuralOracle(weights_, {.starts = starts, .threads = threads_}, device_));
  }

  TrainingProblems HeldOutProblems(HeldOut kind) const {
    return {{.seed = ~options_.seed ^ static_cast<uint64_t>(kind),
             .cities = 32,
             .most_requests = options_.requests_max},
            threads_};
  }

  SequenceValidation Validation(HeldOut kind, bool singles, int requests) const {
    const TrainingProblems source = HeldOutProblems(kind);
    std::vector<Problem> problems;
    for (int i = 0; i < options_.validation; ++i) {
      Rng rng(options_.seed, RngPurpose::kEvaluation, static_cast<uint64_t>(i));
      problems.push_back(singles ? TrainingProblems::DrawSingles(requests, rng)
                                 : source.DrawDelivery(requests, rng));
    }
    return {std::move(problems), {.rounds = options_.reference_rounds}, threads_};
  }

  SequenceValidation MakeValidation() {
    const Stopwatch watch;
    SequenceValidation validation = Validation(HeldOut::kValidation, false, options_.requests_max);
    InsertionOracle arrival(/*local_search=*/false);
    std::cout << "validation: " << validation.size() << " problems of " << options_.requests_max
              << " riders, " << FormatFixed(validation.mean_cost() / kTicksPerMinute, 1)
              << " min by ruin_recreate (" << options_.reference_rounds
              << " rounds, best of 3), insertion as they arrive "
              << FormatPercent(validation.Gap(arrival)) << " above; took "
              << FormatDuration(watch.seconds()) << std::endl;
    return validation;
  }

  void PrintHeader() const {
    std::cout << "order net: " << weights_.shape.Describe() << ", "
              << FormatCount(static_cast<int64_t>(weights_.values.size())) << " parameters, "
              << (options_.resume.empty() ? "random" : "from " + options_.resume) << "\n"
              << "training on " << DeviceName(device_) << " with "
              << FormatCounted(threads_, "thread", "threads") << ": " << options_.batch
              << " problems of " << options_.requests_min << " to " << options_.requests_max
              << " requests x " << options_.starts << " orders per step, ";
    if (options_.steps > 0) {
      std::cout << FormatCount(options_.steps) << " steps" << std::endl;
    } else {
      std::cout << FormatDuration(options_.minutes * 60) << std::endl;
    }
  }

  void Report(const SequenceTrainer& trainer, const SequenceValidation& validation,
              const Stopwatch& watch, const Recently& recently) {
    const double greedy = Gap(validation, 1);
    const double best = Gap(validation, kValidationStarts);
    const double seconds = watch.seconds();
    const double done = Done(trainer, watch);
    std::cout << "step " << FormatCount(trainer.steps()) << "  " << FormatDuration(seconds)
              << "  greedy +" << FormatFixed(100 * greedy, 2) << " %  best of " << kValidationStarts
              << " +" << FormatFixed(100 * best, 2) << " %  entropy "
              << FormatFixed(recently.Mean(&SequenceTrainingStep::entropy), 3) << "  ms a step:";
    for (const auto& [name, part] : kStepParts)
      std::cout << " " << name << " " << FormatFixed(1000 * recently.Mean(part), 1);
    std::cout << "  ETA " << FormatDuration(done >= 1 ? 0 : seconds / done * (1 - done))
              << std::endl;
    std::string line =
        Cat("{\"step\": ", trainer.steps(), ", \"seconds\": ", JsonNumber(seconds),
            ", \"problems\": ", trainer.steps() * options_.batch,
            ", \"greedy_gap\": ", JsonNumber(greedy), ", \"best_of_", kValidationStarts,
            "_gap\": ", JsonNumber(best),
            ", \"entropy\": ", JsonNumber(recently.Mean(&SequenceTrainingStep::entropy)));
    for (const auto& [name, part] : kStepParts)
      line += Cat(", \"", name, "_s\": ", JsonNumber(recently.Mean(part)));
    curve_.Append(line + "}\n");
  }

  // Gaps on problems that chose nothing.
  void PrintTable() const {
    std::cout << "\nabove ruin_recreate, in %, on " << options_.validation
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
    row("riders", false, options_.requests_max);
    row("riders", false, (options_.requests_max + 1) / 2);
    row("single stops", true, options_.requests_max);
    std::cout << "weights: " << options_.out << std::endl;
  }

  const TrainOracleOptions options_;
  const int threads_;
  const at::Device device_;
  SequenceWeights weights_;
  AppendFile curve_;
};

}  // namespace

void TrainOracleCommand(std::span<const std::string> arguments) {
  const TrainOracleOptions options = ParseTrainOracleOptions(arguments);
  if (options.help) {
    std::cout << TrainOracleHelp();
    return;
  }
  OracleTraining(options).Run();
}

}  // namespace dray
