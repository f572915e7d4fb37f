#include "ray_actors/interpreter.h"

// Interpreter of the virtual environment that the build used. Programs for other machines are
// linked without this file.
extern "C" const char dray_build_interpreter[] = DRAY_PYTHON_PATH;
