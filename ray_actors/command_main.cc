// The program of each command: one readable line and an exit code for whatever goes wrong. The
// build says which command it is and whether it can open a cluster.

#include <cstdio>

#include "src/api/dray.hpp"

#ifdef DRAY_OPENS_CLUSTER
#include "ray_actors/open_cluster.h"
#else
namespace dray_ray {
constexpr dray_open_cluster OpenCluster = nullptr;
inline void CloseCluster() {}
}  // namespace dray_ray
#endif

int main(int argc, char** argv) {
  int code = 0;
  try {
    code = dray_api::Command(DRAY_COMMAND, argc - 1, argv + 1, dray_ray::OpenCluster);
  } catch (const dray_api::Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "dray: %s\n", error.what());
    code = error.exit_code();
  }
  dray_ray::CloseCluster();
  return code;
}
