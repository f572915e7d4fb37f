#pragma once

#include <string>

// Defined if build_interpreter.cc is linked in; its address is null otherwise.
extern "C" const char dray_build_interpreter[] __attribute__((weak));

namespace dray_ray {

// Returns the Python interpreter that has Ray: DRAY_PYTHON, else the build's if it exists on this
// machine, else, in a submitted job, the one that the node's Ray uses, else python3 on the PATH.
std::string Interpreter();

}  // namespace dray_ray
