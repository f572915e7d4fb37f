#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <functional>

namespace dray {

// Runs work on a second stream beside a GPU's current one, also within a LaunchGraph.
class SideStream {
 public:
  explicit SideStream(const c10::Device& device);

  // Runs `side` beside `work`, after everything started before; what follows waits for both.
  // Neither may touch what the other writes, and tensors created by one must live until both have
  // been started.
  void Run(const std::function<void()>& side, const std::function<void()>& work);

 private:
  c10::Stream stream_;
  c10::Event begun_, done_;
};

}  // namespace dray
