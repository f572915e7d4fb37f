#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "src/base/error.h"
#include "tests/fuzz/heap.h"
#include "tests/fuzz/target.h"

namespace {

// Out of here, an input goes by a crash: that is what whoever runs the target looks for.
[[noreturn]] void Report(const char* what) {
  std::fprintf(stderr, "a finding: %s\n", what);
  std::abort();
}

bool IsOneLine(const char* text) {
  bool printed = *text != '\0';
  for (; *text != '\0'; ++text) printed = printed && *text != '\n';
  return printed;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int LLVMFuzzerTestOneInput(const uint8_t* data,
                                                                             size_t size) {
  const size_t before = dray::fuzz::HeapBytes();
  dray::fuzz::TakeHeapPeak();
  try {
    dray::fuzz::Read({reinterpret_cast<const char*>(data), size});
  } catch (const dray::Error& error) {
    if (!IsOneLine(error.what()))
      Report(dray::Cat("an Error that is not one line: ", error.what()).c_str());
  } catch (const std::exception& error) {
    Report(error.what());
  }
  const size_t peak = dray::fuzz::TakeHeapPeak();
  const size_t most = dray::fuzz::MostMemory(size);
  if (peak > before && peak - before > most) {
    Report(dray::Cat(size, " bytes took ", peak - before, " bytes of memory, not at most ", most)
               .c_str());
  }
  return 0;
}
