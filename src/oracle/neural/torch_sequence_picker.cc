#include "src/oracle/neural/torch_sequence_picker.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <c10/core/GradMode.h>
#include <c10/util/Exception.h>

#include <algorithm>

#include "src/base/error.h"
#include "src/base/parallel_for.h"
#include "src/nets/device.h"
#include "src/oracle/neural/request_features.h"
#include "src/oracle/splitting.h"

namespace dray {
namespace {

// Sizes of batches are rounded up to multiples of this, so that few shapes occur.
constexpr int kPadding = 8;

at::Tensor OnDevice(const std::vector<float>& values, const at::Device& device) {
  // from_blob wants to write; nothing here does.
  return at::from_blob(const_cast<float*>(values.data()), {static_cast<int64_t>(values.size())},
                       at::kFloat)
      .clone()
      .to(device);
}

}  // namespace

RequestBatch MakeRequestBatch(std::span<const Problem* const> problems, int padded, int threads,
                              const at::Device& device) {
  const auto count = static_cast<int64_t>(problems.size());
  const int64_t n = padded;
  const bool pads = std::ranges::any_of(problems, [&](const Problem* problem) {
    return problem->requests.size() != static_cast<size_t>(padded);
  });
  // Padding must hold finite numbers; whole problems overwrite everything.
  const auto make = [&](at::IntArrayRef sizes) {
    return pads ? at::zeros(sizes, at::kFloat) : at::empty(sizes, at::kFloat);
  };
  RequestBatch batch{make({count, n, kTokenFeatures}), make({count, kPairFeatures, n, n}), {}};
  auto* tokens = batch.tokens.mutable_data_ptr<float>();
  auto* pairs = batch.pairs.mutable_data_ptr<float>();
  const auto token_size = static_cast<size_t>(n * kTokenFeatures);
  const auto pair_size = static_cast<size_t>(n * n * kPairFeatures);
  std::vector<RequestFeatures> features(static_cast<size_t>(threads));
  ParallelFor(threads, problems.size(), [&](size_t i, int thread) {
    features[static_cast<size_t>(thread)].Write(*problems[i], padded,
                                                {tokens + i * token_size, token_size},
                                                {pairs + i * pair_size, pair_size});
  });
  if (pads) {
    batch.absent = at::zeros({count, n}, at::kFloat);
    auto* absent = batch.absent.mutable_data_ptr<float>();
    for (size_t i = 0; i < problems.size(); ++i) {
      float* row = absent + i * static_cast<size_t>(n);
      std::fill(row + problems[i]->requests.size(), row + n, kNever);
    }
    batch.absent = batch.absent.to(device);
  }
  batch.tokens = batch.tokens.to(device);
  batch.pairs = batch.pairs.to(device);
  return batch;
}

TorchSequencePicker::TorchSequencePicker(const SequenceWeights& weights, const at::Device& device,
                                         int threads)
    : device_(device), threads_(threads), net_(weights.shape, OnDevice(weights.values, device)) {}

std::string TorchSequencePicker::device() const { return DeviceName(device_); }

at::Tensor TorchSequencePicker::Noise(int starts, int padded) {
  if (noise_.defined() && noise_.size(0) >= starts && noise_.size(1) >= padded) {
    return noise_.narrow(0, 0, starts).narrow(1, 0, padded).narrow(2, 0, padded);
  }
  at::Tensor noise = at::empty({starts, padded, padded}, at::kFloat);
  auto* row = noise.mutable_data_ptr<float>();
  for (int start = 0; start < starts; ++start) {
    for (int pick = 0; pick < padded; ++pick, row += padded)
      WriteSequenceNoise(start, pick, {row, static_cast<size_t>(padded)});
  }
  return noise_ = noise.to(device_);
}

std::vector<Sequences> TorchSequencePicker::Pick(std::span<const Problem* const> problems,
                                                 int starts) {
  const c10::NoGradGuard no_grad;
  std::vector<Sequences> sequences(problems.size());
  int most = 0;
  at::Tensor requests = at::empty({static_cast<int64_t>(problems.size()), 1}, at::kLong);
  for (size_t i = 0; i < problems.size(); ++i) {
    const auto count = static_cast<int>(problems[i]->requests.size());
    requests.mutable_data_ptr<int64_t>()[i] = count;
    most = std::max(most, count);
  }
  if (most == 0) return sequences;
  const int padded = (most + kPadding - 1) / kPadding * kPadding;
  try {
    const RequestBatch batch = MakeRequestBatch(problems, padded, threads_, device_);
    const at::Tensor noise = starts > 1 ? Noise(starts, padded) : at::Tensor();
    const at::Tensor picked =
        net_.MultiStart(net_.Encode(batch), starts, requests.to(device_), noise)
            .to(at::kInt)
            .to(at::kCPU);
    const int* rows = picked.const_data_ptr<int>();
    for (size_t i = 0; i < problems.size(); ++i) {
      const size_t count = problems[i]->requests.size();
      const int used = count <= 1 ? 1 : starts;
      for (int start = 0; start < starts; ++start, rows += padded) {
        if (start < used) sequences[i].insert(sequences[i].end(), rows, rows + count);
      }
    }
  } catch (const c10::OutOfMemoryError&) {
    throw OutOfMemory();
  }
  return sequences;
}

}  // namespace dray
