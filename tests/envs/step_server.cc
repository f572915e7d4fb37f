// One step of a reference task per line, for gymnasium_alignment_test.py. A line in:
//   <name> <steps so far> <state ...> <action ...>
// and the line out:
//   <next state ...> | <observation ...> | <reward> <terminated> <truncated>
// with all digits. An ill-formed line ends the server with an error.

#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>

#include "src/base/error.h"
#include "src/envs/acrobot/acrobot.h"
#include "src/envs/cartpole/cartpole.h"
#include "src/envs/mountaincar/mountaincar.h"
#include "src/envs/pendulum/pendulum.h"

namespace dray {
namespace {

template <typename T>
T Next(std::istream& in) {
  T value;
  if (!(in >> value)) throw UsageError("ill-formed line");
  return value;
}

std::map<std::string, std::unique_ptr<Env>> ReferenceTasks() {
  std::map<std::string, std::unique_ptr<Env>> tasks;
  tasks["acrobot"] = std::make_unique<Acrobot>(AcrobotConfig());
  tasks["cartpole"] = std::make_unique<CartPole>(CartPoleConfig());
  tasks["mountaincar"] = std::make_unique<MountainCar>(MountainCarConfig());
  tasks["pendulum"] = std::make_unique<Pendulum>(PendulumConfig());
  return tasks;
}

// All of them save an int32 step count, then their state as doubles.
size_t StateSize(const Env& env) {
  ByteWriter out;
  env.Save(out);
  return (out.bytes().size() - sizeof(int32_t)) / sizeof(double);
}

void ReadState(std::istream& line, Env& env) {
  ByteWriter state;
  state.Put(Next<int32_t>(line));
  const size_t size = StateSize(env);
  for (size_t k = 0; k < size; ++k) state.Put(Next<double>(line));
  ByteReader in(state.bytes(), "state");
  env.Load(in);
  in.ExpectEnd();
}

void PrintState(const Env& env) {
  ByteWriter out;
  env.Save(out);
  ByteReader in(out.bytes(), "state");
  in.Get<int32_t>();
  while (!in.AtEnd()) std::printf("%.17g ", in.Get<double>());
}

void Answer(std::istream& line, Env& env) {
  ReadState(line, env);
  Action action;
  std::vector<float> values(env.spec().actions.low.size());
  if (env.spec().actions.discrete()) action.index = Next<int32_t>(line);
  for (float& value : values) value = Next<float>(line);
  action.values = values;

  Rng rng(0, RngPurpose::kTest, 0);
  std::vector<float> observation(static_cast<size_t>(env.spec().observation_size));
  const Outcome outcome = env.Step(action, rng, observation);
  PrintState(env);
  std::printf("| ");
  for (const float value : observation) std::printf("%.17g ", static_cast<double>(value));
  std::printf("| %.17g %d %d\n", static_cast<double>(outcome.reward), outcome.terminated,
              outcome.truncated);
  std::fflush(stdout);
}

void Serve() {
  const auto tasks = ReferenceTasks();
  std::string text;
  while (std::getline(std::cin, text)) {
    std::istringstream line(text);
    const auto task = tasks.find(Next<std::string>(line));
    if (task == tasks.end()) throw UsageError("unknown task: ", text);
    Answer(line, *task->second);
  }
}

}  // namespace
}  // namespace dray

int main() {
  try {
    dray::Serve();
  } catch (const dray::Error& e) {
    std::fprintf(stderr, "step_server: %s\n", e.what());
    return e.exit_code();
  }
  return 0;
}
