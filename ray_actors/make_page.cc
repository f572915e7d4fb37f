#include "ray_actors/make_page.h"

#include <chrono>
#include <cstdio>
#include <stdexcept>

#include "ray_actors/python_program.h"

namespace dray_ray {
namespace {

constexpr std::chrono::seconds kLongest{60};

std::string PageOf(const char* run_folder) {
  PythonProgram program("page_of_run.py", {run_folder});
  KeyValues told;
  if (!program.ReadUntil("page", kLongest, &told)) {
    throw std::runtime_error("it took more than a minute");
  }
  if (told.Has("page")) return told.Text("page");
  throw std::runtime_error(told.Has("problem") ? told.Text("problem") : "Python exited early");
}

}  // namespace

int MakePage(const char* run_folder, char* text, size_t text_size) {
  try {
    std::snprintf(text, text_size, "%s", PageOf(run_folder).c_str());
    return 0;
  } catch (const std::exception& failure) {
    std::snprintf(text, text_size, "%s", failure.what());
    return 1;
  }
}

}  // namespace dray_ray
