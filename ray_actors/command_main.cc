// The program of each command: one readable line and an exit code for whatever goes wrong. The
// build says which command it is and whether it runs trainings: on a cluster, with a page at the
// end.

#include <cstdio>

#include "src/api/dray.hpp"

#ifdef DRAY_OPENS_CLUSTER
#include "ray_actors/make_page.h"
#include "ray_actors/open_cluster.h"
constexpr dray_host kHost = {dray_ray::OpenCluster, dray_ray::MakePage};
#else
constexpr dray_host kHost = {nullptr, nullptr};
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
  constexpr int kBySignal = 128;  // and the signal's number: what the user asked for
  dray_ray::CloseCluster(/*ended_well=*/code == 0 || code > kBySignal);
  return code;
}
