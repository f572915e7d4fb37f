#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/env/env.h"
#include "src/envs/python/python.pb.h"
#include "src/envs/python/python_spec.h"
#include "src/envs/python/step_columns.h"
#include "src/envs/python/worker.h"

namespace dray {

// A batch of environments written in Python, hosted by worker processes that step at the same time.
// Workers start at the first Reset. A worker that ends or hangs is replaced: its episodes are
// dropped, which the learner sees as truncated, and its environments get new seeds.
class PythonEnvs : public BatchEnv {
 public:
  PythonEnvs(const PythonConfig& config, const EnvStreams& streams, int count);
  ~PythonEnvs() override;

  const EnvSpec& spec() const override { return setup_.spec; }
  int size() const override { return static_cast<int>(running_.size()); }
  void Reset(std::span<float> observations, std::span<uint8_t> masks,
             std::span<int16_t> bags) override;
  void Step(const Actions& actions, const StepSlots& slots) override;
  std::vector<Episode> TakeEpisodes() override;
  std::vector<double> TakeRolloutStats() override;
  std::string Render(int env) const override;
  // An environment that cannot be saved begins a new episode in the first step after a Load.
  void Save(ByteWriter& out) const override;
  void Load(ByteReader& in) override;

 private:
  // Environments first ... first + count - 1.
  struct Host {
    int first = 0, count = 0;
    std::unique_ptr<PythonWorker> worker;
    StepColumns columns;
    int losses = 0;  // since one of its episodes ended
  };
  // The running episode of an environment.
  struct Running {
    void Restart() { *this = {.seeds = seeds}; }

    Rng seeds;
    double total_reward = 0;
    int64_t length = 0;
    bool dropped = false;  // the next step ends it, and it is not reported
  };

  // Starts a worker for the host and makes its environments, with new seeds.
  void BeginStart(Host& host);
  void FinishStart(Host& host);
  void StartAll();
  WorkerReply Await(const Host& host) const;
  void AwaitReset(const Host& host) const;
  void WriteActions(const Actions& actions, Host& host) const;
  // Waits for the end of a step and returns what went wrong.
  std::optional<WorkerProblem> StepProblem(Host& host) const;
  void CountStep(Host& host);
  void CopyStep(const Host& host, const StepSlots& slots) const;
  // Starts another worker, or throws if the run is to end.
  void Replace(Host& host, const WorkerProblem& problem);
  void DropEpisodes(Host& host);
  std::vector<std::string> States(const Host& host) const;
  void LoadStates(Host& host, std::span<const std::string> states);
  // Returns the environment that has a problem, with its step.
  std::string Who(const Host& host, const WorkerProblem& problem) const;
  // Copies a column of a host to its rows in a column of all environments.
  template <typename T>
  static void CopyRows(std::span<T> to, std::span<T> from, const Host& host);

  const PythonConfig config_;
  const PythonEnvSetup setup_;
  const int first_env_;
  std::vector<Running> running_;
  std::vector<Host> hosts_;
  std::vector<float> last_observations_;  // [N, observation_size]
  std::vector<Episode> episodes_;
  int64_t replaced_ = 0;
};

}  // namespace dray
