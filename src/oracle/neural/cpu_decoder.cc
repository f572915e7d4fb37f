#include "src/oracle/neural/cpu_decoder.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "src/nets/kernels.h"
#include "src/oracle/neural/attention_kernels.h"

namespace dray {

Sequences CpuDecoder::Pick(const EncodedRequests& requests, int starts) {
  Load(requests);
  const int64_t n = requests.n;
  if (n == 1) starts = 1;
  Sequences sequences;
  sequences.reserve(starts * n);
  Restart();
  Score();
  std::vector<int> firsts(n);
  std::iota(firsts.begin(), firsts.end(), 0);
  std::ranges::stable_sort(firsts, std::greater(), [this](int i) { return scores_[i]; });
  for (int start = 0; start < starts; ++start) {
    Restart();
    for (int64_t pick = 0; pick < n; ++pick) {
      const bool forced = pick == 0 && start < n;
      if (!forced) Score();
      const int64_t request = forced       ? firsts[start]
                              : start >= n ? Draw(start, pick)
                                           : Largest(n, scores_.data());
      sequences.push_back(request);
      Take(request);
    }
  }
  return sequences;
}

void CpuDecoder::Load(const EncodedRequests& requests) {
  requests_ = requests;
  const int64_t dim = weights_.shape.dim, n = requests.n;
  padded_ = PaddedColumns(n);
  keys_.resize(dim * padded_);
  choice_keys_.resize(dim * padded_);
  const float scale = 1.0f / std::sqrt(static_cast<float>(weights_.shape.head_dim()));
  const float choice_scale = 1.0f / std::sqrt(static_cast<float>(dim));
  TransposePadded(n, dim, 5 * dim, scale, requests.nodes, keys_.data());
  TransposePadded(n, dim, 5 * dim, choice_scale, requests.nodes + 2 * dim, choice_keys_.data());
  glimpse_.resize(dim);
  room_.resize(padded_);
  scores_.resize(padded_);
  noise_.resize(n);
}

void CpuDecoder::Restart() {
  const size_t dim = weights_.shape.dim;
  picked_ = 0;
  last_ = -1;
  mask_.assign(padded_, kMasked);
  std::fill_n(mask_.begin(), requests_.n, 0.0f);
  sums_.assign(padded_, 0.0f);
  total_.assign(dim, 0.0f);
  query_.assign(requests_.graph, requests_.graph + dim);
  Add(weights_.shape.dim, weights_.values.data() + layout_.first.start, query_.data());
}

void CpuDecoder::Score() {
  const int64_t dim = weights_.shape.dim, heads = weights_.shape.heads, n = requests_.n;
  const HeadsView view{.n = n,
                       .heads = heads,
                       .head_dim = weights_.shape.head_dim(),
                       .keys = keys_.data(),
                       .values = requests_.nodes + dim,
                       .value_stride = 5 * dim,
                       .mask = mask_.data()};
  const float* rows = last_ < 0 ? nullptr : requests_.biases + last_ * n;
  AttendOne(view, query_.data(), rows, n * n, room_.data(), glimpse_.data());
  Add(dim, query_.data(), glimpse_.data());
  ScoreAll(n, dim, glimpse_.data(), choice_keys_.data(),
           rows == nullptr ? nullptr : rows + heads * n * n, sums_.data(), mask_.data(),
           scores_.data());
}

void CpuDecoder::Take(int64_t request) {
  const int64_t dim = weights_.shape.dim, heads = weights_.shape.heads, n = requests_.n;
  mask_[request] = kMasked;
  last_ = request;
  ++picked_;
  const float* node = requests_.nodes + request * 5 * dim;
  Add(n, requests_.biases + (heads + 1) * n * n + request * n, sums_.data());
  Add(dim, node + 4 * dim, total_.data());
  const float share = 1.0f / picked_;
  for (int64_t d = 0; d < dim; ++d)
    query_[d] = requests_.graph[d] + node[3 * dim + d] + total_[d] * share;
}

int64_t CpuDecoder::Draw(int start, int64_t pick) {
  const int64_t n = requests_.n;
  Tanh(std::span(scores_).first(n));
  WriteSequenceNoise(start, pick, noise_);
  for (int64_t i = 0; i < n; ++i) {
    scores_[i] = mask_[i] < 0 ? kMasked : kLogitClip * scores_[i] + noise_[i];
  }
  return Largest(n, scores_.data());
}

}  // namespace dray
