#include "src/envs/plugin/plugin_envs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/env/action_box.h"
#include "src/envs/plugin/plugin_library.h"

namespace dray {
namespace {

// A run has at most 2^16 environments; higher bits of a stream's index count replacements.
constexpr uint64_t kMostEnvs = 1 << 16;
// A larger state is a mistake of the library.
constexpr size_t kMostStateBytes = size_t{1} << 30;
constexpr size_t kRenderedBytes = 4096;
constexpr int64_t kAtReset = 0;

// Memory for the reason of a failure, as one line.
struct Message {
  char text[DRAY_ENV_MESSAGE] = "";

  std::string Line() {
    text[sizeof(text) - 1] = '\0';
    std::string line = text;
    std::ranges::replace(line, '\n', ' ');
    return line.empty() ? "failed and gave no reason" : line;
  }
};

template <typename T>
std::span<T> Row(std::span<T> all, size_t i, size_t rows) {
  const size_t width = all.size() / rows;
  return all.subspan(i * width, width);
}

template <typename T>
T* Memory(std::span<T> values) {
  return values.empty() ? nullptr : values.data();
}

}  // namespace

PluginEnvs::PluginEnvs(const PluginConfig& config, const EnvStreams& streams, int count)
    : library_(config.library()),
      table_(LoadPlugin(library_)),
      first_env_(static_cast<int>(streams.first_index % kMostEnvs)),
      batch_(nullptr, table_.destroy) {
  Message message;
  dray_env_spec given = {};
  batch_.reset(table_.create(count, config.options().c_str(), &given, message.text));
  if (batch_ == nullptr) throw UsageError(library_, ": ", message.Line());
  spec_ = SpecOfPlugin(library_, table_, given);
  clipped_.resize(spec_.actions.low.size() * static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) {
    members_.push_back({Rng(streams.seed, streams.purpose, streams.first_index + i)});
  }
}

Error PluginEnvs::FailureOf(size_t i, int64_t step, const std::string& what) const {
  return Failure(library_, ": environment ", static_cast<size_t>(first_env_) + i, " of ",
                 spec_.name, step == kAtReset ? ", at its start" : Cat(", step ", step), ": ",
                 what);
}

void PluginEnvs::Reset(std::span<float> observations, std::span<uint8_t> masks,
                       std::span<int16_t> bags) {
  DRAY_CHECK(bags.empty());
  const size_t n = members_.size();
  DRAY_CHECK_EQ(observations.size(), n * spec_.observation_size);
  DRAY_CHECK_EQ(masks.size(), spec_.masked ? n * spec_.actions.count : 0);
  for (size_t i = 0; i < n; ++i) Begin(i, Row(observations, i, n), Row(masks, i, n));
}

void PluginEnvs::Begin(size_t i, std::span<float> observation, std::span<uint8_t> mask) {
  Member& member = members_[i];
  member.seed = member.rng.Next64();
  member.total_reward = 0;
  member.length = 0;
  member.indices.clear();
  member.values.clear();
  ResetOne(i, member.seed, observation, mask);
}

void PluginEnvs::ResetOne(size_t i, uint64_t seed, std::span<float> observation,
                          std::span<uint8_t> mask) {
  Message message;
  if (table_.reset(batch_.get(), static_cast<int32_t>(i), seed, observation.data(), Memory(mask),
                   message.text) != 0) {
    throw FailureOf(i, kAtReset, message.Line());
  }
  CheckMask(i, kAtReset, mask);
}

void PluginEnvs::StepRange(size_t first, const Actions& actions, const StepSlots& slots) {
  Message message;
  std::ranges::fill(slots.terminated, uint8_t{0});
  std::ranges::fill(slots.truncated, uint8_t{0});
  dray_env_step step = {.first = static_cast<int32_t>(first),
                        .count = static_cast<int32_t>(slots.rewards.size()),
                        .actions = Memory(actions.indices),
                        .action_values = Memory(actions.values),
                        .observations = slots.observations.data(),
                        .masks = Memory(slots.masks),
                        .rewards = slots.rewards.data(),
                        .terminated = slots.terminated.data(),
                        .truncated = slots.truncated.data(),
                        .failed = static_cast<int32_t>(first),
                        .message = message.text};
  if (table_.step(batch_.get(), &step) == 0) return;
  const size_t failed = std::min<size_t>(std::max(step.failed, 0), members_.size() - 1);
  throw FailureOf(failed, members_[failed].length + 1, message.Line());
}

void PluginEnvs::Step(const Actions& actions, const StepSlots& slots) {
  const size_t n = members_.size(), values = spec_.actions.low.size();
  Actions taken = actions;
  if (spec_.actions.discrete()) {
    DRAY_CHECK_EQ(actions.indices.size(), n);
    for (const int32_t index : actions.indices) {
      DRAY_CHECK_GE(index, 0);
      DRAY_CHECK_LT(index, spec_.actions.count);
    }
  } else {
    DRAY_CHECK_EQ(actions.values.size(), n * values);
    for (size_t i = 0; i < n; ++i) {
      ClipToBox(spec_, i, Row(actions.values, i, n), Row(std::span(clipped_), i, n));
    }
    taken.values = clipped_;
  }
  StepRange(0, taken, slots);
  CheckFlags(slots);
  for (size_t i = 0; i < n; ++i) {
    Member& member = members_[i];
    member.total_reward += slots.rewards[i];
    if (++member.length == spec_.max_episode_steps) slots.truncated[i] = 1;
    if (!slots.terminated[i] && !slots.truncated[i]) {
      if (!saves()) Record(i, taken);
      continue;
    }
    const auto observation = Row(slots.observations, i, n);
    std::ranges::copy(observation, Row(slots.final_observations, i, n).begin());
    CloseEpisode(i);
    Begin(i, observation, Row(slots.masks, i, n));
  }
}

void PluginEnvs::Record(size_t i, const Actions& actions) {
  Member& member = members_[i];
  if (spec_.actions.discrete()) {
    member.indices.push_back(actions.indices[i]);
  } else {
    const auto values = Row(actions.values, i, members_.size());
    member.values.insert(member.values.end(), values.begin(), values.end());
  }
}

void PluginEnvs::CheckFlags(const StepSlots& slots) const {
  for (size_t i = 0; i < members_.size(); ++i) {
    if ((slots.terminated[i] | slots.truncated[i]) > 1) {
      throw FailureOf(i, members_[i].length + 1, "terminated and truncated must be 0 or 1");
    }
    if (spec_.masked) {
      CheckMask(i, members_[i].length + 1, Row(slots.masks, i, members_.size()));
    }
  }
}

void PluginEnvs::CheckMask(size_t i, int64_t step, std::span<const uint8_t> mask) const {
  uint8_t all = 0;
  for (const uint8_t allowed : mask) all |= allowed;
  if (!spec_.masked || all == 1) return;
  throw FailureOf(
      i, step, all == 0 ? "its mask allows no action" : "its mask has other numbers than 0 or 1");
}

void PluginEnvs::CloseEpisode(size_t i) {
  const Member& member = members_[i];
  if (spec_.fixed_length && member.length != spec_.max_episode_steps) {
    throw FailureOf(i, member.length,
                    Cat("the episode ended, but with fixed_length all have ",
                        spec_.max_episode_steps, " steps"));
  }
  Episode episode{.env = static_cast<int>(i),
                  .length = member.length,
                  .total_reward = member.total_reward,
                  .stats = std::vector<double>(spec_.episode_stats.size())};
  if (!episode.stats.empty()) {
    table_.episode_stats(batch_.get(), static_cast<int32_t>(i), episode.stats.data());
  }
  for (size_t k = 0; k < episode.stats.size(); ++k) {
    if (std::isfinite(episode.stats[k])) continue;
    throw FailureOf(i, member.length,
                    Cat("its statistic ", spec_.episode_stats[k], " is ", episode.stats[k]));
  }
  episodes_.push_back(std::move(episode));
}

std::vector<Episode> PluginEnvs::TakeEpisodes() { return std::exchange(episodes_, {}); }

std::string PluginEnvs::Render(int env) const {
  DRAY_CHECK_GE(env, 0);
  DRAY_CHECK_LT(env, size());
  if (table_.render == nullptr) {
    const Member& member = members_[env];
    return Cat("step ", member.length, ": return so far ", member.total_reward);
  }
  std::string text(kRenderedBytes, '\0');
  table_.render(batch_.get(), env, text.data(), text.size());
  text.back() = '\0';
  return text.c_str();
}

std::string PluginEnvs::StateOf(size_t i) const {
  const auto env = static_cast<int32_t>(i);
  const size_t size = table_.save(batch_.get(), env, nullptr, 0);
  if (size > kMostStateBytes) {
    throw FailureOf(i, members_[i].length,
                    Cat("its state has ", size, " bytes, which is too much"));
  }
  std::string state(size, '\0');
  if (table_.save(batch_.get(), env, state.data(), size) != size) {
    throw FailureOf(i, members_[i].length, "`save` returns two sizes for one state");
  }
  return state;
}

void PluginEnvs::Save(ByteWriter& out) const {
  ByteWriter all;
  for (size_t i = 0; i < members_.size(); ++i) {
    const Member& member = members_[i];
    member.rng.Save(all);
    all.Put(member.seed);
    all.Put(member.total_reward);
    all.Put(member.length);
    all.PutVector(member.indices);
    all.PutVector(member.values);
    all.PutString(saves() ? StateOf(i) : "");
  }
  SaveEpisodes(episodes_, all);
  SaveBatchName(spec_.name, size(), out);
  out.PutString(all.bytes());
  // A library need not find damage in its states.
  out.Put(Crc32c(all.bytes()));
}

void PluginEnvs::Load(ByteReader& in) {
  ExpectSavedBatch(spec_.name, size(), in);
  const std::string_view all = in.GetView();
  if (in.Get<uint32_t>() != Crc32c(all)) {
    throw Failure("the saved environments of ", spec_.name, " are damaged");
  }
  ByteReader saved(all, "the saved state of " + spec_.name);
  std::vector<Member> members;
  std::vector<std::string_view> states(members_.size());
  for (std::string_view& state : states) members.push_back(ReadMember(saved, &state));
  std::vector<Episode> episodes = LoadEpisodes(spec_, size(), saved);
  saved.ExpectEnd();
  for (size_t i = 0; i < members.size(); ++i) Restore(i, members[i], states[i]);
  members_ = std::move(members);
  episodes_ = std::move(episodes);
}

PluginEnvs::Member PluginEnvs::ReadMember(ByteReader& in, std::string_view* state) const {
  Member member = members_.front();
  member.rng.Load(in);
  member.seed = in.Get<uint64_t>();
  member.total_reward = in.Get<double>();
  member.length = in.Get<int64_t>();
  member.indices = in.GetVector<int32_t>();
  member.values = in.GetVector<float>();
  *state = in.GetView();
  const int64_t recorded = saves() ? 0 : member.length;
  const auto in_range = [&](int32_t index) { return index >= 0 && index < spec_.actions.count; };
  if (!std::isfinite(member.total_reward) || member.length < 0 ||
      member.length >= spec_.max_episode_steps ||
      std::ssize(member.indices) != (spec_.actions.discrete() ? recorded : 0) ||
      std::ssize(member.values) != recorded * std::ssize(spec_.actions.low) ||
      !std::ranges::all_of(member.indices, in_range)) {
    throw Failure("a saved episode of ", spec_.name, " does not fit ", library_,
                  ": it was saved with another version of the library");
  }
  return member;
}

void PluginEnvs::Restore(size_t i, const Member& member, std::string_view state) {
  if (!saves()) return Replay(i, member);
  Message message;
  if (table_.load(batch_.get(), static_cast<int32_t>(i), state.data(), state.size(),
                  message.text) != 0) {
    throw FailureOf(i, member.length, Cat("cannot be loaded: ", message.Line()));
  }
}

void PluginEnvs::Replay(size_t i, const Member& member) {
  const size_t values = spec_.actions.low.size();
  std::vector<float> observation(spec_.observation_size);
  std::vector<uint8_t> mask(spec_.masked ? spec_.actions.count : 0);
  float reward = 0;
  uint8_t terminated = 0, truncated = 0;
  ResetOne(i, member.seed, observation, mask);
  for (int64_t step = 0; step < member.length; ++step) {
    Actions action;
    if (spec_.actions.discrete()) {
      action.indices = std::span(member.indices).subspan(step, 1);
    } else {
      action.values = std::span(member.values).subspan(step * values, values);
    }
    StepRange(i, action,
              {.observations = observation,
               .masks = mask,
               .rewards = {&reward, 1},
               .terminated = {&terminated, 1},
               .truncated = {&truncated, 1},
               .final_observations = {}});
    if (terminated || truncated) {
      throw FailureOf(i, step + 1,
                      "the episode ends when it is played again: it does not follow from its seed "
                      "and actions alone");
    }
  }
}

}  // namespace dray
