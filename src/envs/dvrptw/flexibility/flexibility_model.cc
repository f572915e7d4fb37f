#include "src/envs/dvrptw/flexibility/flexibility_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/base/error.h"
#include "src/base/printed.h"
#include "src/envs/dvrptw/flexibility/data_quality.h"
#include "src/envs/dvrptw/flexibility/em_loss.h"
#include "src/envs/dvrptw/random_streams.h"
#include "src/output/format.h"

namespace dray::dvrptw {
namespace {

// Mean loss below which every answer is predicted and further passes change no belief.
constexpr double kLearned = 1e-4;

FlexibilityNet MakeNet(int riders, uint64_t seed) {
  Rng rng(seed, kFlexibilityStream, 0);
  return FlexibilityNet(riders, rng);
}

}  // namespace

std::vector<std::string> FlexibilityReport::LinesAfter(const FlexibilityReport& before) const {
  std::vector<std::string> lines;
  if (customers != before.customers || distribution != before.distribution) {
    lines.push_back(Cat("Learned what riders accept from ", FormatCounted(samples, "answer"),
                        " of ", FormatCounted(customers, "rider"),
                        trained ? Printed(" (loss %.2f -> %.2f)", first_loss, last_loss) : ""));
    lines.push_back(Cat("Riders by predicted type: late dropoff ", distribution[0],
                        ", early pickup ", distribution[1], ", none ", distribution[2], ", both ",
                        distribution[3]));
  }
  for (const std::string& warning : warnings) {
    if (std::ranges::count(before.warnings, warning) == 0) lines.push_back(warning);
  }
  return lines;
}

FlexibilityModel::FlexibilityModel(const FlexibilityConfig& config, int riders, double noise,
                                   uint64_t seed)
    : config_(config),
      seed_(seed),
      buffer_(config.buffer_size(), riders),
      bayes_(riders, noise),
      net_(MakeNet(riders, seed)),
      adam_(net_.parameters().size()),
      beliefs_(riders),
      row_of_rider_(riders, -1) {}

void FlexibilityModel::Add(std::span<const Choice> choices) {
  for (const Choice& choice : choices) {
    buffer_.Add(choice);
    bayes_.Add(choice);
  }
}

FlexibilityReport FlexibilityModel::Update() {
  FlexibilityReport report;
  report.version = beliefs_.version() + 1;
  report.samples = std::ssize(buffer_);
  const int riders = beliefs_.riders();
  std::vector<uint8_t> known(riders);
  for (int i = 0; i < riders; ++i) known[i] = bayes_.telling_answers(i) > 0;

  std::vector<TypeBelief> beliefs;
  if (config_.belief() == FlexibilityConfig::LEARNED) {
    Train(report);
    beliefs = LearnedBeliefs();
  } else {
    for (int i = 0; i < riders; ++i) beliefs.push_back(bayes_.Posterior(i));
  }
  beliefs_ = Beliefs(report.version, beliefs, known);

  BayesBelief evidence = bayes_;
  if (config_.belief() == FlexibilityConfig::LEARNED) evidence = bayes_.Of(buffer_.choices());
  for (int i = 0; i < riders; ++i) report.customers += evidence.answers(i) > 0;
  report.distribution = beliefs_.Distribution();
  report.warnings = DataQualityWarnings(evidence, config_.few_answers());
  return report;
}

void FlexibilityModel::Train(FlexibilityReport& report) {
  if (buffer_.size() == 0) return;
  Rng rng(seed_, kFlexibilityStream, report.version);
  order_.resize(buffer_.size());
  std::iota(order_.begin(), order_.end(), 0);
  for (int epoch = 0; epoch < config_.training_epochs(); ++epoch) {
    report.last_loss = TrainEpoch(rng);
    if (epoch == 0) report.first_loss = report.last_loss;
    if (report.last_loss < kLearned) break;
  }
  report.trained = true;
}

double FlexibilityModel::TrainEpoch(Rng& rng) {
  rng.Shuffle(std::span(order_));
  const size_t batch = config_.batch_size();
  double total = 0;
  for (size_t start = 0; start < order_.size(); start += batch) {
    const size_t size = std::min(batch, order_.size() - start);
    total += TrainBatch(std::span(order_).subspan(start, size)) * size;
  }
  return total / order_.size();
}

// The network's output depends on the rider alone: a rider with several answers in the batch goes
// through it once.
double FlexibilityModel::TrainBatch(std::span<const int32_t> numbers) {
  batch_riders_.clear();
  row_of_sample_.clear();
  fitting_.clear();
  for (const int32_t number : numbers) {
    const Choice& choice = buffer_.choices()[number];
    int32_t& row = row_of_rider_[choice.rider];
    if (row < 0) {
      row = batch_riders_.size();
      batch_riders_.push_back(choice.rider);
    }
    row_of_sample_.push_back(row);
    fitting_.push_back(FittingTypes(choice.action, choice.accepted == 1));
  }
  for (const int32_t rider : batch_riders_) row_of_rider_[rider] = -1;

  const std::span<const float> logits = net_.Forward(batch_riders_);
  logit_gradients_.resize(logits.size());
  const double loss = EmLoss(logits, row_of_sample_, fitting_, logit_gradients_);
  net_.Backward(batch_riders_, logit_gradients_);
  adam_.Step(config_.learning_rate(), net_.gradients(), net_.parameters());
  return loss;
}

std::vector<TypeBelief> FlexibilityModel::LearnedBeliefs() {
  std::vector<int32_t> riders(beliefs_.riders());
  std::iota(riders.begin(), riders.end(), 0);
  const std::span<const float> logits = net_.Forward(riders);
  std::vector<float> shares(logits.begin(), logits.end());
  SoftmaxTypes(shares);
  std::vector<TypeBelief> beliefs(riders.size());
  for (size_t i = 0; i < riders.size(); ++i) {
    std::copy_n(shares.data() + i * kFlexibilityTypes, kFlexibilityTypes, beliefs[i].data());
  }
  return beliefs;
}

void FlexibilityModel::Save(ByteWriter& out) const {
  buffer_.Save(out);
  bayes_.Save(out);
  out.PutSpan<float>(net_.parameters());
  adam_.Save(out);
  beliefs_.Save(out);
}

void FlexibilityModel::Load(ByteReader& in) {
  buffer_.Load(in);
  bayes_.Load(in);
  in.GetInto(net_.parameters());
  if (!std::ranges::all_of(net_.parameters(), [](float value) { return std::isfinite(value); })) {
    throw Failure("saved weights of the flexibility model are damaged");
  }
  adam_.Load(in);
  Beliefs beliefs = Beliefs::Load(in);
  if (beliefs.riders() != beliefs_.riders()) {
    throw Failure("saved beliefs are about ", beliefs.riders(), " customers, not ",
                  beliefs_.riders());
  }
  beliefs_ = std::move(beliefs);
}

}  // namespace dray::dvrptw
