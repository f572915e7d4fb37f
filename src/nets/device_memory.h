#pragma once

#include <exception>
#include <functional>

namespace dray {

// Returns true if the host or a device ran out of memory. LibTorch's allocator, CUDA and its
// libraries each report this in their own way.
bool IsOutOfMemory(const std::exception& error);

// Runs the work. If memory runs out, gives the memory that LibTorch keeps for later back to the
// device, where recordings and CUDA's libraries can use it, and returns false.
bool FitsInMemory(const std::function<void()>& work);

}  // namespace dray
