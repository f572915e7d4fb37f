#include "src/oracle/neural/cuda_sequence_decoder.h"

#include <ATen/ops/zeros.h>

#include <algorithm>

#include "src/base/error.h"

namespace dray {
namespace {

// A block per start of a problem. The tables are TorchSequenceNet::Encoded's.
constexpr char kSource[] = R"cuda(
constexpr float kNever = -1e9f, kLogitClip = 10;

struct Tables {
  const float* keys;         // [B, dim, n]
  const float* values;       // [B, heads, n, head_dim]
  const float* choice_keys;  // [B, dim, n]
  const float* queries;      // [B, n, 2 dim]
  const float* graph;        // [B, dim]
  const float* first;        // [dim]
  const float* pair_rows;    // [B, n, (heads + 2) n]
  const float* absent;       // [B, n], or null
  const long long* requests; // [B]
  const float* noise;        // [starts, picks, n], or null
  long long noise_start;     // how far apart
  long long noise_pick;
};

// Whether a comes before b: the larger score, of equals the first.
__device__ bool Before(float a, int i, float b, int j) { return a > b || (a == b && i < j); }

// The first of the largest, by the first warp; every thread of it gets it.
template <typename Score>
__device__ int First(int n, const Score& score) {
  float best = -3.4e38f;
  int at = n;
  for (int j = threadIdx.x; j < n; j += 32) {
    const float value = score(j);
    if (at == n || Before(value, j, best, at)) {
      best = value;
      at = j;
    }
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const float other = __shfl_xor_sync(~0u, best, offset);
    const int other_at = __shfl_xor_sync(~0u, at, offset);
    if (other_at < n && (at == n || Before(other, other_at, best, at))) {
      best = other;
      at = other_at;
    }
  }
  return at;
}

extern "C" __global__ void Decode(Tables tables, int n, int dim, int heads, int starts,
                                  int* sequences) {
  const int problem = blockIdx.x / starts, start = blockIdx.x % starts, thread = threadIdx.x;
  const int head_dim = dim / heads, requests = tables.requests[problem];
  const float* keys = tables.keys + (long long)problem * dim * n;
  const float* values = tables.values + (long long)problem * dim * n;
  const float* choice_keys = tables.choice_keys + (long long)problem * dim * n;
  const float* queries = tables.queries + (long long)problem * n * 2 * dim;
  const float* graph = tables.graph + (long long)problem * dim;
  const float* pair_rows = tables.pair_rows + (long long)problem * n * (heads + 2) * n;
  sequences += (long long)blockIdx.x * n;
  const int parts = n < blockDim.x ? blockDim.x / n : 1;  // that a choice's sum is cut into

  extern __shared__ float memory[];
  float* query = memory;              // [dim]
  float* picked = query + dim;        // [dim]: sum over the picked
  float* mixed = picked + dim;        // [dim]
  float* weights = mixed + dim;       // [heads, n]
  float* mask = weights + heads * n;  // [n]
  float* sums = mask + n;             // [n]: biases summed over the picked
  float* choice = sums + n;           // [n]
  float* shares = choice + n;         // [parts, n]
  __shared__ int chosen;

  for (int d = thread; d < dim; d += blockDim.x) {
    query[d] = graph[d] + tables.first[d];
    picked[d] = 0;
  }
  for (int j = thread; j < n; j += blockDim.x) {
    mask[j] = tables.absent ? tables.absent[(long long)problem * n + j] : 0;
    sums[j] = 0;
  }
  const float* rows = nullptr;  // biases by the last
  const bool drawn = tables.noise && start >= requests;
  __syncthreads();
  for (int step = 0; step < requests; ++step) {
    for (int item = thread; item < heads * n; item += blockDim.x) {
      const int head = item / n, j = item % n;
      float score = mask[j];
      for (int e = head * head_dim; e < (head + 1) * head_dim; ++e) score += query[e] * keys[e * n + j];
      if (rows) score += rows[item];
      weights[item] = score;
    }
    __syncthreads();
    for (int head = thread / 32; head < heads; head += blockDim.x / 32) {
      float* row = weights + head * n;
      float top = -3.4e38f, total = 0;
      for (int j = thread % 32; j < n; j += 32) top = fmaxf(top, row[j]);
      for (int offset = 16; offset > 0; offset /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, offset));
      for (int j = thread % 32; j < n; j += 32) total += row[j] = expf(row[j] - top);
      for (int offset = 16; offset > 0; offset /= 2) total += __shfl_xor_sync(~0u, total, offset);
      for (int j = thread % 32; j < n; j += 32) row[j] /= total;
    }
    __syncthreads();
    for (int d = thread; d < dim; d += blockDim.x) {
      const int head = d / head_dim;
      const float* weight = weights + head * n;
      const float* value = values + head * n * head_dim + d % head_dim;
      float glimpse = 0;
      for (int j = 0; j < n; ++j) glimpse += weight[j] * value[j * head_dim];
      mixed[d] = glimpse + query[d];
    }
    __syncthreads();
    for (int item = thread; item < parts * n; item += blockDim.x) {
      float sum = 0;
      for (int d = item / n; d < dim; d += parts) sum += mixed[d] * choice_keys[d * n + item % n];
      shares[item] = sum;
    }
    __syncthreads();
    for (int j = thread; j < n; j += blockDim.x) {
      float score = mask[j];
      for (int part = 0; part < parts; ++part) score += shares[part * n + j];
      if (rows) score += rows[heads * n + j] + sums[j];
      choice[j] = score;
    }
    __syncthreads();
    if (thread < 32) {
      int next;
      if (drawn) {
        const float* noise = tables.noise + start * tables.noise_start + step * tables.noise_pick;
        next = First(n, [&](int j) {
          return (choice[j] > kNever / 2 ? kLogitClip * tanhf(choice[j]) : kNever) + noise[j];
        });
      } else if (step == 0 && start > 0) {
        next = First(n, [&](int j) {  // the one that so many come before
          int rank = 0;
          for (int i = 0; i < n; ++i) rank += Before(choice[i], i, choice[j], j);
          return rank == min(start, n - 1) ? 1.0f : 0.0f;
        });
      } else {
        next = First(n, [&](int j) { return choice[j]; });
      }
      if (thread == 0) {
        chosen = next;
        sequences[step] = next;
        mask[next] = kNever;
      }
    }
    __syncthreads();
    const int last = chosen;
    rows = pair_rows + (long long)last * (heads + 2) * n;
    for (int d = thread; d < dim; d += blockDim.x) {
      picked[d] += queries[last * 2 * dim + dim + d];
      query[d] = graph[d] + queries[last * 2 * dim + d] + picked[d] / (step + 1);
    }
    for (int j = thread; j < n; j += blockDim.x) sums[j] += rows[(heads + 1) * n + j];
    __syncthreads();
  }
}
)cuda";

// As the kernel declares them.
struct Tables {
  const float* keys;
  const float* values;
  const float* choice_keys;
  const float* queries;
  const float* graph;
  const float* first;
  const float* pair_rows;
  const float* absent;
  const int64_t* requests;
  const float* noise;
  int64_t noise_start;
  int64_t noise_pick;
};

constexpr int64_t kThreads = 128;          // of a block
constexpr int64_t kMostBytes = 96 * 1024;  // that a block's threads share, on any GPU of today

const float* Numbers(const at::Tensor& tensor) {
  DRAY_CHECK(tensor.is_contiguous());
  return tensor.const_data_ptr<float>();
}

}  // namespace

std::unique_ptr<CudaSequenceDecoder> CudaSequenceDecoder::Make(const SequenceNetShape& shape,
                                                               const at::Device& device) {
  auto program = CudaProgram::Make(kSource, device);
  if (!program) return nullptr;
  return std::unique_ptr<CudaSequenceDecoder>(new CudaSequenceDecoder(shape, std::move(program)));
}

int64_t CudaSequenceDecoder::BytesOfBlock(int64_t n) const {
  const int64_t parts = std::max<int64_t>(1, kThreads / n);
  return int64_t{sizeof(float)} * (3 * shape_.dim + (shape_.heads + 3 + parts) * n);
}

bool CudaSequenceDecoder::Fits(int64_t n) const { return BytesOfBlock(n) <= kMostBytes; }

at::Tensor CudaSequenceDecoder::MultiStart(const TorchSequenceNet::Encoded& encoded, int64_t starts,
                                           const at::Tensor& requests, const at::Tensor& noise) {
  const int64_t problems = encoded.queries.size(0), n = encoded.queries.size(1);
  const int64_t dim = shape_.dim, heads = shape_.heads;
  at::Tensor sequences = at::zeros({problems, starts, n}, requests.options().dtype(at::kInt));
  const Tables tables{
      .keys = Numbers(encoded.keys),
      .values = Numbers(encoded.values),
      .choice_keys = Numbers(encoded.choice_keys),
      .queries = Numbers(encoded.queries),
      .graph = Numbers(encoded.graph),
      .first = Numbers(encoded.first),
      .pair_rows = Numbers(encoded.pair_rows),
      .absent = encoded.absent.defined() ? Numbers(encoded.absent) : nullptr,
      .requests = requests.const_data_ptr<int64_t>(),
      .noise = noise.defined() ? noise.const_data_ptr<float>() : nullptr,
      .noise_start = noise.defined() ? noise.stride(0) : 0,
      .noise_pick = noise.defined() ? noise.stride(1) : 0,
  };
  program_->Launch("Decode", {problems * starts, kThreads, BytesOfBlock(n)}, tables,
                   static_cast<int>(n), static_cast<int>(dim), static_cast<int>(heads),
                   static_cast<int>(starts), sequences.mutable_data_ptr<int>());
  return sequences;
}

}  // namespace dray
