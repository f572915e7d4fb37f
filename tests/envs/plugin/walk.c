/* A random walk as a plug-in for tests: masked or box actions, chance in every step, statistics. The
   words of its options choose among them and break it on purpose. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/envs/plugin/dray_env.h"

#ifndef VERSION
#define VERSION DRAY_ENV_VERSION
#endif
#ifndef STEP
#define STEP step
#endif
#ifndef LOAD
#define LOAD load
#endif
#ifndef SAVE
#define SAVE save
#endif
#ifndef ENTRY
#define ENTRY dray_env
const dray_env_table* ENTRY(void);
#else
DRAY_ENV_EXPORT const dray_env_table* ENTRY(void);
#endif

typedef struct {
  uint64_t random;
  double place, total;
  int32_t steps;
} walker;

typedef struct {
  char options[64];
  uint64_t random; /* of the whole batch, which no environment may use */
  walker walkers[];
} batch;

static int calls = 0;

static int is(const batch* all, const char* word) { return strstr(all->options, word) != NULL; }

static void* create(int32_t count, const char* options, dray_env_spec* spec, char* message) {
  static const float low[] = {-1, 0}, high[] = {1, 0.5f};
  static const char* const stats[] = {"total", "place"};
  batch* all = calloc(1, sizeof(batch) + (size_t)count * sizeof(walker));
  snprintf(all->options, sizeof(all->options), "%s", options);
  if (is(all, "fail_create")) {
    snprintf(message, DRAY_ENV_MESSAGE, "no walk\ntoday");
    free(all);
    return NULL;
  }
  spec->name = is(all, "no_name") ? "a walk/../" : "walk";
  spec->observation_size = is(all, "no_size") ? 0 : 3;
  spec->max_episode_steps = 40;
  spec->fixed_length = is(all, "fixed");
  spec->masked = is(all, "masked");
  if (is(all, "box")) {
    spec->action_values = 2;
    spec->action_low = low;
    spec->action_high = high;
  } else {
    spec->action_count = 3;
  }
  spec->stat_count = 2;
  spec->stat_names = stats;
  return all;
}

static void show(const batch* all, const walker* self, float* observation, uint8_t* mask) {
  observation[0] = (float)self->place;
  observation[1] = (float)self->total;
  observation[2] = (float)self->steps;
  if (is(all, "nan") && self->steps == 3) observation[1] = NAN;
  if (mask == NULL) return;
  mask[0] = mask[1] = !is(all, "no_mask");
  mask[2] = self->place > 0 && !is(all, "no_mask");
  if (is(all, "odd_mask")) mask[1] = 7;
}

static int reset(void* opaque, int32_t env, uint64_t seed, float* observation, uint8_t* mask,
                 char* message) {
  batch* all = opaque;
  walker* self = &all->walkers[env];
  if (is(all, "fail_reset")) {
    snprintf(message, DRAY_ENV_MESSAGE, "no way to begin");
    return 1;
  }
  *self = (walker){.random = seed};
  self->place = dray_env_uniform(&self->random, -1, 1);
  show(all, self, observation, mask);
  return 0;
}

static int step(void* opaque, dray_env_step* s) {
  batch* all = opaque;
  for (int32_t k = 0; k < s->count; ++k) {
    walker* self = &all->walkers[s->first + k];
    const double wish = s->actions != NULL ? s->actions[k] - 1 : s->action_values[2 * k];
    uint64_t* random = is(all, "shared") ? &all->random : &self->random;
    ++self->steps;
    if (is(all, "fail_step") && self->steps == 3 && s->first + k == 1) {
      snprintf(s->message, DRAY_ENV_MESSAGE, "lost the way");
      s->failed = 1;
      return 1;
    }
    self->place += 0.1 * wish + dray_env_uniform(random, -0.2, 0.2);
    if (is(all, "clock")) self->place += 1e-3 * ++calls;
    self->total += self->place;
    show(all, self, &s->observations[3 * k], s->masks == NULL ? NULL : &s->masks[3 * k]);
    s->rewards[k] = (float)self->place;
    s->terminated[k] = fabs(self->place) > 2 && !is(all, "fixed");
    if (is(all, "odd_flag")) s->terminated[k] = 2;
    if (is(all, "short")) s->truncated[k] = self->steps == 20;
  }
  return 0;
}

static void episode_stats(void* opaque, int32_t env, double* stats) {
  const walker* self = &((batch*)opaque)->walkers[env];
  stats[0] = is(opaque, "odd_stat") ? NAN : self->total;
  stats[1] = self->place;
}

static size_t save(void* opaque, int32_t env, void* bytes, size_t capacity) {
  if (capacity >= sizeof(walker)) memcpy(bytes, &((batch*)opaque)->walkers[env], sizeof(walker));
  return sizeof(walker);
}

static int load(void* opaque, int32_t env, const void* bytes, size_t size, char* message) {
  walker* self = &((batch*)opaque)->walkers[env];
  const walker before = *self;
  if (is(opaque, "fail_load") || size != sizeof(walker)) {
    snprintf(message, DRAY_ENV_MESSAGE, "not a walk");
    return 1;
  }
  memcpy(self, bytes, size);
  if (is(opaque, "forgets")) self->random = before.random;
  return 0;
}

const dray_env_table* ENTRY(void) {
  static const dray_env_table table = {.version = VERSION,
                                       .size = sizeof(dray_env_table),
                                       .create = create,
                                       .destroy = free,
                                       .reset = reset,
                                       .step = STEP,
                                       .episode_stats = episode_stats,
                                       .save = SAVE,
                                       .load = LOAD};
  (void)step, (void)save, (void)load;
  return &table;
}
