#pragma once

#include <string>

// Set where build_interpreter.cc is linked in, else at no address.
extern "C" const char dray_build_interpreter[] __attribute__((weak));

namespace dray_ray {

// The Python that has Ray: DRAY_PYTHON, else the one of the build where that is on this machine,
// else in a submitted job the one that the node's Ray runs on, else python3 on the PATH.
std::string Interpreter();

}  // namespace dray_ray
