// Arguments of the step's kernels. Like loss_terms.h, this file is included by the host's code and
// is part of the kernels' source.
#ifndef __CUDACC_RTC__
#pragma once
#include "src/learn/loss_terms.h"
#endif

namespace dray {

// Memory that PickRows copies rows from and to.
struct Column {
  const char* from = nullptr;
  char* to = nullptr;
  long long bytes = 0;  // size of a row
};
static_assert(sizeof(Column) == 24, "the layout is the same on both sides");

struct Columns {
  Column all[8];
  int count = 0;
};
static_assert(sizeof(Columns) == 8 * sizeof(Column) + 8, "the layout is the same on both sides");

struct PolicySettings {
  float clip;
  float policy_coefficient;
  float entropy_coefficient;
  float appraisal_coefficient;
  float logits_per_reward;  // 1 / appraisal temperature
};
static_assert(sizeof(PolicySettings) == 5 * sizeof(float), "the layout is the same on both sides");

// Position of a step in its pass over the samples.
struct Place {
  int rows;               // rows of this step
  int minibatch;          // rows of the pass's full minibatches
  const long long* next;  // where this step begins in the order of the pass
};
static_assert(sizeof(Place) == 16, "the layout is the same on both sides");

// Inputs of the policy's loss, one row per sample; null where there is none.
struct PolicyData {
  const unsigned char* masks = nullptr;
  const long long* actions = nullptr;
  const float* action_values = nullptr;
  const float* old_log_probs = nullptr;
  const float* advantages = nullptr;
  const AdvantageMoments* moments =
      nullptr;  // one per minibatch; null: advantages stay as they are
  const float* appraisals = nullptr;
  const float* log_std = nullptr;
};
static_assert(sizeof(PolicyData) == 64, "the layout is the same on both sides");

struct ValueData {
  const float* old_values = nullptr;
  const float* returns = nullptr;
  float clip = 0;  // 0: values are not clipped
  float scale = 0;
};
static_assert(sizeof(ValueData) == 24, "the layout is the same on both sides");

// A perceptron and the blocks that differentiate it.
struct Perceptron {
  int widths[8] = {};  // of all layers, input first
  int layers = 0;
  int is_tanh = 0;          // else ReLU
  int parameter_count = 0;  // with log_std, which follows the last layer
  int blocks = 0;           // 0: this network is not trained
  const float* parameters = nullptr;
  float* partial = nullptr;  // [blocks, parameter_count]: gradients, summed over a block's rows
  double* terms = nullptr;   // [blocks, kLossTerms]: terms of the loss; of a critic, only the first
};
static_assert(sizeof(Perceptron) == 72, "the layout is the same on both sides");

struct PerceptronStep {
  Perceptron actor, critic;
  Place place;
  int tile = 0;    // rows that a block works on at a time, a power of two from 4
  int widest = 0;  // width of the widest layer but the input, of both networks
  const long long* order = nullptr;
  const float* observations = nullptr;
  PolicyData policy;
  PolicySettings settings;
  ValueData value;
};

// Destinations of a step's gradients and sums.
struct GradientSums {
  float* gradients = nullptr;  // of the actor, and `critic_start` numbers later of the critic
  long long critic_start = 0;
  double* squares = nullptr;        // [blocks]: squared gradients, for the norm
  double* actor_squares = nullptr;  // [blocks]: those of the actor
  float* signal = nullptr;          // the actor's gradients are added here; null: they are not
  double* sums = nullptr;           // of the pass, by StepSum
  float* ratio_error = nullptr;
  float* step = nullptr;  // of the optimiser
};
static_assert(sizeof(GradientSums) == 64, "the layout is the same on both sides");

}  // namespace dray
