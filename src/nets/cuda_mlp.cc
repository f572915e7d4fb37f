#include "src/nets/cuda_mlp.h"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "src/nets/cuda_mlp_source.h"

namespace dray {
namespace {

constexpr int64_t kMostParameters = 32'768, kMostWidth = 512;
constexpr int64_t kRowsOfBlock = 8, kMostBlocks = 128;
constexpr int64_t kForwardThreads = 128, kBackwardThreads = 256;

// As the kernels declare it.
struct Sizes {
  std::array<int, 8> widths{};
  int layers = 0;
  int widest = 0;
  int is_tanh = 0;
};

Sizes SizesOf(const std::vector<int64_t>& widths, Activation activation) {
  Sizes sizes;
  std::copy(widths.begin(), widths.end(), sizes.widths.begin());
  sizes.layers = static_cast<int>(widths.size()) - 1;
  sizes.widest = static_cast<int>(*std::max_element(widths.begin(), widths.end()));
  sizes.is_tanh = activation == TANH;
  return sizes;
}

// Of the weights that the backward kernel keeps at hand: every layer's but the first's.
int64_t LargestLayer(const std::vector<int64_t>& widths) {
  int64_t largest = 0;
  for (size_t i = 1; i + 1 < widths.size(); ++i) {
    largest = std::max(largest, widths[i] * (widths[i + 1] | 1));
  }
  return largest;
}

int64_t ParametersOf(const std::vector<int64_t>& widths) {
  int64_t count = 0;
  for (size_t i = 0; i + 1 < widths.size(); ++i) count += (widths[i] + 1) * widths[i + 1];
  return count;
}

int64_t Parts(int64_t whole, int64_t part) { return (whole + part - 1) / part; }

const float* Read(const at::Tensor& tensor) { return tensor.const_data_ptr<float>(); }
float* Write(const at::Tensor& tensor) { return tensor.mutable_data_ptr<float>(); }

}  // namespace

CudaMlp* CudaMlp::On(const c10::Device& device) {
  if (!device.is_cuda()) return nullptr;
  // Kept to the end of the process: there is no good moment to take a program from a GPU.
  static auto& all = *new std::map<int, std::unique_ptr<CudaMlp>>();
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  auto [found, is_new] = all.try_emplace(device.index());
  if (is_new) {
    if (auto program = CudaProgram::Make(kCudaMlpSource, device)) {
      found->second.reset(new CudaMlp(std::move(program)));
    }
  }
  return found->second.get();
}

bool CudaMlp::Takes(const std::vector<int64_t>& sizes) {
  return sizes.size() <= Sizes().widths.size() &&
         *std::max_element(sizes.begin(), sizes.end()) <= kMostWidth &&
         ParametersOf(sizes) <= kMostParameters;
}

void CudaMlp::Differentiate(const std::vector<int64_t>& sizes, Activation activation,
                            const at::Tensor& inputs, const at::Tensor& parameters,
                            const at::Tensor& gradients, const ByOutputs& by_outputs) {
  const Sizes numbers = SizesOf(sizes, activation);
  const int64_t rows = inputs.size(0);
  const int64_t rows_of_block = std::max(kRowsOfBlock, Parts(rows, kMostBlocks));
  const int64_t blocks = Parts(rows, rows_of_block);
  const int64_t room = rows_of_block * numbers.widest;  // for a layer's values
  const auto parameter_count = static_cast<int>(parameters.numel());
  int64_t hidden = 0;
  for (size_t i = 1; i + 1 < sizes.size(); ++i) hidden += sizes[i];

  const at::Tensor activations = at::empty({rows * hidden}, inputs.options());
  const at::Tensor outputs = at::empty({rows, sizes.back()}, inputs.options());
  const at::Tensor partial = at::empty({blocks * parameter_count}, inputs.options());
  const auto count = static_cast<int>(rows), count_of_block = static_cast<int>(rows_of_block);
  const int64_t bytes = sizeof(float);
  program_->Launch("MlpForward", {blocks, kForwardThreads, 2 * room * bytes}, numbers, count,
                   count_of_block, Read(inputs), Read(parameters), Write(activations),
                   Write(outputs));
  const at::Tensor by = by_outputs(outputs);
  program_->Launch(
      "MlpBackward", {blocks, kBackwardThreads, (3 * room + LargestLayer(sizes)) * bytes}, numbers,
      count, count_of_block, parameter_count, Read(inputs), Read(activations) + activations.numel(),
      Read(parameters) + parameter_count, Read(by), Write(partial));
  program_->Launch("SumOverBlocks", {Parts(parameter_count, kBackwardThreads), kBackwardThreads},
                   parameter_count, static_cast<int>(blocks), Read(partial), Write(gradients));
}

}  // namespace dray
