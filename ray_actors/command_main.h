#pragma once

#include <cstdio>

#include "src/api/dray.hpp"

namespace dray_api {

// The main function of every command: one readable line and an exit code for whatever goes wrong.
inline int CommandMain(void (*command)(int, const char* const*), int argc, char** argv) {
  try {
    command(argc - 1, argv + 1);
    return 0;
  } catch (const Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "dray: %s\n", error.what());
    return error.exit_code();
  }
}

}  // namespace dray_api
