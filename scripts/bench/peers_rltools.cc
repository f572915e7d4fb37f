// RLtools' PPO on Pendulum, started by peers.py: peers_rltools STEPS SEED. Sizes are compiled in
// (HIDDEN numbers in each of LAYERS hidden layers), as RLtools wants it. Prints one line of JSON,
// as peers_worker.py does; the first update warms up and does not count.

// RLtools' templates find only what was included before them: clang-format must not sort these.
// clang-format off
#include <rl_tools/operations/cpu_mux.h>
#include <rl_tools/nn/optimizers/adam/instance/operations_generic.h>
// Matrices by BLAS: without this header they are multiplied by plain loops.
#include <rl_tools/nn/operations_cpu_mux.h>
#include <rl_tools/nn/layers/standardize/operations_generic.h>
#include <rl_tools/nn_models/mlp_unconditional_stddev/operations_generic.h>
#include <rl_tools/nn_models/sequential/operations_generic.h>
#include <rl_tools/nn/optimizers/adam/operations_generic.h>
#include <rl_tools/rl/environments/pendulum/operations_cpu.h>
#include <rl_tools/rl/algorithms/ppo/loop/core/config.h>
#include <rl_tools/rl/algorithms/ppo/loop/core/operations_generic.h>
// clang-format on

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace ppo = rl_tools::rl::algorithms::ppo;
namespace environments = rl_tools::rl::environments;

using Device = rl_tools::devices::DEVICE_FACTORY<>;
using Index = Device::index_t;
using Types = rl_tools::numeric_types::Policy<float>;
using Pendulum = environments::Pendulum<environments::pendulum::Specification<float, Index>>;

struct Settings : ppo::loop::core::DefaultParameters<Types, Index, Pendulum> {
  static constexpr Index STEP_LIMIT = 1'000'000'000;
  static constexpr Index ACTOR_HIDDEN_DIM = HIDDEN, CRITIC_HIDDEN_DIM = HIDDEN;
  static constexpr Index ACTOR_NUM_LAYERS = LAYERS + 1,
                         CRITIC_NUM_LAYERS = LAYERS + 1;  // the last one included
  static constexpr Index EPISODE_STEP_LIMIT = 200;
  static constexpr Index N_ENVIRONMENTS = 4, ON_POLICY_RUNNER_STEPS_PER_ENV = 1024;
  static constexpr Index BATCH_SIZE = 256;
  struct PPO_PARAMETERS : ppo::DefaultParameters<Types, Index, BATCH_SIZE> {
    static constexpr Index N_EPOCHS = 2;
    static constexpr float GAMMA = 0.9, ACTION_ENTROPY_COEFFICIENT = 0;
  };
};
using Loop =
    ppo::loop::core::Config<Types, Index, Device::SPEC::RANDOM::ENGINE<>, Pendulum, Settings>;

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  constexpr long kSteps = Settings::N_ENVIRONMENTS * Settings::ON_POLICY_RUNNER_STEPS_PER_ENV;
  const long wanted = std::atol(argv[1]);
  Device device;
  rl_tools::init(device);
  static Loop::State<Loop> training;
  rl_tools::malloc(device, training);
  rl_tools::init(device, training, static_cast<Index>(std::atol(argv[2])));
  rl_tools::step(device, training);
  long done = 0;
  const auto start = std::chrono::steady_clock::now();
  for (; done < wanted; done += kSteps) rl_tools::step(device, training);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf(
      "{\"steps\": %ld, \"seconds\": %.6f, \"training_return\": null, \"evaluation\": null}\n",
      done, seconds);
}
