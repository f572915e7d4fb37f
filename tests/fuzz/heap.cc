#include "tests/fuzz/heap.h"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> used = 0;
std::atomic<size_t> peak = 0;

void Add(size_t bytes) {
  const size_t now = used.fetch_add(bytes) + bytes;
  size_t before = peak.load();
  while (now > before && !peak.compare_exchange_weak(before, now)) {
  }
}

void Remove(size_t bytes) { used.fetch_sub(std::min(bytes, used.load())); }

}  // namespace

namespace dray::fuzz {

size_t HeapBytes() { return used; }

size_t TakeHeapPeak() { return peak.exchange(used); }

}  // namespace dray::fuzz

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define DRAY_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define DRAY_ADDRESS_SANITIZER
#endif

#ifdef DRAY_ADDRESS_SANITIZER
// The sanitizer has the heap, and calls these if they are there.
extern "C" size_t __sanitizer_get_allocated_size(const volatile void* memory);
extern "C" __attribute__((visibility("default"))) void __sanitizer_malloc_hook(
    const volatile void* /*memory*/, size_t size) {
  Add(size);
}
extern "C" __attribute__((visibility("default"))) void __sanitizer_free_hook(
    const volatile void* memory) {
  if (memory != nullptr) Remove(__sanitizer_get_allocated_size(memory));
}
#else
namespace {

void* Allocate(size_t size, size_t alignment) {
  void* memory =
      alignment <= alignof(std::max_align_t)
          ? std::malloc(size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  Add(malloc_usable_size(memory));
  return memory;
}

void Free(void* memory) {
  if (memory == nullptr) return;
  Remove(malloc_usable_size(memory));
  std::free(memory);
}

}  // namespace

void* operator new(size_t size) { return Allocate(size, 1); }
void* operator new[](size_t size) { return Allocate(size, 1); }
void* operator new(size_t size, std::align_val_t at) {
  return Allocate(size, static_cast<size_t>(at));
}
void* operator new[](size_t size, std::align_val_t at) {
  return Allocate(size, static_cast<size_t>(at));
}
void operator delete(void* memory) noexcept { Free(memory); }
void operator delete[](void* memory) noexcept { Free(memory); }
void operator delete(void* memory, size_t /*size*/) noexcept { Free(memory); }
void operator delete[](void* memory, size_t /*size*/) noexcept { Free(memory); }
void operator delete(void* memory, std::align_val_t /*at*/) noexcept { Free(memory); }
void operator delete[](void* memory, std::align_val_t /*at*/) noexcept { Free(memory); }
void operator delete(void* memory, size_t /*size*/, std::align_val_t /*at*/) noexcept {
  Free(memory);
}
void operator delete[](void* memory, size_t /*size*/, std::align_val_t /*at*/) noexcept {
  Free(memory);
}
#endif
