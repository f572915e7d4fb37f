#include <cstddef>
#include <string_view>

#include "src/oracle/neural/sequence_weights.h"

// Made by Bazel, which compiles this file anew when the weights change.
#if __has_include("src/oracle/neural/weights_stamp.h")
#include "src/oracle/neural/weights_stamp.h"
#endif

// The file itself, as the assembler finds it from the root of the repository.
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    "dray_shipped_weights_begin:\n"
    ".incbin \"src/oracle/weights/pairs_30.bin\"\n"
    "dray_shipped_weights_end:\n"
    ".previous\n");

extern "C" {
__attribute__((visibility("hidden"))) extern const char dray_shipped_weights_begin[];
__attribute__((visibility("hidden"))) extern const char dray_shipped_weights_end[];
}

namespace dray {

const SequenceWeights& ShippedSequenceWeights() {
  static const SequenceWeights weights = ParseSequenceWeights(
      {dray_shipped_weights_begin,
       static_cast<size_t>(dray_shipped_weights_end - dray_shipped_weights_begin)},
      "the weights shipped with the neural oracle");
  return weights;
}

}  // namespace dray
