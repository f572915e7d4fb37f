#include "src/rollout/batch.h"

#include <array>
#include <cstring>
#include <limits>

#include "src/base/error.h"

namespace dray {
namespace {

constexpr uint64_t kMagic = 0x3576626172644cULL;  // changes with the layout

struct Header {
  uint64_t magic;
  uint64_t tail_bytes;
  BatchShape shape;
  BatchOrigin origin;
};

// Columns start at multiples of 64 bytes, for vector loads.
size_t Aligned(size_t offset) { return (offset + 63) / 64 * 64; }

// Lays the columns out from `base` and returns the bytes used. With a null base, it only computes
// the size.
template <template <typename> typename Span, typename Base>
size_t LayOut(const BatchShape& shape, Base* base, BatchColumns<Span>& columns) {
  const size_t samples = shape.samples();
  const size_t rows = samples + shape.envs;
  size_t offset = Aligned(sizeof(Header));
  const auto place = [&]<typename T>(Span<T>& column, size_t count) {
    if (base != nullptr) {
      column = Span<T>(reinterpret_cast<typename Span<T>::pointer>(base + offset), count);
    }
    offset = Aligned(offset + count * sizeof(T));
  };
  place(columns.observations, rows * shape.observation_size);
  place(columns.bags, rows * shape.bag.indices());
  place(columns.masks, rows * shape.mask_size);
  place(columns.action_indices, shape.action_values == 0 ? samples : 0);
  place(columns.action_values, samples * shape.action_values);
  place(columns.appraisals, samples * shape.appraised);
  place(columns.log_probs, samples);
  place(columns.rewards, samples);
  place(columns.discounted_returns, samples);
  place(columns.terminated, samples);
  place(columns.truncated, samples);
  return offset;
}

bool Plausible(const BatchShape& shape) {
  constexpr int32_t kMost = 1 << 24;
  const auto fits = [](int32_t value, int32_t least) { return value >= least && value <= kMost; };
  const BagSpec& bag = shape.bag;
  const bool bagless = bag.width == 0 && bag.own == 0 && bag.joining == 0;
  const bool with_bag = bag.width >= 1 && bag.width <= std::numeric_limits<int16_t>::max() + 1 &&
                        fits(bag.own, 0) && fits(bag.joining, 0) && bag.indices() >= 1;
  return fits(shape.steps, 1) && fits(shape.envs, 1) &&
         fits(shape.observation_size, bagless ? 1 : 0) && fits(shape.action_values, 0) &&
         fits(shape.mask_size, 0) && fits(shape.appraised, 0) && (bagless || with_bag);
}

bool Plausible(const BatchOrigin& origin) {
  return origin.policy_version >= 0 && origin.shard >= 0 && origin.first_env >= 0;
}

// Indices are used unchecked later: each must be in the table, or -1 for none.
void ExpectWithin(std::span<const int16_t> indices, const BagSpec& bag) {
  for (const int16_t index : indices) {
    if (index < -1 || index >= bag.width) {
      throw Failure("a rollout batch is damaged: index ", index, " into a bag of ", bag.width);
    }
  }
}

std::string PackTail(const std::vector<CutEpisode>& cuts,
                     const std::vector<JoinedBefore>& joined_before) {
  ByteWriter tail;
  tail.Put<uint64_t>(cuts.size());
  for (const CutEpisode& cut : cuts) {
    tail.Put(cut.sample);
    tail.PutVector(cut.final_observation);
  }
  tail.Put<uint64_t>(joined_before.size());
  for (const JoinedBefore& joined : joined_before) {
    tail.Put(joined.env);
    tail.PutVector(joined.indices);
  }
  return tail.Take();
}

}  // namespace

BatchShape BatchShape::Of(const EnvSpec& spec, int steps, int envs) {
  BatchShape shape;
  shape.steps = steps;
  shape.envs = envs;
  shape.observation_size = spec.observation_size;
  shape.action_values = spec.actions.discrete() ? 0 : spec.actions.outputs();
  shape.mask_size = spec.masked ? spec.actions.outputs() : 0;
  shape.appraised = spec.appraises ? spec.actions.outputs() : 0;
  shape.bag = spec.bag;
  return shape;
}

bool BatchShape::operator==(const BatchShape& other) const {
  const auto numbers = [](const BatchShape& shape) {
    return std::array{shape.steps,         shape.envs,      shape.observation_size,
                      shape.action_values, shape.mask_size, shape.appraised,
                      shape.bag.width,     shape.bag.own,   shape.bag.joining};
  };
  return numbers(*this) == numbers(other);
}

size_t BatchBytes(const BatchShape& shape) {
  BatchColumns<MutableSpan> columns;
  return LayOut(shape, static_cast<std::byte*>(nullptr), columns);
}

BatchWriter::BatchWriter(const BatchShape& shape, ByteSink* out)
    : shape_(shape),
      blob_(out == nullptr ? std::make_unique<Blob>() : nullptr),
      out_(out == nullptr ? blob_.get() : out) {
  LayOut(shape_, out_->Resize(BatchBytes(shape)), columns_);
}

void BatchWriter::AddCutEpisode(int64_t sample, std::span<const float> final_observation) {
  cuts_.push_back({sample, {final_observation.begin(), final_observation.end()}});
}

void BatchWriter::AddJoinedBefore(int env, std::span<const int16_t> indices) {
  joined_before_.push_back({env, {indices.begin(), indices.end()}});
}

SharedBlob BatchWriter::Finish(const BatchOrigin& origin) {
  const std::string tail = PackTail(cuts_, joined_before_);
  const size_t fixed = BatchBytes(shape_);
  std::byte* data = out_->Resize(fixed + tail.size());
  std::memcpy(data + fixed, tail.data(), tail.size());
  const Header header{kMagic, tail.size(), shape_, origin};
  std::memcpy(data, &header, sizeof(header));
  return std::move(blob_);
}

BatchReader::BatchReader(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof(header))
    throw Failure("a rollout batch is truncated: ", bytes.size(), " bytes");
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kMagic || !Plausible(header.shape) || !Plausible(header.origin)) {
    throw Failure("these bytes are not a rollout batch of this version of Dray");
  }
  shape_ = header.shape;
  origin_ = header.origin;
  const size_t fixed = BatchBytes(shape_);
  // With more samples than bytes, the size may have overflowed.
  if (bytes.size() < static_cast<size_t>(shape_.samples()) || bytes.size() < fixed ||
      bytes.size() - fixed != header.tail_bytes) {
    throw Failure("a rollout batch is truncated: ", bytes.size(), " bytes where ",
                  fixed + header.tail_bytes, " were expected");
  }
  LayOut(shape_, bytes.data(), columns_);
  ExpectWithin(columns_.bags, shape_.bag);
  ByteReader tail(bytes.substr(fixed), "a rollout batch");
  const auto cut_count = tail.Get<uint64_t>();
  for (uint64_t i = 0; i < cut_count; ++i) {
    CutEpisode cut{tail.Get<int64_t>(), tail.GetVector<float>()};
    if (cut.sample < 0 || cut.sample >= shape_.samples() ||
        cut.final_observation.size() != static_cast<size_t>(shape_.observation_size)) {
      throw Failure("a rollout batch is damaged: a cut episode that is not in it");
    }
    cuts_.push_back(std::move(cut));
  }
  const auto joined_count = tail.Get<uint64_t>();
  for (uint64_t i = 0; i < joined_count; ++i) {
    JoinedBefore joined{tail.Get<int32_t>(), tail.GetVector<int16_t>()};
    if (joined.env < 0 || joined.env >= shape_.envs || shape_.bag.width == 0) {
      throw Failure("a rollout batch is damaged: a bag that is not in it");
    }
    ExpectWithin(joined.indices, shape_.bag);
    joined_before_.push_back(std::move(joined));
  }
  tail.ExpectEnd();
}

void BatchReader::ExpectOf(const EnvSpec& spec) const {
  if (shape_ != BatchShape::Of(spec, shape_.steps, shape_.envs)) {
    throw Failure("a rollout batch is not one of ", spec.name,
                  " with these settings: all shards must run the learner's config");
  }
  if (spec.actions.discrete()) ExpectActionsOf(spec);
  if (spec.bag.joining > 0) ExpectEpisodesOf(spec);
}

void BatchReader::ExpectActionsOf(const EnvSpec& spec) const {
  const auto masks = columns_.masks;
  const size_t width = shape_.mask_size;
  for (size_t i = 0; i < columns_.action_indices.size(); ++i) {
    const int32_t action = columns_.action_indices[i];
    if (action < 0 || action >= spec.actions.count) {
      throw Failure("a rollout batch is damaged: action ", action, " of ", spec.actions.count,
                    " at sample ", i);
    }
    if (width > 0 && masks[i * width + action] == 0) {
      throw Failure("a rollout batch is damaged: action ", action, " at sample ", i,
                    ", where the mask forbids it");
    }
  }
}

// Indices that joined a bag are listed for every later state of the episode. Without a limit, the
// lists of a batch whose episodes never end would grow with the square of its size.
void BatchReader::ExpectEpisodesOf(const EnvSpec& spec) const {
  const size_t n = shape_.envs;
  const size_t joining = shape_.bag.joining;
  const size_t most = spec.max_episode_steps;
  std::vector<size_t> states(n);
  for (const JoinedBefore& before : joined_before_) {
    states[before.env] = (before.indices.size() + joining - 1) / joining;
  }
  const size_t rows = shape_.samples() + n;
  for (size_t row = 0; row < rows; ++row) {
    size_t& so_far = states[row % n];
    if (row >= n && (columns_.terminated[row - n] != 0 || columns_.truncated[row - n] != 0)) {
      so_far = 0;
    }
    if (++so_far > most) {
      throw Failure("a rollout batch is damaged: environment ", row % n,
                    " has an episode of more than ", most, " steps");
    }
  }
}

}  // namespace dray
