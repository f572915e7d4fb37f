#ifndef DRAY_SRC_API_DRAY_H_
#define DRAY_SRC_API_DRAY_H_

#include <stddef.h>
#include <stdint.h>

/* The engine's C facade: the one door between the engine (C++20, today's library ABI) and
 * everything that is compiled otherwise. Plain data alone goes through it. */

#ifdef __cplusplus
extern "C" {
#endif

#define DRAY_EXPORT __attribute__((visibility("default")))

/* 0: done. 1: the run failed. 2: wrong usage. The message of a failure is dray_last_error(). */
typedef int dray_status;

/* One line that says what went wrong in this thread's last call; valid until the next call. */
DRAY_EXPORT const char* dray_last_error(void);

typedef struct dray_bytes {
  const void* data;
  size_t size;
} dray_bytes;

/* Where bytes are written to: `resize` hands back memory for `size` bytes, aligned to 16, that
 * keeps what was written so far. The size asked for last is the size of the whole. */
typedef struct dray_sink {
  void* self;
  void* (*resize)(void* self, size_t size);
} dray_sink;

/* --- Roles: what an actor hosts. Bytes in, bytes out. */

typedef struct dray_role dray_role;

/* The way from a shard to an oracle elsewhere. `solve` returns 0, or 1 with a message as answer. */
typedef struct dray_oracle_port {
  void* self;
  int (*solve)(void* self, dray_bytes problems, dray_sink answers);
} dray_oracle_port;

/* Kinds: the table of make_role.cc. The oracle port is for shards and evaluators whose settings ask
 * for an oracle elsewhere, NULL for all others; it must outlive the role. */
DRAY_EXPORT dray_status dray_role_create(const char* kind, dray_bytes settings,
                                         const dray_oracle_port* oracle, dray_role** role);
/* Methods `summary` and `heartbeat` may be called while another call is under way, and every method
 * of an oracle; others one at a time. */
DRAY_EXPORT dray_status dray_role_call(dray_role* role, const char* method,
                                       const dray_bytes* arguments, size_t count, dray_sink reply);
DRAY_EXPORT void dray_role_destroy(dray_role* role);

/* A training whose loop turns outside of the engine, by the arguments of train, and is called as
 * roles are: src/cluster/stepped_training.h has its methods. For one who starts and calls actors by
 * himself, as Python does. */
DRAY_EXPORT dray_status dray_training_create(int argc, const char* const* argv,
                                             dray_role** training);

/* --- Environments: a batch that is stepped by whoever holds it, one call at a time.
 * libdray_envs.so has these functions alone, without LibTorch. */

typedef struct dray_envs dray_envs;

/* Memory of the batch, row by row, in place as long as it lives: the actions are written before a
 * step, all else by dray_envs_reset and dray_envs_step. */
typedef struct dray_env_memory {
  int64_t* action_indices;   /* [count]; NULL: actions are not discrete */
  float* action_values;      /* [count, values]; NULL: they are */
  float* observations;       /* [count, observation_size]: what the next action is chosen from */
  uint8_t* masks;            /* [count, actions], 1: allowed; NULL: all always are */
  float* rewards;            /* [count] */
  uint8_t* terminated;       /* [count]: the task itself ended the episode */
  uint8_t* truncated;        /* [count]: the clock did */
  float* final_observations; /* as observations; of the episodes that ended in this step */
} dray_env_memory;

/* Settings are YAML as in configs/: "env: {name: cage2, cage2: {red: meander}}". The same seed,
 * settings and actions give the same bytes. `count` is limited as scale.num_envs is. */
DRAY_EXPORT dray_status dray_envs_create(dray_bytes settings, uint64_t seed, int64_t count,
                                         dray_envs** envs);
DRAY_EXPORT void dray_envs_memory(dray_envs* envs, dray_env_memory* memory);
/* What never changes about them, as JSON. */
DRAY_EXPORT dray_status dray_envs_describe(dray_envs* envs, dray_sink json);
/* The share of a training that is done, 0 to 1: what schedules follow. 1 unless told. */
DRAY_EXPORT dray_status dray_envs_progress(dray_envs* envs, double progress);
DRAY_EXPORT dray_status dray_envs_reset(dray_envs* envs);
/* An environment whose episode ends begins its next one within the same step. Step, render and
 * save want a reset or a load before them. */
DRAY_EXPORT dray_status dray_envs_step(dray_envs* envs);
/* The episodes that ended since the last call, as a JSON list. */
DRAY_EXPORT dray_status dray_envs_episodes(dray_envs* envs, dray_sink json);
/* The present state of one for a person to read. */
DRAY_EXPORT dray_status dray_envs_render(dray_envs* envs, int index, dray_sink text);
/* The whole state, from which a batch of the same settings goes on exactly so. A state that is
 * refused changes nothing. */
DRAY_EXPORT dray_status dray_envs_save(dray_envs* envs, dray_sink bytes);
DRAY_EXPORT dray_status dray_envs_load(dray_envs* envs, dray_bytes bytes);
DRAY_EXPORT void dray_envs_destroy(dray_envs* envs);
/* What a YAML file of settings trains, as JSON: the environment, how many, what ends the run. */
DRAY_EXPORT dray_status dray_envs_config(const char* path, dray_sink json);
/* The names of all there are, as a JSON list. */
DRAY_EXPORT dray_status dray_envs_names(dray_sink json);

/* --- Trained policies, as runs leave them. Also in libdray_envs.so. */

typedef struct dray_policy dray_policy;

/* By a run folder, whose newest checkpoint it is, or by a checkpoint's file. */
DRAY_EXPORT dray_status dray_policy_load(const char* path, dray_policy** policy);
/* What it was trained on, as JSON; `settings` there is YAML for dray_envs_create. */
DRAY_EXPORT dray_status dray_policy_describe(dray_policy* policy, dray_sink json);
/* Logits, or means, [rows, outputs], for observations [rows, observation_size] as dray_envs has
 * them. One call at a time. */
DRAY_EXPORT dray_status dray_policy_outputs(dray_policy* policy, const float* observations,
                                            size_t rows, float* outputs);
/* The numbers of its network, whose layers dray_policy_describe lists (name, inputs, outputs,
 * whether it has biases): where observations are scaled, their means and factors; then layer after
 * layer weights [in, out] and biases; with attention, where actions are priced, the prices'
 * coefficient. */
DRAY_EXPORT dray_status dray_policy_parameters(dray_policy* policy, dray_sink floats);
/* A checkpoint of the policy alone, without what a training needs to resume. */
DRAY_EXPORT dray_status dray_policy_pack(const char* path, dray_sink checkpoint);
DRAY_EXPORT void dray_policy_destroy(dray_policy* policy);

/* --- A cluster: where actors live. Implemented outside the engine, which drives it. */

typedef struct dray_cluster_info {
  char address[128];
  char dashboard[128]; /* empty: there is none */
  int nodes;
  double cpus, gpus;           /* of all nodes */
  double free_cpus, free_gpus; /* not taken by others */
  int64_t memory_bytes;
  int64_t object_store_bytes;
} dray_cluster_info;

typedef struct dray_bundle {
  double cpus, gpus;
} dray_bundle;

typedef struct dray_actor_request {
  const char* kind; /* of its role */
  const char* name;
  dray_bytes settings; /* of its role */
  double cpus, gpus;
  int bundle;       /* of the reservation; -1: anywhere */
  int concurrency;  /* calls that may run at a time */
  int max_restarts; /* by the cluster itself; -1: always */
  /* For shards and evaluators with an oracle elsewhere: the names of the oracle actors. */
  const char* const* oracles;
  size_t oracle_count;
} dray_actor_request;

/* An argument is an object's number, or, when that is negative, bytes. */
typedef struct dray_argument {
  int64_t object;
  dray_bytes bytes;
} dray_argument;

enum { DRAY_OK = 0, DRAY_LOST = 1, DRAY_FAILED = 2 };

/* Functions return DRAY_OK, DRAY_LOST when an actor or its node is gone, or DRAY_FAILED; for both,
 * last_error says in one line what happened to this thread's last call. All of them may be called
 * by several threads. */
typedef struct dray_cluster {
  void* self;
  const char* (*last_error)(void* self);
  /* Finds or starts the cluster and looks at it; nothing is there to call before. The name of a run
   * is ENVIRONMENT/RUN: actors are called RUN:shard-00, metrics carry both. */
  int (*connect)(void* self, const char* run_name, dray_cluster_info* info);
  /* Sets resources aside, a bundle for each actor; strategies are PACK, SPREAD, STRICT_PACK and
   * STRICT_SPREAD. */
  int (*reserve)(void* self, const char* strategy, const dray_bundle* bundles, size_t count,
                 double timeout_s);
  int (*start)(void* self, const dray_actor_request* request, int64_t* actor);
  int (*call)(void* self, int64_t actor, const char* method, const dray_argument* arguments,
              size_t count, int64_t* object);
  int (*put)(void* self, dray_bytes bytes, int64_t* object);
  /* ready[i] becomes 1 for objects that can be fetched (with success or not); returns when one of
   * them can, or after the time. */
  int (*wait)(void* self, const int64_t* objects, size_t count, double timeout_s, uint8_t* ready);
  int (*fetch)(void* self, int64_t object, double timeout_s, dray_sink bytes);
  void (*release)(void* self, int64_t object);
  /* With restart, an actor that has max_restarts left comes back by itself. */
  void (*kill)(void* self, int64_t actor, int restart);
  /* Hands the numbers of a report to the cluster's own metrics. */
  int (*publish)(void* self, int64_t epoch, const char* const* names, const double* values,
                 size_t count);
  /* Ends all actors and leaves the cluster. */
  void (*disconnect)(void* self);
} dray_cluster;

/* Opens the way to a cluster, when a run asks for one; NULL with a message in `error` when there is
 * none. */
typedef const dray_cluster* (*dray_open_cluster)(char* error, size_t error_size);

/* What the program around a command can do for it; NULL: nothing. */
typedef struct dray_host {
  dray_open_cluster open_cluster; /* NULL: nothing can run on a cluster */
  /* Makes a page of a run folder: 0 with its path in `text`, 1 with a message. NULL: there are
   * none.
   */
  int (*make_page)(const char* run_folder, char* text, size_t text_size);
} dray_host;

/* --- The commands of src/commands/commands.bzl. Arguments are given without the program's name;
 * output goes to standard output. Returns the program's exit code: 0, 1 or 2 as everywhere here, or
 * 128 + N when signal N ended it early, in good order and without a message. */

DRAY_EXPORT dray_status dray_command(const char* name, int argc, const char* const* argv,
                                     const dray_host* host);

#ifdef __cplusplus
}
#endif

#endif /* DRAY_SRC_API_DRAY_H_ */
