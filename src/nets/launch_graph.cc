#include "src/nets/launch_graph.h"

#ifdef DRAY_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <map>
#include <mutex>

#include "src/nets/device_memory.h"
#endif

namespace dray {

#ifdef DRAY_CUDA

namespace {

constexpr int kUnrecordedRuns = 2;  // runs in which libraries allocate what they keep

// The default stream cannot be recorded. All graphs of a device share another one, because CUDA's
// libraries keep work space for each stream, and take turns on it.
struct RecordingStream {
  explicit RecordingStream(c10::DeviceIndex device)
      : stream(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device)) {}

  static RecordingStream& Of(c10::DeviceIndex device) {
    static std::mutex mutex;
    static std::map<c10::DeviceIndex, RecordingStream> streams;
    const std::lock_guard lock(mutex);
    return streams.try_emplace(device, device).first->second;
  }

  c10::cuda::CUDAStream stream;
  std::mutex in_use;
};

}  // namespace

struct LaunchGraph::Recording {
  explicit Recording(const at::Device& device) : shared(RecordingStream::Of(device.index())) {}

  void Do(const std::function<void()>& work) {
    c10::cuda::getCurrentCUDAStream(shared.stream.device_index()).synchronize();
    const std::lock_guard lock(shared.in_use);
    {
      const c10::cuda::CUDAStreamGuard guard(shared.stream);
      work();
    }
    shared.stream.synchronize();
  }

  void Record(const std::function<void()>& work) {
    c10::cuda::getCurrentCUDAStream(shared.stream.device_index()).synchronize();
    const std::lock_guard lock(shared.in_use);
    const c10::cuda::CUDAStreamGuard guard(shared.stream);
    // Other threads may keep using the device meanwhile.
    graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    try {
      work();
    } catch (...) {
      try {
        graph.capture_end();
      } catch (...) {  // the first error counts
      }
      graph.reset();
      throw;
    }
    graph.capture_end();
  }

  RecordingStream& shared;
  at::cuda::CUDAGraph graph;
};

LaunchGraph::LaunchGraph(const at::Device& device) : device_(device) {
  if (device_.is_cuda() && !device_.has_index()) {
    device_ = {at::kCUDA, c10::cuda::current_device()};
  }
}

bool LaunchGraph::Records(const at::Device& device) { return device.is_cuda(); }

void LaunchGraph::Run(const std::function<void()>& work) {
  if (!Records(device_)) return work();
  if (!recording_) recording_ = std::make_unique<Recording>(device_);
  if (runs_ < kUnrecordedRuns) {
    recording_->Do(work);
    ++runs_;
    return;
  }
  if (runs_ == kUnrecordedRuns) {
    ++runs_;
    const auto record = [&] {
      try {
        recording_->Record(work);
        recorded_ = true;
      } catch (const c10::Error& error) {
        // Operations that cannot be recorded are started one by one: slower, but just as correct.
        if (IsOutOfMemory(error)) throw;
      }
    };
    // While it records, LibTorch returns no cached memory to the device; a first failure does.
    if (!FitsInMemory(record)) FitsInMemory(record);
  }
  recorded_ ? recording_->graph.replay() : recording_->Do(work);
}

#else

struct LaunchGraph::Recording {};

LaunchGraph::LaunchGraph(const at::Device& device) : device_(device) {}

bool LaunchGraph::Records(const at::Device&) { return false; }

void LaunchGraph::Run(const std::function<void()>& work) { work(); }

#endif

LaunchGraph::~LaunchGraph() = default;

}  // namespace dray
