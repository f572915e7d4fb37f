#include "src/oracle/neural/sequence_weights.h"

#include <array>
#include <cmath>
#include <span>

#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/rng.h"
#include "src/oracle/neural/request_features.h"

namespace dray {
namespace {

constexpr std::array<char, 8> kMagic = {'D', 'R', 'A', 'Y', 'O', 'R', 'D', 'R'};
constexpr uint32_t kVersion = 1;
constexpr int64_t kMostParameters = 100'000'000;

struct Header {
  std::array<char, 8> magic = kMagic;
  uint32_t version = kVersion;
  int32_t token_features = kTokenFeatures;
  int32_t pair_features = kPairFeatures;
  int32_t most_requests = 0;
  SequenceNetShape shape;
};

bool IsSensible(const SequenceNetShape& shape) {
  const auto within = [](int32_t value, int32_t most) { return value >= 1 && value <= most; };
  return within(shape.dim, 4096) && within(shape.layers, 64) && within(shape.heads, 256) &&
         within(shape.hidden, 65536) && within(shape.pair_hidden, 4096) &&
         shape.dim % shape.heads == 0 && SequenceNetLayout(shape).count <= kMostParameters;
}

Error Damaged(const std::string& what) {
  return UsageError(what, ": damaged: cut short or changed; copy it again or retrain it with ",
                    "//:train_oracle");
}

void FillUniform(std::span<float> values, double bound, Rng& rng) {
  for (float& value : values) value = rng.Uniform(-bound, bound);
}

}  // namespace

SequenceWeights RandomSequenceWeights(const SequenceNetShape& shape, uint64_t seed) {
  DRAY_CHECK(IsSensible(shape));
  const SequenceNetLayout layout(shape);
  SequenceWeights weights{.shape = shape, .values = {}};
  weights.values.assign(layout.count, 0.0f);
  Rng rng(seed, RngPurpose::kInit, 0);
  const auto part = [&](const ParameterSlot& slot) {
    return std::span(weights.values).subspan(slot.start, slot.size());
  };
  const auto dense = [&](const ParameterSlot& slot, double gain) {
    FillUniform(part(slot), gain * std::sqrt(3.0 / static_cast<double>(slot.rows)), rng);
  };
  const auto ones = [&](const ParameterSlot& slot) { std::ranges::fill(part(slot), 1.0f); };
  // Additions to the stream of a token are scaled so that all of them together have the size of the
  // stream.
  const double residual = 1.0 / std::sqrt(2.0 * shape.layers);
  dense(layout.token, 1);
  dense(layout.pair, 1);
  dense(layout.pair_out, 0.2);
  for (const SequenceNetLayout::Layer& layer : layout.layers) {
    ones(layer.attention_gain);
    dense(layer.qkv, 1);
    dense(layer.attention_out, residual);
    ones(layer.hidden_gain);
    dense(layer.hidden, std::sqrt(2.0));
    dense(layer.out, residual);
  }
  ones(layout.final_gain);
  dense(layout.nodes, 0.5);
  dense(layout.graph, 0.5);
  FillUniform(part(layout.first), 0.5, rng);
  return weights;
}

SequenceWeights ParseSequenceWeights(std::string_view bytes, const std::string& what) {
  if (bytes.size() < sizeof(Header) + sizeof(uint32_t) ||
      bytes.substr(0, kMagic.size()) != std::string_view(kMagic.data(), kMagic.size())) {
    throw UsageError(what, ": is not a file of weights for the neural oracle; //:train_oracle ",
                     "writes them");
  }
  const std::string_view body = bytes.substr(0, bytes.size() - sizeof(uint32_t));
  uint32_t checksum = 0;
  std::memcpy(&checksum, bytes.data() + body.size(), sizeof(checksum));
  if (Crc32c(body) != checksum) throw Damaged(what);
  ByteReader in(body, what);
  const auto header = in.Get<Header>();
  if (header.version != kVersion || header.token_features != kTokenFeatures ||
      header.pair_features != kPairFeatures) {
    throw UsageError(what, ": weights of another version of the neural oracle (", header.version,
                     ", this is ", kVersion, "); train again with //:train_oracle");
  }
  if (!IsSensible(header.shape)) throw Damaged(what);
  SequenceWeights weights{header.shape, header.most_requests, in.GetVector<float>()};
  const int64_t expected = SequenceNetLayout(header.shape).count;
  if (std::ssize(weights.values) != expected || !in.AtEnd()) throw Damaged(what);
  for (const float value : weights.values) {
    if (!std::isfinite(value)) throw Damaged(what);
  }
  return weights;
}

SequenceWeights ReadSequenceWeights(const std::string& path) {
  std::string bytes;
  try {
    bytes = ReadFile(path);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  return ParseSequenceWeights(bytes, path);
}

std::string SequenceWeightsBytes(const SequenceWeights& weights) {
  DRAY_CHECK_EQ(std::ssize(weights.values), SequenceNetLayout(weights.shape).count);
  ByteWriter out;
  out.Put(Header{.most_requests = weights.most_requests, .shape = weights.shape});
  out.PutVector(weights.values);
  out.Put(Crc32c(out.bytes()));
  return out.Take();
}

void WriteSequenceWeights(const SequenceWeights& weights, const std::string& path) {
  WriteFileAtomically(path, SequenceWeightsBytes(weights));
}

}  // namespace dray
