#include "src/envs/plugin/header_text.h"

// Included so that this file is compiled again when the header changes: the assembler reads it.
#include "src/envs/plugin/dray_env.h"

__asm__(
    ".section .rodata\n"
    "dray_env_header_begin:\n"
    ".incbin \"src/envs/plugin/dray_env.h\"\n"
    "dray_env_header_end:\n"
    ".previous\n");

extern "C" {
__attribute__((visibility("hidden"))) extern const char dray_env_header_begin[];
__attribute__((visibility("hidden"))) extern const char dray_env_header_end[];
}

namespace dray {

std::string_view PluginHeaderText() { return {dray_env_header_begin, dray_env_header_end}; }

}  // namespace dray
