/* Environments for Dray in C or C++, compiled outside of its tree.

   A library with environments exports one function, dray_env, which returns a table of functions:

     cc -O2 -shared -fPIC -o libmy_env.so my_env.c
     dray check-env --env ./libmy_env.so
     dray train --env ./libmy_env.so --set env.plugin.options="gravity=9.8"

   Dray makes batches of environments and steps each batch as a whole, into its own memory. It
   counts the steps and rewards of episodes, ends those that reach max_episode_steps, and starts the
   next episode of an environment by `reset`, once the last one has ended.

   Rules:
   - Environments of a batch are independent, and their number must not matter: what environment i
     does follows from its seeds and actions alone.
   - All randomness comes from the seed of `reset`. The same seed and the same actions give the same
     episode, bit for bit.
   - A batch is used by one thread at a time. Different batches are used by different threads, so
     there must be no global variables that change.
   - Functions that return int return 0 for success. For anything else they write one line into
     `message`, at most DRAY_ENV_MESSAGE bytes with the final zero, and the run ends with it.
   - C++: no exception may leave a function. */

#ifndef DRAY_ENV_H
#define DRAY_ENV_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Changes whenever something below changes. */
#define DRAY_ENV_VERSION 1
#define DRAY_ENV_MESSAGE 256

#if defined(__GNUC__)
#define DRAY_ENV_EXPORT __attribute__((visibility("default")))
#else
#define DRAY_ENV_EXPORT
#endif

/* Constant properties of the environments. Dray sets everything to zero before `create` fills it
   in. Memory that it points to must stay valid until the batch is destroyed. */
typedef struct dray_env_spec {
  const char* name;          /* letters, digits, _ and -: names run folders and reports */
  int32_t observation_size;  /* numbers per observation */
  int32_t action_count;      /* actions 0 ... action_count - 1; 0: a box of real values */
  int32_t action_values;     /* box: numbers per action */
  const float* action_low;   /* box: [action_values] */
  const float* action_high;  /* box: [action_values] */
  int32_t max_episode_steps; /* Dray truncates episodes that get this far */
  int32_t fixed_length;      /* 1: every episode has exactly max_episode_steps */
  int32_t masked;            /* 1: discrete actions may be forbidden, state by state */
  /* Observations may begin with token_count tokens of token_size numbers, for networks with
     attention. The first number of a token is 1 if it is present; absent ones are all 0. */
  int32_t token_count;
  int32_t token_size;
  int32_t stat_count;            /* statistics of an episode beside its return and length */
  const char* const* stat_names; /* [stat_count] */
} dray_env_spec;

/* A step of the environments first ... first + count - 1. Row k of every array belongs to
   environment first + k. */
typedef struct dray_env_step {
  int32_t first;
  int32_t count;
  const int32_t* actions;     /* [count] if discrete; only allowed ones */
  const float* action_values; /* [count, action_values] if a box; never outside of it */
  float* observations;        /* [count, observation_size]: write every number */
  uint8_t* masks;             /* [count, action_count] if masked: write 1 for allowed, else 0 */
  float* rewards;             /* [count]: write */
  uint8_t* terminated;        /* [count], zeros: set to 1 if the task itself ended the episode */
  uint8_t* truncated;         /* [count], zeros: set to 1 if the episode was cut off */
  int32_t failed;             /* after a failure: number of the environment that failed */
  char* message;              /* after a failure: the reason */
} dray_env_step;

typedef struct dray_env_table {
  uint32_t version; /* DRAY_ENV_VERSION */
  uint32_t size;    /* sizeof(dray_env_table) */

  /* Makes a batch of `count` environments and fills in the spec. `options` is the text of
     env.plugin.options, never null. Returns null for a failure, such as an unknown option. */
  void* (*create)(int32_t count, const char* options, dray_env_spec* spec, char* message);
  void (*destroy)(void* batch);

  /* Starts an episode and writes its first observation and, if masked, the mask. */
  int (*reset)(void* batch, int32_t env, uint64_t seed, float* observation, uint8_t* mask,
               char* message);
  /* Performs an action in each environment of the range. The observation of an episode's last step
     is written like any other; `reset` follows. */
  int (*step)(void* batch, dray_env_step* step);

  /* The rest may be null. */

  /* Writes the statistics of the episode that has just ended; required if stat_count > 0. */
  void (*episode_stats)(void* batch, int32_t env, double* stats);
  /* Writes the current state as a line of text for a person, with a final zero. */
  void (*render)(void* batch, int32_t env, char* text, size_t size);
  /* Saves and loads the state of an environment, including its random numbers: a loaded one
     continues exactly as the saved one would. `save` returns the size of the state and writes it if
     `capacity` is at least that; the bytes given to `load` are exactly those of a `save`. Give both
     or neither. Without them, checkpoints hold the actions of running episodes, and a resumed run
     plays these again. */
  size_t (*save)(void* batch, int32_t env, void* bytes, size_t capacity);
  int (*load)(void* batch, int32_t env, const void* bytes, size_t size, char* message);
} dray_env_table;

/* The only function that a library must export. */
DRAY_ENV_EXPORT const dray_env_table* dray_env(void);

/* Random numbers for environments that have no generator of their own: SplitMix64. Keep `state` in
   the environment and set it to the seed of `reset`. */
static inline uint64_t dray_env_random(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Returns a number from low to high, with 53 random bits. */
static inline double dray_env_uniform(uint64_t* state, double low, double high) {
  return low + (high - low) * (double)(dray_env_random(state) >> 11) * (1.0 / 9007199254740992.0);
}

#ifdef __cplusplus
}
#endif

#endif
