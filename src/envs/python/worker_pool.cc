#include "src/envs/python/worker_pool.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace dray {
namespace {

constexpr size_t kMostIdle = 2;

struct Pool {
  std::mutex mutex;
  std::vector<std::unique_ptr<PythonWorker>> idle;
};

// Never destroyed: idle workers end when their input does, together with this process.
Pool& ThePool() {
  static Pool* pool = new Pool;
  return *pool;
}

}  // namespace

std::unique_ptr<PythonWorker> TakeWorker(const std::vector<std::string>& command) {
  Pool& pool = ThePool();
  {
    const std::lock_guard lock(pool.mutex);
    std::erase_if(pool.idle, [](const auto& worker) { return !worker->Ready(); });
    const auto found = std::ranges::find(
        pool.idle, command, [](const auto& worker) -> const auto& { return worker->command(); });
    if (found != pool.idle.end()) {
      std::unique_ptr<PythonWorker> worker = std::move(*found);
      pool.idle.erase(found);
      return worker;
    }
  }
  return std::make_unique<PythonWorker>(command);
}

void ReturnWorker(std::unique_ptr<PythonWorker> worker) {
  if (!worker || !worker->Ready()) return;
  Pool& pool = ThePool();
  const std::lock_guard lock(pool.mutex);
  if (pool.idle.size() < kMostIdle) pool.idle.push_back(std::move(worker));
}

}  // namespace dray
