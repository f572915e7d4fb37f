#include "src/nets/launch_graph.h"

#ifdef DRAY_CUDA
#include <ATen/cuda/CUDAGraph.h>
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>
#endif

namespace dray {

#ifdef DRAY_CUDA

namespace {

constexpr int kUnrecordedRuns = 2;  // runs in which libraries allocate what they keep

}  // namespace

struct LaunchGraph::Recording {
  explicit Recording(const at::Device& device)
      : stream(c10::cuda::getStreamFromPool(/*isHighPriority=*/false, device.index())) {}

  // Uses a stream of its own, because the default one cannot be recorded.
  void Do(const std::function<void()>& work) {
    c10::cuda::getCurrentCUDAStream(stream.device_index()).synchronize();
    {
      const c10::cuda::CUDAStreamGuard guard(stream);
      work();
    }
    stream.synchronize();
  }

  void Record(const std::function<void()>& work) {
    c10::cuda::getCurrentCUDAStream(stream.device_index()).synchronize();
    const c10::cuda::CUDAStreamGuard guard(stream);
    // Other threads may keep using the device meanwhile.
    graph.capture_begin({0, 0}, cudaStreamCaptureModeThreadLocal);
    try {
      work();
    } catch (...) {
      try {
        graph.capture_end();
      } catch (...) {  // the first error counts
      }
      throw;
    }
    graph.capture_end();
  }

  c10::cuda::CUDAStream stream;
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
    try {
      recording_->Record(work);
      recorded_ = true;
    } catch (const c10::OutOfMemoryError&) {
      throw;
    } catch (const c10::Error&) {  // an operation cannot be recorded: slower, but just as correct
    }
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
