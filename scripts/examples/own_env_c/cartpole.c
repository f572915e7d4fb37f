/* Gymnasium's CartPole-v1 as an environment for Dray: push a cart left (0) or right (1) so that the
   pole on it stays upright. Every step pays 1. Options: max_steps, gravity. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dray_env.h"

typedef struct {
  double x, speed, angle, turn; /* m, m/s, rad, rad/s */
} cartpole;

typedef struct {
  double gravity; /* m/s^2 */
  double max_steps;
  cartpole envs[]; /* one per environment */
} batch;

/* Reads words such as "gravity=9.8". Returns 0, or 1 with a message for anything else. */
static int read_options(const char* text, batch* all, char* message) {
  char key[32];
  double value;
  int length;
  for (; sscanf(text, " %31[^= ]=%lf%n", key, &value, &length) == 2; text += length) {
    if (strcmp(key, "gravity") == 0) {
      all->gravity = value;
    } else if (strcmp(key, "max_steps") == 0 && value >= 1 && value <= 1e6) {
      all->max_steps = value;
    } else {
      break;
    }
  }
  if (text[strspn(text, " ")] == '\0') return 0;
  snprintf(message, DRAY_ENV_MESSAGE, "cannot read the option \"%s\"; known: gravity, max_steps",
           text + strspn(text, " "));
  return 1;
}

static void* create(int32_t count, const char* options, dray_env_spec* spec, char* message) {
  batch* all = calloc(1, sizeof(batch) + (size_t)count * sizeof(cartpole));
  if (all == NULL) {
    snprintf(message, DRAY_ENV_MESSAGE, "no memory for %d environments", (int)count);
    return NULL;
  }
  all->gravity = 9.8;
  all->max_steps = 500;
  if (read_options(options, all, message) != 0) {
    free(all);
    return NULL;
  }
  spec->name = "my_cartpole";
  spec->observation_size = 4;
  spec->action_count = 2;
  spec->max_episode_steps = (int32_t)all->max_steps;
  return all;
}

static void observe(const cartpole* env, float* observation) {
  observation[0] = (float)env->x;
  observation[1] = (float)env->speed;
  observation[2] = (float)env->angle;
  observation[3] = (float)env->turn;
}

static int reset(void* all, int32_t env, uint64_t seed, float* observation, uint8_t* mask,
                 char* message) {
  cartpole* self = &((batch*)all)->envs[env];
  (void)mask, (void)message;
  self->x = dray_env_uniform(&seed, -0.05, 0.05);
  self->speed = dray_env_uniform(&seed, -0.05, 0.05);
  self->angle = dray_env_uniform(&seed, -0.05, 0.05);
  self->turn = dray_env_uniform(&seed, -0.05, 0.05);
  observe(self, observation);
  return 0;
}

static void push(cartpole* env, double force, double gravity) {
  const double pole_mass = 0.1, total_mass = 1.1, half_pole = 0.5, moment = 0.1 * 0.5, dt = 0.02;
  const double cosine = cos(env->angle), sine = sin(env->angle);
  const double pushed = (force + moment * (env->turn * env->turn) * sine) / total_mass;
  const double turn_change =
      (gravity * sine - cosine * pushed) /
      (half_pole * (4.0 / 3.0 - pole_mass * (cosine * cosine) / total_mass));
  const double speed_change = pushed - moment * turn_change * cosine / total_mass;
  env->x += dt * env->speed;
  env->speed += dt * speed_change;
  env->angle += dt * env->turn;
  env->turn += dt * turn_change;
}

static int step(void* all, dray_env_step* s) {
  const batch* self = all;
  for (int32_t k = 0; k < s->count; ++k) {
    cartpole* env = &((batch*)all)->envs[s->first + k];
    push(env, s->actions[k] == 1 ? 10.0 : -10.0, self->gravity);
    observe(env, &s->observations[4 * k]);
    s->rewards[k] = 1;
    s->terminated[k] = fabs(env->x) > 2.4 || fabs(env->angle) > 12 * 2 * 3.14159265358979323846 / 360;
  }
  return 0;
}

static void render(void* all, int32_t env, char* text, size_t size) {
  const cartpole* self = &((batch*)all)->envs[env];
  snprintf(text, size, "cart at %+.3f m, pole at %+.3f rad", self->x, self->angle);
}

static size_t save(void* all, int32_t env, void* bytes, size_t capacity) {
  if (capacity >= sizeof(cartpole)) memcpy(bytes, &((batch*)all)->envs[env], sizeof(cartpole));
  return sizeof(cartpole);
}

static int load(void* all, int32_t env, const void* bytes, size_t size, char* message) {
  if (size != sizeof(cartpole)) {
    snprintf(message, DRAY_ENV_MESSAGE, "the state has %zu bytes instead of %zu", size,
             sizeof(cartpole));
    return 1;
  }
  memcpy(&((batch*)all)->envs[env], bytes, size);
  return 0;
}

const dray_env_table* dray_env(void) {
  static const dray_env_table table = {.version = DRAY_ENV_VERSION,
                                       .size = sizeof(dray_env_table),
                                       .create = create,
                                       .destroy = free,
                                       .reset = reset,
                                       .step = step,
                                       .render = render,
                                       .save = save,
                                       .load = load};
  return &table;
}
