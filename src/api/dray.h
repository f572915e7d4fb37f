#ifndef DRAY_SRC_API_DRAY_H_
#define DRAY_SRC_API_DRAY_H_

#include <stddef.h>
#include <stdint.h>

/* The engine's C facade: the only interface between the engine (C++20, current library ABI) and
 * code that is compiled differently. Only plain data crosses it. */

#ifdef __cplusplus
extern "C" {
#endif

#define DRAY_EXPORT __attribute__((visibility("default")))

/* 0: success. 1: the run failed. 2: usage error. dray_last_error() returns the message. */
typedef int dray_status;

/* Returns one line that describes the failure of this thread's last call; valid until its next
 * call. */
DRAY_EXPORT const char* dray_last_error(void);

typedef struct dray_bytes {
  const void* data;
  size_t size;
} dray_bytes;

/* Destination for bytes. `resize` returns memory for `size` bytes, aligned to 16, and keeps what
 * was written so far. The last requested size is the final size. */
typedef struct dray_sink {
  void* self;
  void* (*resize)(void* self, size_t size);
} dray_sink;

/* --- Roles, which actors host. Bytes in, bytes out. */

typedef struct dray_role dray_role;

/* A shard's connection to a remote oracle. `solve` returns 0, or 1 with an error message as answer.
 */
typedef struct dray_oracle_port {
  void* self;
  int (*solve)(void* self, dray_bytes problems, dray_sink answers);
} dray_oracle_port;

/* Creates a role; make_role.cc lists the kinds. Shards and evaluators with a remote oracle need an
 * oracle port, which must outlive the role; for all others it is NULL. */
DRAY_EXPORT dray_status dray_role_create(const char* kind, dray_bytes settings,
                                         const dray_oracle_port* oracle, dray_role** role);
/* Calls a method of a role, one call at a time. Exceptions: `summary`, `heartbeat` and all methods
 * of an oracle may run concurrently with other calls. */
DRAY_EXPORT dray_status dray_role_call(dray_role* role, const char* method,
                                       const dray_bytes* arguments, size_t count, dray_sink reply);
DRAY_EXPORT void dray_role_destroy(dray_role* role);

/* Creates a training whose loop runs outside the engine, for callers such as the Python client that
 * start and call the actors themselves. The arguments are those of train; it is called like a role,
 * and src/cluster/stepped_training.h lists its methods. */
DRAY_EXPORT dray_status dray_training_create(int argc, const char* const* argv,
                                             dray_role** training);

/* --- Environments: a batch that the caller steps, one call at a time. libdray_envs.so contains
 * only these functions and those of policies, without LibTorch. */

typedef struct dray_envs dray_envs;

/* The batch's memory, row-major; pointers stay valid for the life of the batch. The caller writes
 * the actions before a step; dray_envs_reset and dray_envs_step write everything else. */
typedef struct dray_env_memory {
  int64_t* action_indices;   /* [count]; NULL if actions are continuous */
  float* action_values;      /* [count, values]; NULL if actions are discrete */
  float* observations;       /* [count, observation_size]: input for the next action */
  uint8_t* masks;            /* [count, actions], 1: allowed; NULL if every action always is */
  float* rewards;            /* [count] */
  uint8_t* terminated;       /* [count]: the task itself ended the episode */
  uint8_t* truncated;        /* [count]: a time limit ended the episode */
  float* final_observations; /* like observations; set for episodes that ended in this step */
} dray_env_memory;

/* Creates a batch. Settings are YAML as in configs/: "env: {name: cage2, cage2: {red: meander}}".
 * The same seed, settings and actions give the same bytes. `count` has the range of scale.num_envs.
 */
DRAY_EXPORT dray_status dray_envs_create(dray_bytes settings, uint64_t seed, int64_t count,
                                         dray_envs** envs);
DRAY_EXPORT void dray_envs_memory(dray_envs* envs, dray_env_memory* memory);
/* Writes the constant properties of the environments as JSON. */
DRAY_EXPORT dray_status dray_envs_describe(dray_envs* envs, dray_sink json);
/* Sets the training progress that schedules follow, from 0 to 1. Default: 1. */
DRAY_EXPORT dray_status dray_envs_progress(dray_envs* envs, double progress);
DRAY_EXPORT dray_status dray_envs_reset(dray_envs* envs);
/* Steps every environment. One whose episode ends starts its next episode in the same step. Step,
 * render and save require an earlier reset or load. */
DRAY_EXPORT dray_status dray_envs_step(dray_envs* envs);
/* Writes the episodes that ended since the last call as a JSON list. */
DRAY_EXPORT dray_status dray_envs_episodes(dray_envs* envs, dray_sink json);
/* Writes a human-readable view of one environment's current state. */
DRAY_EXPORT dray_status dray_envs_render(dray_envs* envs, int index, dray_sink text);
/* Save and restore the full state: a batch with the same settings continues identically. A rejected
 * state changes nothing. */
DRAY_EXPORT dray_status dray_envs_save(dray_envs* envs, dray_sink bytes);
DRAY_EXPORT dray_status dray_envs_load(dray_envs* envs, dray_bytes bytes);
DRAY_EXPORT void dray_envs_destroy(dray_envs* envs);
/* Writes a summary of a YAML config file as JSON: environment, number of environments, limits. */
DRAY_EXPORT dray_status dray_envs_config(const char* path, dray_sink json);
/* Writes the names of all environments as a JSON list. */
DRAY_EXPORT dray_status dray_envs_names(dray_sink json);

/* --- Trained policies, read from checkpoints. Also in libdray_envs.so. */

typedef struct dray_policy dray_policy;

/* Loads a policy from a checkpoint file, or from the newest checkpoint of a run folder. */
DRAY_EXPORT dray_status dray_policy_load(const char* path, dray_policy** policy);
/* Writes the policy's environment and network as JSON; `settings` in it is YAML for
 * dray_envs_create. */
DRAY_EXPORT dray_status dray_policy_describe(dray_policy* policy, dray_sink json);
/* Computes logits, or means of continuous actions, [rows, outputs], for observations in the format
 * of dray_envs, [rows, observation_size]. One call at a time. */
DRAY_EXPORT dray_status dray_policy_outputs(dray_policy* policy, const float* observations,
                                            size_t rows, float* outputs);
/* Writes the network's parameters as floats: if observations are scaled, their means and factors;
 * then the weights [in, out] and biases of each layer, in the order in which dray_policy_describe
 * lists the layers (name, inputs, outputs, has biases); for an attention network with priced
 * actions also the coefficient of the prices. */
DRAY_EXPORT dray_status dray_policy_parameters(dray_policy* policy, dray_sink floats);
/* Begins an episode for each of `rows` rows where `begins` is not 0: a policy with memory
 * (`memory` of dray_policy_describe) goes on from call to call of dray_policy_outputs otherwise,
 * as long as the number of rows stays the same. */
DRAY_EXPORT dray_status dray_policy_begin(dray_policy* policy, const uint8_t* begins, size_t rows);
/* Writes a checkpoint that contains only the policy; training cannot resume from it. */
DRAY_EXPORT dray_status dray_policy_pack(const char* path, dray_sink checkpoint);
DRAY_EXPORT void dray_policy_destroy(dray_policy* policy);

/* --- A cluster of actors: implemented outside the engine, called by it. */

typedef struct dray_cluster_info {
  char address[128];
  char dashboard[128]; /* empty: no dashboard */
  int nodes;
  double cpus, gpus;           /* total over all nodes */
  double free_cpus, free_gpus; /* not used by other jobs */
  int64_t memory_bytes;
  int64_t object_store_bytes;
} dray_cluster_info;

typedef struct dray_bundle {
  double cpus, gpus;
} dray_bundle;

typedef struct dray_actor_request {
  const char* kind; /* kind of role */
  const char* name;
  dray_bytes settings; /* settings of the role */
  double cpus, gpus;
  int bundle;       /* index in the reservation; -1: any node */
  int concurrency;  /* maximum number of concurrent calls */
  int max_restarts; /* number of automatic restarts by the cluster; -1: unlimited */
  /* Names of the oracle actors, for shards and evaluators with a remote oracle. */
  const char* const* oracles;
  size_t oracle_count;
} dray_actor_request;

/* An argument is an object's number, or bytes if the number is negative. */
typedef struct dray_argument {
  int64_t object;
  dray_bytes bytes;
} dray_argument;

enum { DRAY_OK = 0, DRAY_LOST = 1, DRAY_FAILED = 2 };

/* Functions return DRAY_OK, DRAY_LOST if an actor or its node is gone, or DRAY_FAILED; for the last
 * two, last_error returns one line that describes the failure of this thread's last call. All
 * functions are thread-safe. */
typedef struct dray_cluster {
  void* self;
  const char* (*last_error)(void* self);
  /* Connects to the cluster and reads its resources; must be called before all other functions. A
   * run's name is ENVIRONMENT/RUN: actors are named RUN:shard-00, metrics are tagged with both. */
  int (*connect)(void* self, const char* run_name, dray_cluster_info* info);
  /* Reserves resources, one bundle per actor; strategies are PACK, SPREAD, STRICT_PACK and
   * STRICT_SPREAD. */
  int (*reserve)(void* self, const char* strategy, const dray_bundle* bundles, size_t count,
                 double timeout_s);
  int (*start)(void* self, const dray_actor_request* request, int64_t* actor);
  int (*call)(void* self, int64_t actor, const char* method, const dray_argument* arguments,
              size_t count, int64_t* object);
  int (*put)(void* self, dray_bytes bytes, int64_t* object);
  /* Waits until at least one object can be fetched (its call succeeded or failed), or until the
   * timeout. Sets ready[i] to 1 for each object that can, to 0 for the others. */
  int (*wait)(void* self, const int64_t* objects, size_t count, double timeout_s, uint8_t* ready);
  int (*fetch)(void* self, int64_t object, double timeout_s, dray_sink bytes);
  void (*release)(void* self, int64_t object);
  /* Kills an actor. With `restart`, the cluster restarts it if it has restarts left. */
  void (*kill)(void* self, int64_t actor, int restart);
  /* Publishes a report's values as metrics of the cluster. */
  int (*publish)(void* self, int64_t epoch, const char* const* names, const double* values,
                 size_t count);
  /* Ends all actors and disconnects from the cluster. */
  void (*disconnect)(void* self);
} dray_cluster;

/* Opens a cluster for a run that needs one. Returns NULL and writes a message to `error` on
 * failure.
 */
typedef const dray_cluster* (*dray_open_cluster)(char* error, size_t error_size);

/* Functions that the calling program provides to a command; each may be NULL. */
typedef struct dray_host {
  dray_open_cluster open_cluster; /* NULL: no cluster support */
  /* Looks for a cluster that open_cluster would join: returns 1 and in `reason` how one is named or
   * where one runs, or 0 if it would start one. NULL: no cluster support. */
  int (*find_cluster)(char* reason, size_t reason_size);
  /* Makes the HTML page of a run folder: returns 0 and the page's path in `text`, or 1 and an error
   * message. NULL: no pages. */
  int (*make_page)(const char* run_folder, char* text, size_t text_size);
} dray_host;

/* --- Runs a command listed in src/commands/commands.bzl. `argv` excludes the program's name;
 * output goes to standard output. Returns the program's exit code: a dray_status, or 128 + N if
 * signal N ended the command early; it then shut down cleanly and there is no message. */

DRAY_EXPORT dray_status dray_command(const char* name, int argc, const char* const* argv,
                                     const dray_host* host);

#ifdef __cplusplus
}
#endif

#endif /* DRAY_SRC_API_DRAY_H_ */
