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
constexpr int64_t kForwardBuffers = 2,
                  kBackwardBuffers = 3;  // buffers of a layer's values in shared memory
constexpr int64_t kBytes = sizeof(float);

// Declared exactly as in the kernels.
struct Sizes {
  std::array<int, 8> widths{};
  int layers = 0;
  int widest = 0;
  int is_tanh = 0;
};

struct Division {
  int rows = 0;
  int rows_of_block = 0;
  int rows_of_tile = 0;
};

int64_t Widest(const std::vector<int64_t>& widths) {
  return *std::max_element(widths.begin(), widths.end());
}

Sizes SizesOf(const std::vector<int64_t>& widths, Activation activation) {
  Sizes sizes;
  std::copy(widths.begin(), widths.end(), sizes.widths.begin());
  sizes.layers = std::ssize(widths) - 1;
  sizes.widest = Widest(widths);
  sizes.is_tanh = activation == TANH;
  return sizes;
}

// Size of the largest layer that the backward kernel keeps in shared memory: every layer but the
// first.
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
  // Never destroyed: there is no good moment to unload a program from a GPU.
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

CudaMlp* CudaMlp::For(const std::vector<int64_t>& sizes, const c10::Device& device) {
  if (sizes.size() > Sizes().widths.size() || Widest(sizes) > kMostWidth ||
      ParametersOf(sizes) > kMostParameters) {
    return nullptr;
  }
  CudaMlp* kernels = On(device);
  if (!kernels) return nullptr;
  const int64_t rows = RowsThatFit(sizes, kernels->program_->most_shared_bytes());
  return rows >= kRowsOfBlock ? kernels : nullptr;
}

int64_t CudaMlp::RowsThatFit(const std::vector<int64_t>& sizes, int64_t shared_bytes) {
  const int64_t room = shared_bytes / kBytes - LargestLayer(sizes);
  return std::max<int64_t>(0, room / (kBackwardBuffers * Widest(sizes)));
}

void CudaMlp::Differentiate(const std::vector<int64_t>& sizes, Activation activation,
                            const at::Tensor& inputs, const at::Tensor& parameters,
                            const at::Tensor& gradients, const ByOutputs& by_outputs) {
  const Sizes numbers = SizesOf(sizes, activation);
  const int64_t rows = inputs.size(0);
  const int64_t rows_of_block = std::max(kRowsOfBlock, Parts(rows, kMostBlocks));
  const int64_t rows_of_tile =
      std::min(rows_of_block, RowsThatFit(sizes, program_->most_shared_bytes()));
  const int64_t blocks = Parts(rows, rows_of_block);
  const Division division{static_cast<int>(rows), static_cast<int>(rows_of_block),
                          static_cast<int>(rows_of_tile)};
  const int64_t room = rows_of_tile * numbers.widest;  // room for a layer's values
  const int parameter_count = parameters.numel();
  int64_t hidden = 0;
  for (size_t i = 1; i + 1 < sizes.size(); ++i) hidden += sizes[i];

  const at::Tensor activations = at::empty({rows * hidden}, inputs.options());
  const at::Tensor outputs = at::empty({rows, sizes.back()}, inputs.options());
  const at::Tensor partial = at::empty({blocks * parameter_count}, inputs.options());
  program_->Launch("MlpForward", {blocks, kForwardThreads, kForwardBuffers * room * kBytes},
                   numbers, division, Read(inputs), Read(parameters), Write(activations),
                   Write(outputs));
  const at::Tensor by = by_outputs(outputs);
  program_->Launch(
      "MlpBackward",
      {blocks, kBackwardThreads, (kBackwardBuffers * room + LargestLayer(sizes)) * kBytes}, numbers,
      division, parameter_count, Read(inputs), Read(activations) + activations.numel(),
      Read(parameters) + parameter_count, Read(by), Write(partial));
  program_->Launch("SumOverBlocks", {Parts(parameter_count, kBackwardThreads), kBackwardThreads},
                   parameter_count, static_cast<int>(blocks), Read(partial), Write(gradients));
}

}  // namespace dray
