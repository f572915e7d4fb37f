#include "ray_actors/interpreter.h"

// The interpreter of the virtual environment that the build used. A program for other machines is
// linked without this file.
extern "C" const char dray_build_interpreter[] = DRAY_PYTHON_PATH;
