#include "src/nets/side_stream.h"

#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

namespace dray {

SideStream::SideStream(const c10::Device& device)
    : stream_(c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device)),
      begun_(device.type()),
      done_(device.type()) {}

void SideStream::Run(const std::function<void()>& side, const std::function<void()>& work) {
  const c10::Stream current =
      c10::impl::VirtualGuardImpl(stream_.device_type()).getStream(stream_.device());
  begun_.record(current);
  begun_.block(stream_);
  {
    const c10::StreamGuard guard(stream_);
    side();
    done_.record(stream_);
  }
  work();
  done_.block(current);
}

}  // namespace dray
