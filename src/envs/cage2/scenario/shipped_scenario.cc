#include "src/envs/cage2/scenario/shipped_scenario.h"

#include <string_view>

// Made by Bazel, which compiles this file anew when one of them changes.
#if __has_include("src/envs/cage2/scenario/scenario_stamp.h")
#include "src/envs/cage2/scenario/scenario_stamp.h"
#endif

// Every file: what its symbols are called, and its path in configs/scenarios.
#define DRAY_SCENARIO_FILES(FILE)                              \
  FILE(scenario2, "scenario2.yaml")                            \
  FILE(images, "images/images.yaml")                           \
  FILE(gateway, "images/gateway.yaml")                         \
  FILE(internal, "images/internal.yaml")                       \
  FILE(linux_user_1, "images/linux_user_1.yaml")               \
  FILE(linux_user_2, "images/linux_user_2.yaml")               \
  FILE(op_server, "images/op_server.yaml")                     \
  FILE(velociraptor_server, "images/velociraptor_server.yaml") \
  FILE(windows_user_1, "images/windows_user_1.yaml")           \
  FILE(windows_user_2, "images/windows_user_2.yaml")

// The files themselves, as the assembler finds them from the root of the repository.
#define DRAY_INCLUDE(symbol, path)    \
  ".section .rodata\n"                \
  "dray_" #symbol                     \
  "_begin:\n"                         \
  ".incbin \"configs/scenarios/" path \
  "\"\n"                              \
  "dray_" #symbol                     \
  "_end:\n"                           \
  ".previous\n"
__asm__(DRAY_SCENARIO_FILES(DRAY_INCLUDE));

#define DRAY_DECLARE(symbol, path)                                                 \
  __attribute__((visibility("hidden"))) extern const char dray_##symbol##_begin[]; \
  __attribute__((visibility("hidden"))) extern const char dray_##symbol##_end[];
extern "C" {
DRAY_SCENARIO_FILES(DRAY_DECLARE)
}

namespace dray::cage2 {
namespace {

struct File {
  std::string_view path;
  const char* begin;
  const char* end;
};

#define DRAY_ENTRY(symbol, path) {path, dray_##symbol##_begin, dray_##symbol##_end},
const File kFiles[] = {DRAY_SCENARIO_FILES(DRAY_ENTRY)};

}  // namespace

std::optional<std::string> ShippedFile(const std::string& path) {
  for (const File& file : kFiles) {
    if (file.path == path) return std::string(file.begin, file.end);
  }
  return std::nullopt;
}

}  // namespace dray::cage2
