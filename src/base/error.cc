#include "src/base/error.h"

#include <cstdio>
#include <cstdlib>

namespace dray {

void CheckFailed(const char* file, int line, const char* expression, const std::string& values) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s\n", file, line, expression, values.c_str());
  std::abort();
}

}  // namespace dray
