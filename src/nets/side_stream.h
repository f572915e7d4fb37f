#pragma once

#include <c10/core/Event.h>
#include <c10/core/Stream.h>

#include <functional>

namespace dray {

// Work beside a GPU's current stream, as part of a LaunchGraph, too.
class SideStream {
 public:
  explicit SideStream(const c10::Device& device);

  // `side` runs beside `work`, after all that was started before; what follows waits for both.
  // Neither touches what the other writes, and tensors that one of them made live on until both
  // have been started.
  void Run(const std::function<void()>& side, const std::function<void()>& work);

 private:
  c10::Stream stream_;
  c10::Event begun_, done_;
};

}  // namespace dray
