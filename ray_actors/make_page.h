#pragma once

#include <cstddef>

namespace dray_ray {

// As dray_host has it, by dray/page_of_run.py.
int MakePage(const char* run_folder, char* text, size_t text_size);

}  // namespace dray_ray
