#include "src/envs/dvrptw/flexibility/choice_buffer.h"

#include "src/base/error.h"

namespace dray::dvrptw {

bool MakesSense(const Choice& choice, int riders) {
  return choice.rider >= 0 && choice.rider < riders && choice.action >= 0 &&
         choice.action < kShiftActions && (choice.accepted == 0 || choice.accepted == 1) &&
         FittingTypes(choice.action, choice.accepted == 1) != 0;
}

std::string PackChoices(std::span<const Choice> choices) {
  ByteWriter out;
  out.PutSpan(choices);
  return out.Take();
}

std::vector<Choice> ChoicesOf(std::string_view bytes) {
  ByteReader in(bytes, "observed choices");
  auto choices = in.GetVector<Choice>();
  in.ExpectEnd();
  return choices;
}

ChoiceBuffer::ChoiceBuffer(size_t capacity, int riders) : capacity_(capacity), riders_(riders) {
  DRAY_CHECK_GT(capacity, 0u);
  choices_.reserve(capacity);
}

void ChoiceBuffer::Add(const Choice& choice) {
  DRAY_CHECK(MakesSense(choice, riders_));
  if (choices_.size() < capacity_) {
    choices_.push_back(choice);
    return;
  }
  choices_[oldest_] = choice;
  oldest_ = (oldest_ + 1) % capacity_;
}

void ChoiceBuffer::Save(ByteWriter& out) const {
  out.Put<uint64_t>(oldest_);
  out.PutVector(choices_);
}

void ChoiceBuffer::Load(ByteReader& in) {
  const auto oldest = in.Get<uint64_t>();
  const auto choices = in.GetVector<Choice>();
  if (choices.size() > capacity_ || (choices.size() < capacity_ && oldest != 0) ||
      oldest >= capacity_) {
    throw Failure("saved answers of riders do not fit a buffer of ", capacity_,
                  ": they are damaged, or flexibility.buffer_size was changed since");
  }
  for (const Choice& choice : choices) {
    if (!MakesSense(choice, riders_)) throw Failure("a saved answer of a rider is damaged");
  }
  oldest_ = oldest;
  choices_.assign(choices.begin(), choices.end());
}

}  // namespace dray::dvrptw
