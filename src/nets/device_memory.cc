#include "src/nets/device_memory.h"

#include <c10/util/Exception.h>
#ifdef DRAY_CUDA
#include <ATen/Context.h>
#include <c10/cuda/CUDACachingAllocator.h>
#endif

#include <new>
#include <string_view>

namespace dray {
namespace {

void ReleaseCachedMemory() {
#ifdef DRAY_CUDA
  if (at::globalContext().hasCUDA()) c10::cuda::CUDACachingAllocator::emptyCache();
#endif
}

}  // namespace

bool IsOutOfMemory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  if (torch_error == nullptr) return false;
  const std::string_view message = torch_error->what_without_backtrace();
  return message.find("out of memory") != std::string_view::npos ||
         message.find("ALLOC_FAILED") != std::string_view::npos;
}

bool FitsInMemory(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const std::exception& error) {
    if (!IsOutOfMemory(error)) throw;
  }
  ReleaseCachedMemory();
  return false;
}

}  // namespace dray
