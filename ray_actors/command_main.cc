// Main program of each command: reports any failure as one line and an exit code. The build defines
// which command it is, and DRAY_OPENS_CLUSTER if it can run trainings on a cluster and make pages.

#include <cstdio>

#include "src/api/dray.hpp"

#ifdef DRAY_OPENS_CLUSTER
#include "ray_actors/make_page.h"
#include "ray_actors/open_cluster.h"
constexpr dray_host kHost = {dray_ray::OpenCluster, dray_ray::FindCluster, dray_ray::MakePage};
#else
constexpr dray_host kHost = {nullptr, nullptr, nullptr};
namespace dray_ray {
inline void CloseCluster(bool) {}
}  // namespace dray_ray
#endif

int main(int argc, char** argv) {
  int code = 0;
  try {
    code = dray_api::Command(DRAY_COMMAND, argc - 1, argv + 1, kHost);
  } catch (const dray_api::Error& error) {
    std::fflush(stdout);
    std::fprintf(stderr, "dray: %s\n", error.what());
    code = error.exit_code();
  }
  constexpr int kBySignal = 128;  // plus the signal's number: the user ended it on purpose
  dray_ray::CloseCluster(/*ended_well=*/code == 0 || code > kBySignal);
  return code;
}
