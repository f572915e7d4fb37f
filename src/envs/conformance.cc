#include "src/envs/conformance.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/env/registry.h"
#include "src/envs/batch_player.h"

namespace dray {
namespace {

constexpr uint64_t kSeed = 11;
constexpr int kCount = 3;
// Environments with longer episodes are not played to their end.
constexpr int kMostSteps = 20'000;

BatchPlayer Play(const EnvConfig& config, int count = kCount, uint64_t first_index = 0,
                 uint64_t seed = kSeed) {
  const EnvStreams streams{.seed = seed, .first_index = first_index};
  return BatchPlayer(MakeBatchEnv(config, streams, count), streams);
}

// Returns enough steps for every environment to end an episode and to be well into another.
int StepsOf(const EnvSpec& spec) {
  return static_cast<int>(std::min<int64_t>(int64_t{spec.max_episode_steps} * 3 / 2, kMostSteps));
}

template <typename... Parts>
void Expect(bool holds, const Parts&... otherwise) {
  if (!holds) throw Failure(otherwise...);
}

std::string At(size_t env, int step) { return Cat("environment ", env, ", step ", step, ": "); }

bool AllFinite(std::span<const float> values) {
  return std::ranges::all_of(values, [](float value) { return std::isfinite(value); });
}

// Calls `look` after each of many random steps.
template <typename Look>
void Watch(BatchPlayer& player, const Look& look) {
  player.Reset();
  const int steps = StepsOf(player.env->spec());
  for (int step = 1; step <= steps; ++step) {
    player.Step();
    look(step);
  }
}

void ExpectMasks(const BatchPlayer& player, int step) {
  const auto actions = static_cast<size_t>(player.env->spec().actions.outputs());
  for (size_t start = 0; start < player.masks.size(); start += actions) {
    const auto mask = std::span(player.masks).subspan(start, actions);
    Expect(std::ranges::max(mask) <= 1, At(start / actions, step),
           "the mask has other numbers than 0 and 1, or was not written");
    Expect(std::ranges::count(mask, 1) > 0, At(start / actions, step), "the mask allows no action");
  }
}

void ExpectWholeAndFinite(const BatchPlayer& player, int step) {
  for (size_t i = 0; i < player.rewards.size(); ++i) {
    Expect(AllFinite(player.ObservationOf(i)), At(i, step),
           "a number of the observation is not finite, or was not written");
    if (step == 0) continue;
    Expect(std::isfinite(player.rewards[i]), At(i, step),
           "the reward is not finite, or was not written");
    Expect(player.terminated[i] <= 1 && player.truncated[i] <= 1, At(i, step),
           "terminated and truncated are not both 0 or 1");
    Expect(!player.Ended(i) || AllFinite(player.FinalObservationOf(i)), At(i, step),
           "a number of the final observation is not finite, or was not written");
  }
  ExpectMasks(player, step);
}

void SpecIsSensible(const EnvConfig& config) {
  const EnvSpec spec = SpecOf(config);
  Expect(spec.observation_size > 0, "observations have ", spec.observation_size, " numbers");
  Expect(spec.actions.outputs() > 0, "there are ", spec.actions.outputs(), " actions");
  Expect(spec.max_episode_steps > 0, "max_episode_steps is ", spec.max_episode_steps);
  Expect(!spec.masked || spec.actions.discrete(), "actions of a box are masked");
  const BatchPlayer player = Play(config);
  Expect(player.env->size() == kCount, "a batch of ", kCount, " has the size ", player.env->size());
  Expect(player.env->spec().observation_size == spec.observation_size &&
             player.env->spec().max_episode_steps == spec.max_episode_steps,
         "the sizes depend on the number of environments");
}

void EverythingIsWritten(const EnvConfig& config) {
  BatchPlayer player = Play(config);
  player.Reset();
  ExpectWholeAndFinite(player, 0);
  Watch(player, [&](int step) { ExpectWholeAndFinite(player, step); });
}

void FinalObservationsOnlyAtEnds(const EnvConfig& config) {
  BatchPlayer player = Play(config);
  Watch(player, [&](int step) {
    for (size_t i = 0; i < kCount; ++i) {
      const auto untouched = [](float value) { return std::isnan(value); };
      Expect(player.Ended(i) || std::ranges::all_of(player.FinalObservationOf(i), untouched),
             At(i, step), "a final observation was written before the episode's end");
    }
  });
}

void SameSeedSameBytes(const EnvConfig& config) {
  BatchPlayer a = Play(config), b = Play(config);
  b.Reset();
  Watch(a, [&](int step) {
    b.Step();
    for (size_t i = 0; i < kCount; ++i) {
      Expect(a.BytesOf(i) == b.BytesOf(i), At(i, step),
             "differs from another batch with the same seed and actions");
    }
  });
  Expect(a.Saved() == b.Saved(), "two batches with the same seed and actions have other states");
}

// Episodes may begin alike. States that look alike allow the same actions.
void SeedsDiffer(const EnvConfig& config) {
  BatchPlayer a = Play(config), b = Play(config, kCount, 0, kSeed + 1);
  a.Reset();
  b.Reset();
  for (int step = StepsOf(a.env->spec()); step > 0 && a.observations == b.observations; --step) {
    a.Step();
    b.StepWith({.indices = a.indices, .values = a.values});
  }
  Expect(a.observations != b.observations, "the same actions give the same episodes");
}

// Environments 3 and 4 of a batch of 5 are those of a batch of 2 that starts at stream 3.
void SameInAnyLayout(const EnvConfig& config) {
  BatchPlayer whole = Play(config, 5, 0), part = Play(config, 2, 3);
  part.Reset();
  Watch(whole, [&](int step) {
    part.Step();
    for (size_t i = 0; i < 2; ++i) {
      Expect(whole.BytesOf(i + 3) == part.BytesOf(i), At(i + 3, step),
             "differs when it is in a batch of another size");
    }
  });
}

void EpisodesAreReported(const EnvConfig& config) {
  BatchPlayer player = Play(config);
  const EnvSpec spec = player.env->spec();
  std::vector<int64_t> length(kCount);
  std::vector<double> total_reward(kCount);
  int episodes = 0;
  Watch(player, [&](int step) {
    std::vector<int> ended;
    for (int i = 0; i < kCount; ++i) {
      ++length[i];
      total_reward[i] += player.rewards[i];
      Expect(length[i] <= spec.max_episode_steps, At(i, step), "the episode is longer than ",
             spec.max_episode_steps, " steps");
      if (player.Ended(i)) ended.push_back(i);
    }
    const std::vector<Episode> reported = player.env->TakeEpisodes();
    Expect(reported.size() == ended.size(), "step ", step, ": ", ended.size(),
           " episodes ended, but ", reported.size(), " were reported");
    for (const Episode& episode : reported) {
      const int i = episode.env;
      Expect(std::ranges::count(ended, i) == 1, "step ", step, ": environment ", i,
             " was reported but did not end");
      Expect(episode.length == length[i], At(i, step), "the episode has ", length[i],
             " steps, not ", episode.length);
      Expect(std::abs(episode.total_reward - total_reward[i]) <=
                 1e-6 * (1 + std::abs(total_reward[i])),
             At(i, step), "the return is ", total_reward[i], ", not ", episode.total_reward);
      Expect(episode.stats.size() == spec.episode_stats.size() &&
                 std::ranges::all_of(episode.stats, [](double v) { return std::isfinite(v); }),
             At(i, step), "a statistic is missing or not finite");
      Expect(!spec.fixed_length || episode.length == spec.max_episode_steps, At(i, step),
             "the length is not fixed");
      length[i] = 0;
      total_reward[i] = 0;
      ++episodes;
    }
  });
  Expect(episodes >= kCount || StepsOf(spec) == kMostSteps, "only ", episodes, " episodes ended");
}

void NextEpisodeBegins(const EnvConfig& config) {
  BatchPlayer player = Play(config);
  Watch(player, [&](int step) {
    for (size_t i = 0; i < kCount; ++i) {
      Expect(!player.Ended(i) ||
                 !std::ranges::equal(player.ObservationOf(i), player.FinalObservationOf(i)),
             At(i, step), "the next episode begins with the last observation of the old one");
    }
  });
}

void ResetInTheMiddle(const EnvConfig& config) {
  BatchPlayer player = Play(config);
  player.Reset();
  player.Step();
  player.env->TakeEpisodes();
  player.Reset();
  ExpectWholeAndFinite(player, 0);
  const int most = player.env->spec().max_episode_steps;
  for (int step = 0; step < std::min(most, kMostSteps); ++step) player.Step();
  for (const Episode& episode : player.env->TakeEpisodes()) {
    Expect(episode.length <= most, "environment ", episode.env, ": after a reset, an episode has ",
           episode.length, " steps");
  }
}

void BoundsAreCarriedOut(const EnvConfig& config) {
  const ActionSpace space = SpecOf(config).actions;
  for (const bool upper : {false, true}) {
    BatchPlayer player = Play(config);
    if (!player.masks.empty()) return;  // the action may be forbidden
    player.Reset();
    const std::vector<int32_t> indices(player.indices.size(), upper ? space.count - 1 : 0);
    std::vector<float> values;
    while (values.size() < player.values.size()) {
      const std::vector<float>& bound = upper ? space.high : space.low;
      values.insert(values.end(), bound.begin(), bound.end());
    }
    for (int step = 1; step <= StepsOf(player.env->spec()); ++step) {
      player.StepWith({.indices = indices, .values = values});
      ExpectWholeAndFinite(player, step);
    }
  }
}

void StateCanBeRead(const EnvConfig& config) {
  BatchPlayer player = Play(config);
  player.Reset();
  const std::string before = player.env->Render(0);
  player.Step();
  Expect(!before.empty(), "the text is empty");
  Expect(player.env->Render(0) != before, "the text is the same after a step");
}

void ExpectSameEpisodes(const std::vector<Episode>& copy, const std::vector<Episode>& original) {
  Expect(copy.size() == original.size(), "after loading, ", copy.size(),
         " episodes end instead of ", original.size());
  for (size_t k = 0; k < copy.size(); ++k) {
    Expect(copy[k].env == original[k].env && copy[k].length == original[k].length &&
               copy[k].total_reward == original[k].total_reward &&
               copy[k].stats == original[k].stats,
           "environment ", original[k].env,
           ": after loading, return, length or statistics of an episode differ");
  }
}

void LoadedGoesOn(const EnvConfig& config) {
  BatchPlayer original = Play(config);
  original.Reset();
  const int many = StepsOf(original.env->spec());
  for (const int steps : {1, 7, many / 3}) {
    for (int step = 0; step < steps; ++step) original.Step();
    // A copy with other streams: everything must come from the saved bytes.
    BatchPlayer copy = Play(config, kCount, 9, kSeed + 1);
    copy.Load(original.Saved());
    const bool saved_alike = copy.Saved() == original.Saved();
    for (int step = 1; step <= many; ++step) {
      original.Step();
      copy.StepWith({.indices = original.indices, .values = original.values});
      for (size_t i = 0; i < kCount; ++i) {
        Expect(copy.BytesOf(i) == original.BytesOf(i), "environment ", i, ", ", step,
               " steps after loading: differs from the one that was saved");
      }
    }
    Expect(saved_alike, "a loaded state is saved with other bytes");
    ExpectSameEpisodes(copy.env->TakeEpisodes(), original.env->TakeEpisodes());
  }
}

// Returns a player after some steps.
BatchPlayer Begun(const EnvConfig& config) {
  BatchPlayer player = Play(config);
  player.Reset();
  for (int step = 0; step < 5; ++step) player.Step();
  return player;
}

bool Refuses(BatchPlayer& player, std::string_view bytes) {
  try {
    player.Load(bytes);
  } catch (const Error&) {
    return true;
  }
  return false;
}

void TruncatedBytesAreRefused(const EnvConfig& config) {
  BatchPlayer player = Begun(config);
  const std::string saved = player.Saved();
  // Every length, or about a thousand of them if the state is large.
  const size_t stride = std::max<size_t>(1, saved.size() / 1000);
  for (size_t size = 0; size < saved.size(); size += stride) {
    Expect(Refuses(player, std::string_view(saved).substr(0, size)), size, " of ", saved.size(),
           " bytes of a state were loaded");
  }
  Expect(Refuses(player, saved + "x"), "a state with another byte at its end was loaded");
  player.Load(saved);
  Expect(player.Saved() == saved, "a state that was loaded after damaged ones has other bytes");
}

// A flipped byte may still be a state that can occur; otherwise it is an Error, after which the
// batch can still be played.
void DamagedBytesDoNoHarm(const EnvConfig& config) {
  BatchPlayer player = Begun(config);
  const std::string saved = player.Saved();
  const size_t stride = std::max<size_t>(1, saved.size() / 500);
  for (size_t at = 0; at < saved.size(); at += stride) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string damaged = saved;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      const bool refused = Refuses(player, damaged);
      if (!refused && !player.masks.empty()) continue;  // the masks at hand belong to another state
      for (int step = 0; step < (refused ? 3 : 10); ++step) player.Step();
      if (!refused) ExpectWholeAndFinite(player, 10);
    }
  }
}

void AnotherCountIsRefused(const EnvConfig& config) {
  BatchPlayer player = Play(config), larger = Play(config, kCount + 1);
  player.Reset();
  Expect(Refuses(larger, player.Saved()), "a batch of ", kCount + 1, " loads the state of ",
         kCount);
}

constexpr EnvProperty kProperties[] = {
    {"the specification is sensible", SpecIsSensible},
    {"everything is written and finite", EverythingIsWritten},
    {"final observations are written only at an end", FinalObservationsOnlyAtEnds},
    {"the same seed and actions give the same bytes", SameSeedSameBytes},
    {"another seed gives another episode", SeedsDiffer, /*optional=*/true},
    {"an environment is the same in any layout", SameInAnyLayout},
    {"episodes end in time and are reported", EpisodesAreReported},
    {"after an end the next episode has begun", NextEpisodeBegins, /*optional=*/true},
    {"reset begins new episodes in the middle of old ones", ResetInTheMiddle},
    {"actions at the bounds are carried out", BoundsAreCarriedOut},
    {"the current state can be read", StateCanBeRead, /*optional=*/true},
    {"a loaded batch goes on as the saved one would", LoadedGoesOn},
    {"truncated states are refused", TruncatedBytesAreRefused},
    {"damaged states do no harm", DamagedBytesDoNoHarm},
    {"a state of another number of environments is refused", AnotherCountIsRefused},
};

}  // namespace

std::span<const EnvProperty> EnvProperties() { return kProperties; }

}  // namespace dray
