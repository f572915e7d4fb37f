#pragma once

#include <cstddef>

namespace dray_ray {

// Implements dray_host::make_page by running dray/page_of_run.py.
int MakePage(const char* run_folder, char* text, size_t text_size);

}  // namespace dray_ray
