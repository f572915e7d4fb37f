#include "src/nets/attention_rows.h"

#include <algorithm>

#include "src/base/error.h"
#include "src/nets/head_rows.h"
#include "src/nets/kernels.h"

namespace dray {
namespace {

std::vector<int64_t> HiddenSizes(const AttentionShape& shape) {
  std::vector<int64_t> sizes = {shape.summary_size()};
  for (const LinearPart& part : shape.hidden) sizes.push_back(part.out);
  return sizes;
}

void Add(std::span<const float> from, std::vector<float>& to) {
  for (size_t i = 0; i < to.size(); ++i) to[i] += from[i];
}

}  // namespace

AttentionRows::AttentionRows(AttentionShape shape)
    : shape_(std::move(shape)),
      hidden_(HiddenSizes(shape_), shape_.activation),
      attention_(shape_.width, shape_.heads),
      rounds_(shape_.rounds.size()) {}

std::span<const float> AttentionRows::HiddenParameters(std::span<const float> parameters) const {
  return parameters.subspan(shape_.hidden.front().start, hidden_.parameter_count());
}

std::span<const float> AttentionRows::Context(const CpuInput& input, int64_t row) const {
  return input.numbers.subspan((row + 1) * shape_.observation_size() - shape_.context,
                               shape_.context);
}

void AttentionRows::GatherTokens(const CpuInput& input) {
  DRAY_CHECK_EQ(std::ssize(input.numbers), input.rows * shape_.observation_size());
  starts_.assign(1, 0);
  tokens_.clear();
  for (int64_t row = 0; row < input.rows; ++row) {
    const float* token = input.numbers.data() + row * shape_.observation_size();
    int64_t count = 0;
    for (int64_t i = 0; i < shape_.tokens; ++i, token += shape_.token_size) {
      if (*token == 0) continue;
      tokens_.insert(tokens_.end(), token, token + shape_.token_size);
      ++count;
    }
    starts_.push_back(starts_.back() + count);
  }
}

void AttentionRows::ApplyRound(const AttentionShape::Round& part, const float* parameters,
                               const std::vector<float>& x, Round& round) {
  const int64_t n = present(), width = shape_.width;
  ApplyLinear(part.look, parameters, n, x.data(), Buffer(round.qkv, n * 3 * width));
  attention_.SelfAttend(starts_, round.qkv.data(), round.weights,
                        Buffer(round.attended, n * width));
  ApplyLinear(part.blend, parameters, n, round.attended.data(), Buffer(round.blended, n * width));
  Add(x, round.blended);
  ApplyLinear(part.up, parameters, n, round.blended.data(), Buffer(round.raised, n * 2 * width));
  Relu(round.raised);
  ApplyLinear(part.down, parameters, n, round.raised.data(), Buffer(round.out, n * width));
  Add(round.blended, round.out);
}

// Turns by_x_ from the gradient with respect to the round's result into the gradient with respect
// to its input.
void AttentionRows::RoundGradients(const AttentionShape::Round& part, const float* parameters,
                                   const std::vector<float>& x, const Round& round,
                                   float* gradients) {
  const int64_t n = present(), width = shape_.width;
  WriteLinearGradients(part.down, n, round.raised.data(), by_x_.data(), gradients, transposed_);
  AddByInputs(part.down, parameters, n, by_x_.data(), Zeros(by_raised_, n * 2 * width),
              transposed_);
  ReluGradient(round.raised, by_raised_);
  WriteLinearGradients(part.up, n, round.blended.data(), by_raised_.data(), gradients, transposed_);
  AddByInputs(part.up, parameters, n, by_raised_.data(), by_x_.data(), transposed_);

  WriteLinearGradients(part.blend, n, round.attended.data(), by_x_.data(), gradients, transposed_);
  AddByInputs(part.blend, parameters, n, by_x_.data(), Zeros(by_attended_, n * width), transposed_);
  attention_.SelfAttendGradients(starts_, round.qkv.data(), round.weights, by_attended_.data(),
                                 Buffer(by_qkv_, n * 3 * width));
  WriteLinearGradients(part.look, n, x.data(), by_qkv_.data(), gradients, transposed_);
  AddByInputs(part.look, parameters, n, by_qkv_.data(), by_x_.data(), transposed_);
}

void AttentionRows::Pool(const float* parameters, const CpuInput& input,
                         const std::vector<float>& x) {
  const int64_t rows = input.rows, width = shape_.width, heads = shape_.heads;
  const int64_t head = shape_.head_width(), size = shape_.summary_size();
  Zeros(asking_, rows * shape_.ask.in);
  Zeros(summary_, rows * size);
  for (int64_t row = 0; row < rows; ++row) {
    float* asking =
        std::ranges::copy(Context(input, row), asking_.data() + row * shape_.ask.in).out;
    float* last = summary_.data() + row * size + width;
    if (starts_[row + 1] > starts_[row]) {
      const float* token = x.data() + (starts_[row + 1] - 1) * width;
      std::copy_n(token, width, asking);
      std::copy_n(token, width, last);
    }
    std::ranges::copy(Context(input, row), last + width);
  }
  ApplyLinear(shape_.ask, parameters, rows, asking_.data(), Buffer(query_, rows * width));
  // With one query per row, it is cheaper to multiply the query by the keys' weights than every
  // token.
  Transpose(width, width, parameters + shape_.key.start, Buffer(transposed_, width * width));
  Buffer(asked_, rows * heads * width);
  for (int64_t h = 0; h < heads; ++h) {
    float* asked = Zeros(of_head_, rows * width);
    AddProduct(rows, width, head, {query_.data() + h * head, width, 1},
               transposed_.data() + h * head * width, asked);
    ScatterRows(asked, rows, width, asked_.data() + h * width, heads * width);
  }
  attention_.Pool(starts_, asked_.data(), x.data(), weights_, Buffer(mixed_, rows * heads * width));
  for (int64_t h = 0; h < heads; ++h) {
    const float* weights =
        GatherRows(parameters + shape_.answer.start + h * head, width, width, head, head_weights_);
    float* answer = Zeros(of_head_, rows * head);
    AddProduct(rows, head, width, {mixed_.data() + h * width, heads * width, 1}, weights, answer);
    ScatterRows(answer, rows, head, summary_.data() + h * head, size);
  }
}

// Computes by_mixed_ from by_summary_.
void AttentionRows::AnswerGradients(const float* parameters, float* gradients) {
  const auto rows = std::ssize(starts_) - 1;
  const int64_t width = shape_.width, heads = shape_.heads, head = shape_.head_width();
  const int64_t size = shape_.summary_size();
  Transpose(width, width, parameters + shape_.answer.start, Buffer(transposed_, width * width));
  Buffer(by_mixed_, rows * heads * width);
  for (int64_t h = 0; h < heads; ++h) {
    const float* by_answer = by_summary_.data() + h * head;
    float* by_mixed = Zeros(of_head_, rows * width);
    AddProduct(rows, width, head, {by_answer, size, 1}, transposed_.data() + h * head * width,
               by_mixed);
    ScatterRows(by_mixed, rows, width, by_mixed_.data() + h * width, heads * width);
    by_answer = GatherRows(by_answer, size, rows, head, of_head_);
    float* by_weights = Zeros(head_weights_, width * head);
    AddProduct(width, head, rows, {mixed_.data() + h * width, 1, heads * width}, by_answer,
               by_weights);
    ScatterRows(by_weights, width, head, gradients + shape_.answer.start + h * head, width);
  }
}

// Computes by_query_ from by_asked_.
void AttentionRows::KeyGradients(const float* parameters, float* gradients) {
  const auto rows = std::ssize(starts_) - 1;
  const int64_t width = shape_.width, heads = shape_.heads, head = shape_.head_width();
  Buffer(by_query_, rows * width);
  for (int64_t h = 0; h < heads; ++h) {
    const float* by_asked = by_asked_.data() + h * width;
    const float* weights =
        GatherRows(parameters + shape_.key.start + h * head, width, width, head, head_weights_);
    float* by_query = Zeros(of_head_, rows * head);
    AddProduct(rows, head, width, {by_asked, heads * width, 1}, weights, by_query);
    ScatterRows(by_query, rows, head, by_query_.data() + h * head, width);
    const float* query = GatherRows(query_.data() + h * head, width, rows, head, of_head_);
    float* by_weights = Zeros(head_weights_, width * head);
    AddProduct(width, head, rows, {by_asked, 1, heads * width}, query, by_weights);
    ScatterRows(by_weights, width, head, gradients + shape_.key.start + h * head, width);
  }
}

// Computes by_x_ from by_summary_, overwriting it.
void AttentionRows::PoolGradients(const float* parameters, const std::vector<float>& x,
                                  float* gradients) {
  const auto rows = std::ssize(starts_) - 1;
  const int64_t width = shape_.width;
  AnswerGradients(parameters, gradients);
  attention_.PoolGradients(starts_, asked_.data(), x.data(), weights_, by_mixed_.data(),
                           Buffer(by_asked_, rows * shape_.heads * width),
                           Zeros(by_x_, present() * width));
  KeyGradients(parameters, gradients);
  WriteLinearGradients(shape_.ask, rows, asking_.data(), by_query_.data(), gradients, transposed_);
  AddByInputs(shape_.ask, parameters, rows, by_query_.data(),
              Zeros(by_asking_, rows * shape_.ask.in), transposed_);
  for (int64_t row = 0; row < rows; ++row) {
    if (starts_[row + 1] == starts_[row]) continue;
    float* by_last = by_x_.data() + (starts_[row + 1] - 1) * width;
    const float* in_asking = by_asking_.data() + row * shape_.ask.in + shape_.context;
    const float* in_summary = by_summary_.data() + row * shape_.summary_size() + width;
    for (int64_t i = 0; i < width; ++i) by_last[i] += in_asking[i] + in_summary[i];
  }
}

std::span<float> AttentionRows::Forward(std::span<const float> parameters, const CpuInput& input) {
  DRAY_CHECK_EQ(parameters.size(), parameter_count());
  GatherTokens(input);
  ApplyLinear(shape_.embed, parameters.data(), present(), tokens_.data(),
              Buffer(embedded_, present() * shape_.width));
  Relu(embedded_);
  const std::vector<float>* x = &embedded_;
  for (size_t i = 0; i < rounds_.size(); ++i) {
    ApplyRound(shape_.rounds[i], parameters.data(), *x, rounds_[i]);
    x = &rounds_[i].out;
  }
  Pool(parameters.data(), input, *x);
  const std::span<float> outputs =
      hidden_.Forward(HiddenParameters(parameters), {.rows = input.rows, .numbers = summary_});
  if (shape_.price < 0) return outputs;
  const float price = parameters[shape_.price];
  const size_t count = shape_.outputs;
  for (int64_t row = 0; row < input.rows; ++row) {
    const auto prices = Context(input, row).last(count);
    for (size_t i = 0; i < count; ++i) {
      outputs[row * count + i] += price * prices[i];
    }
  }
  return outputs;
}

void AttentionRows::Backward(std::span<const float> parameters, const CpuInput& input,
                             std::span<const float> output_gradients,
                             std::span<float> parameter_gradients) {
  DRAY_CHECK_EQ(parameters.size(), parameter_gradients.size());
  if (shape_.price >= 0) {
    const size_t count = shape_.outputs;
    double by_price = 0;
    for (int64_t row = 0; row < input.rows; ++row) {
      const auto prices = Context(input, row).last(count);
      for (size_t i = 0; i < count; ++i) {
        by_price += double{prices[i]} * output_gradients[row * count + i];
      }
    }
    parameter_gradients[shape_.price] = by_price;
  }
  const auto hidden = HiddenParameters(parameters);
  hidden_.Backward(hidden, {.rows = input.rows, .numbers = summary_}, output_gradients,
                   parameter_gradients.subspan(shape_.hidden.front().start, hidden.size()));
  by_summary_.resize(summary_.size());
  hidden_.InputGradients(hidden, by_summary_);
  const auto x = [this](size_t round) -> const std::vector<float>& {
    return round == 0 ? embedded_ : rounds_[round - 1].out;
  };
  PoolGradients(parameters.data(), x(rounds_.size()), parameter_gradients.data());
  for (size_t i = rounds_.size(); i-- > 0;) {
    RoundGradients(shape_.rounds[i], parameters.data(), x(i), rounds_[i],
                   parameter_gradients.data());
  }
  ReluGradient(embedded_, by_x_);
  WriteLinearGradients(shape_.embed, present(), tokens_.data(), by_x_.data(),
                       parameter_gradients.data(), transposed_);
}

}  // namespace dray
