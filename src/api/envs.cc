// Implements the environment functions of dray.h.

#include <string>

#include "src/api/dray.h"
#include "src/api/guard.h"
#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/json.h"
#include "src/config/config.pb.h"
#include "src/config/yaml_loader.h"
#include "src/env/registry.h"
#include "src/envs/stepped_envs.h"

using dray::Answer;
using dray::Guard;
using dray::Json;

struct dray_envs {
  dray_envs(const dray::Config& config, uint64_t seed, int64_t count)
      : batch(config.env(), seed, count), description(Description(dray::TaskOf(config.env()))) {}

  dray::SteppedEnvs batch;
  std::string description;
};

namespace {

template <typename Numbers>
auto* Memory(const Numbers& numbers) {
  return numbers.empty() ? nullptr : numbers.data();
}

Json Described(const dray_envs& envs) {
  const dray::SteppedEnvs& batch = envs.batch;
  const dray::EnvSpec& spec = batch.spec();
  Json json = {{"name", spec.name},
               {"description", envs.description},
               {"envs", batch.size()},
               {"observation_size", batch.observation_size()},
               {"tokens", {{"count", spec.tokens.count}, {"size", spec.tokens.size}}},
               {"max_episode_steps", spec.max_episode_steps},
               {"masked", spec.masked},
               {"episode_stats", spec.episode_stats},
               {"notes", spec.notes}};
  if (spec.actions.discrete()) {
    json["actions"] = spec.actions.count;
  } else {
    json["low"] = spec.actions.low;
    json["high"] = spec.actions.high;
  }
  return json;
}

// Returns the limits that end a training with these settings, as shown in the header of a run.
Json Limits(const dray::TrainConfig& train) {
  Json json = Json::object();
  if (train.epochs() > 0) {
    json["epochs"] = train.epochs();
  } else if (train.total_steps() > 0) {
    json["total_steps"] = train.total_steps();
  } else if (train.episodes() > 0) {
    json["episodes"] = train.episodes();
  }
  if (train.duration_s() > 0) json["duration_s"] = train.duration_s();
  return json;
}

Json EpisodesOf(dray::SteppedEnvs& batch) {
  Json all = Json::array();
  for (const dray::Episode& episode : batch.TakeEpisodes()) {
    Json stats = Json::object();
    for (size_t i = 0; i < episode.stats.size(); ++i) {
      stats[batch.spec().episode_stats[i]] = episode.stats[i];
    }
    all.push_back({{"env", episode.env},
                   {"return", episode.total_reward},
                   {"length", episode.length},
                   {"stats", stats}});
  }
  return all;
}

}  // namespace

dray_status dray_envs_create(dray_bytes settings, uint64_t seed, int64_t count, dray_envs** envs) {
  return Guard([&] {
    dray::Config config;
    dray::LoadYamlText(std::string(dray::View(settings)), "settings", &config,
                       dray::Includes::kAllowed);
    dray::ReadEnvName(config.mutable_env());
    *envs = new dray_envs(dray::CarryingFiles(config), seed, count);
  });
}

void dray_envs_memory(dray_envs* envs, dray_env_memory* memory) {
  dray::SteppedEnvs& batch = envs->batch;
  *memory = {.action_indices = Memory(batch.action_indices()),
             .action_values = Memory(batch.action_values()),
             .observations = Memory(batch.observations()),
             .masks = Memory(batch.masks()),
             .rewards = Memory(batch.rewards()),
             .terminated = Memory(batch.terminated()),
             .truncated = Memory(batch.truncated()),
             .final_observations = Memory(batch.final_observations())};
}

dray_status dray_envs_describe(dray_envs* envs, dray_sink json) {
  return Guard([&] { Answer(dray::JsonText(Described(*envs)), json); });
}

dray_status dray_envs_progress(dray_envs* envs, double progress) {
  return Guard([&] { envs->batch.SetProgress(progress); });
}

dray_status dray_envs_reset(dray_envs* envs) {
  return Guard([&] { envs->batch.Reset(); });
}

dray_status dray_envs_step(dray_envs* envs) {
  return Guard([&] { envs->batch.Step(); });
}

dray_status dray_envs_episodes(dray_envs* envs, dray_sink json) {
  return Guard([&] { Answer(dray::JsonText(EpisodesOf(envs->batch)), json); });
}

dray_status dray_envs_render(dray_envs* envs, int index, dray_sink text) {
  return Guard([&] { Answer(envs->batch.Render(index), text); });
}

dray_status dray_envs_save(dray_envs* envs, dray_sink bytes) {
  return Guard([&] {
    dray::ByteWriter out;
    envs->batch.Save(out);
    Answer(out.bytes(), bytes);
  });
}

dray_status dray_envs_load(dray_envs* envs, dray_bytes bytes) {
  return Guard([&] {
    dray::ByteReader in(dray::View(bytes), "the environments' saved state");
    envs->batch.Load(in);
  });
}

void dray_envs_destroy(dray_envs* envs) { delete envs; }

dray_status dray_envs_config(const char* path, dray_sink json) {
  return Guard([&] {
    dray::Config config;
    dray::LoadYamlFile(path, &config);
    Answer(dray::JsonText({{"env", config.env().name()},
                           {"num_envs", config.scale().num_envs()},
                           {"limits", Limits(config.train())}}),
           json);
  });
}

dray_status dray_envs_names(dray_sink json) {
  return Guard([&] { Answer(dray::JsonText(Json(dray::EnvNames())), json); });
}
