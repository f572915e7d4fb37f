#include "src/oracle/neural/torch_sequence_picker.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>
#include <c10/core/Event.h>
#include <c10/core/GradMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include <algorithm>
#include <bit>
#include <optional>

#include "src/nets/device.h"
#include "src/nets/device_memory.h"
#include "src/nets/range.h"
#include "src/oracle/neural/request_features.h"
#include "src/oracle/splitting.h"

namespace dray {
namespace {

// Requests are padded to multiples of this, so that few sizes occur.
constexpr int64_t kPadding = 8;
// Number of sizes whose memory and launches are kept.
constexpr size_t kMostCalls = 16;

int64_t RoundedUp(int64_t count, int64_t unit) { return (count + unit - 1) / unit * unit; }

// Problems are padded to one of four sizes between powers of two.
int64_t PaddedProblems(int64_t count) {
  const int64_t power = std::bit_ceil(static_cast<uint64_t>(count));
  return power <= 8 ? power : RoundedUp(count, power / 8);
}

at::Tensor OnDevice(const std::vector<float>& values, const at::Device& device) {
  // from_blob wants to write; nothing here does.
  return at::from_blob(const_cast<float*>(values.data()), {std::ssize(values)}, at::kFloat)
      .clone()
      .to(device);
}

// Writes the first rows of the batch; the padding keeps its values.
void WriteFeatures(std::span<const Problem* const> problems, ThreadTeam& team,
                   const RequestBatch& batch) {
  const size_t padded = batch.tokens.size(1);
  auto* tokens = batch.tokens.mutable_data_ptr<float>();
  auto* pairs = batch.pairs.mutable_data_ptr<float>();
  auto* absent = batch.absent.defined() ? batch.absent.mutable_data_ptr<float>() : nullptr;
  const size_t token_size = padded * kTokenFeatures, pair_size = padded * padded * kPairFeatures;
  const auto count = std::ssize(problems);
  const int parts = PartsOf(count, /*least=*/1, team.MostParts());
  team.For(parts, [&](int part) {
    RequestFeatures features;
    const Range range = PartOf(count, part, parts, /*unit=*/1);
    for (int64_t i = range.first; i < range.first + range.count; ++i) {
      features.Write(*problems[i], padded, {tokens + i * token_size, token_size},
                     {pairs + i * pair_size, pair_size});
      if (!absent) continue;
      float* row = absent + i * padded;
      const size_t requests = problems[i]->requests.size();
      std::fill(row, row + requests, 0.0f);
      std::fill(row + requests, row + padded, kNever);
    }
  });
}

// Uninitialised memory may hold NaN.
RequestBatch EmptyBatch(int64_t problems, int64_t n, bool pads, const at::TensorOptions& options) {
  const auto make = [&](at::IntArrayRef sizes) {
    return pads ? at::zeros(sizes, options) : at::empty(sizes, options);
  };
  RequestBatch batch{
      make({problems, n, kTokenFeatures}), make({problems, kPairFeatures, n, n}), {}};
  if (pads) batch.absent = make({problems, n});
  return batch;
}

}  // namespace

RequestBatch MakeRequestBatch(std::span<const Problem* const> problems, int padded,
                              ThreadTeam& team, const at::Device& device) {
  const bool pads = std::ranges::any_of(
      problems, [&](const Problem* problem) { return std::ssize(problem->requests) != padded; });
  const RequestBatch here = EmptyBatch(std::ssize(problems), padded, pads, at::kFloat);
  WriteFeatures(problems, team, here);
  return {here.tokens.to(device), here.pairs.to(device),
          pads ? here.absent.to(device) : at::Tensor()};
}

// Batches of one size, one after the other: their memory stays where it is, on both sides.
class TorchSequencePicker::Call {
 public:
  // Noise is undefined for one start.
  Call(int64_t problems, int64_t padded, int starts, at::Tensor noise, const at::Device& device)
      : problems_(problems),
        padded_(padded),
        starts_(starts),
        noise_(std::move(noise)),
        device_(device),
        graph_(device),
        here_(EmptyBatch(problems, padded, /*pads=*/true, Here(at::kFloat))),
        requests_here_(at::zeros({problems, 1}, Here(at::kLong))),
        picked_here_(at::zeros({problems, starts, padded}, Here(at::kInt))) {
    if (device.is_cpu()) {
      there_ = here_;
      requests_there_ = requests_here_;
      picked_there_ = picked_here_;
      return;
    }
    const auto there = [&](const at::Tensor& tensor) {
      return at::zeros(tensor.sizes(), tensor.options().pinned_memory(false).device(device));
    };
    there_ = {there(here_.tokens), there(here_.pairs), there(here_.absent)};
    requests_there_ = there(requests_here_);
    picked_there_ = there(picked_here_);
  }

  bool Fits(int64_t problems, int64_t padded, int starts) const {
    return !busy_ && problems_ == problems && padded_ == padded && starts_ == starts;
  }
  bool busy() const { return busy_; }

  template <typename Body>
  void Begin(std::span<const Problem* const> problems, ThreadTeam& team, const Body& pick_all) {
    busy_ = true;
    counts_.assign(problems.size(), 0);
    auto* requests = requests_here_.mutable_data_ptr<int64_t>();
    std::fill_n(requests, problems_, int64_t{0});
    for (size_t i = 0; i < problems.size(); ++i) {
      requests[i] = counts_[i] = problems[i]->requests.size();
    }
    WriteFeatures(problems, team, here_);
    if (!device_.is_cpu()) {
      there_.tokens.copy_(here_.tokens, /*non_blocking=*/true);
      there_.pairs.copy_(here_.pairs, /*non_blocking=*/true);
      there_.absent.copy_(here_.absent, /*non_blocking=*/true);
      requests_there_.copy_(requests_here_, /*non_blocking=*/true);
    }
    graph_.Run([&] { picked_there_.copy_(pick_all(there_, requests_there_, noise_)); });
    if (device_.is_cpu()) return;
    picked_here_.copy_(picked_there_, /*non_blocking=*/true);
    ready_.emplace(device_.type());
    ready_->record(c10::impl::VirtualGuardImpl(device_.type()).getStream(device_));
  }

  std::vector<Sequences> Take() {
    if (ready_) ready_->synchronize();
    ready_.reset();
    std::vector<Sequences> sequences(counts_.size());
    const int* rows = picked_here_.const_data_ptr<int>();
    for (size_t i = 0; i < counts_.size(); ++i) {
      const int used = counts_[i] <= 1 ? 1 : starts_;
      sequences[i].reserve(static_cast<size_t>(used) * counts_[i]);
      for (int start = 0; start < starts_; ++start, rows += padded_) {
        if (start < used) sequences[i].insert(sequences[i].end(), rows, rows + counts_[i]);
      }
    }
    busy_ = false;
    return sequences;
  }

 private:
  // Pinned for a GPU, so that it copies while the host continues.
  at::TensorOptions Here(at::ScalarType type) const {
    return at::TensorOptions(type).pinned_memory(device_.is_cuda());
  }

  int64_t problems_;
  int64_t padded_;
  int starts_;
  at::Tensor noise_;
  at::Device device_;
  LaunchGraph graph_;
  RequestBatch here_, there_;
  at::Tensor requests_here_, requests_there_;  // int64 [B, 1]: how many a problem has
  at::Tensor picked_here_, picked_there_;
  std::vector<size_t> counts_;  // requests of the problems under way
  std::optional<c10::Event> ready_;
  bool busy_ = false;
};

TorchSequencePicker::TorchSequencePicker(const SequenceWeights& weights, const at::Device& device,
                                         ThreadTeam& team)
    : device_(device.is_cuda() && !device.has_index() ? at::Device(at::kCUDA, 0) : device),
      team_(team),
      net_(weights.shape, OnDevice(weights.values, device_)),
      decoder_(CudaSequenceDecoder::Make(weights.shape, device_)) {}

TorchSequencePicker::~TorchSequencePicker() = default;

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

at::Tensor TorchSequencePicker::PickAll(const RequestBatch& batch, int starts,
                                        const at::Tensor& requests, const at::Tensor& noise) const {
  const TorchSequenceNet::Encoded encoded = net_.Encode(batch);
  if (decoder_ && decoder_->Fits(batch.tokens.size(1))) {
    return decoder_->MultiStart(encoded, starts, requests, noise);
  }
  return net_.MultiStart(encoded, starts, requests, noise).to(at::kInt);
}

TorchSequencePicker::Call& TorchSequencePicker::FreeCall(int64_t problems, int64_t padded,
                                                         int starts) {
  const auto free = std::ranges::find_if(
      calls_, [&](const Call& call) { return call.Fits(problems, padded, starts); });
  if (free != calls_.end()) {
    calls_.splice(calls_.begin(), calls_, free);
    return calls_.front();
  }
  for (auto last = calls_.end(); calls_.size() >= kMostCalls && last != calls_.begin();) {
    if (!(--last)->busy()) last = calls_.erase(last);
  }
  const at::Tensor noise = starts > 1 ? Noise(starts, padded) : at::Tensor();
  return calls_.emplace_front(problems, padded, starts, noise, device_);
}

void TorchSequencePicker::Begin(std::span<const Problem* const> problems, int starts) {
  const c10::NoGradGuard no_grad;
  size_t most = 1;
  for (const Problem* problem : problems) most = std::max(most, problem->requests.size());
  const int64_t padded = RoundedUp(most, kPadding);
  const bool fits = FitsInMemory([&] {
    Call& call = FreeCall(PaddedProblems(std::ssize(problems)), padded, starts);
    call.Begin(problems, team_,
               [&](const RequestBatch& batch, const at::Tensor& requests, const at::Tensor& noise) {
                 return PickAll(batch, starts, requests, noise);
               });
    under_way_.push_back(&call);
  });
  if (fits) return;
  under_way_.clear();
  calls_.clear();
  throw OutOfMemory();
}

std::vector<Sequences> TorchSequencePicker::Take() {
  Call& call = *under_way_.front();
  under_way_.pop_front();
  return call.Take();
}

}  // namespace dray
