#include "src/envs/dvrptw/flexibility/flexibility_learner.h"

#include <utility>

#include "src/base/error.h"

namespace dray::dvrptw {

FlexibilityLearner::FlexibilityLearner(const DvrptwConfig& config, uint64_t seed)
    : config_(config.flexibility()),
      model_(config.flexibility(), config.num_customers(), config.noise(), seed) {}

void FlexibilityLearner::Add(std::string_view samples) {
  const std::vector<Choice> choices = ChoicesOf(samples);
  for (const Choice& choice : choices) {
    if (MakesSense(choice, model_.beliefs().riders())) continue;
    throw Failure("observed choices are damaged: rider ", choice.rider, ", action ", choice.action);
  }
  model_.Add(choices);
}

std::vector<std::string> FlexibilityLearner::Update() {
  FlexibilityReport report = model_.Update();
  std::vector<std::string> lines = report.LinesAfter(told_);
  told_ = std::move(report);
  return lines;
}

std::string FlexibilityLearner::Publish() const {
  ByteWriter out;
  model_.beliefs().Save(out);
  return out.Take();
}

std::string FlexibilityLearner::Save() const {
  ByteWriter out;
  model_.Save(out);
  return out.Take();
}

void FlexibilityLearner::Load(std::string_view state) {
  ByteReader in(state, "the flexibility model's saved state");
  model_.Load(in);
  in.ExpectEnd();
}

}  // namespace dray::dvrptw
