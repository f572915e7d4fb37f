#include "ray_actors/command_main.h"
#include "ray_actors/open_cluster.h"

namespace {

void Search(int argc, const char* const* argv) {
  dray_api::Search(argc, argv, dray_ray::OpenCluster);
}

}  // namespace

int main(int argc, char** argv) {
  const int code = dray_api::CommandMain(Search, argc, argv);
  dray_ray::CloseCluster();
  return code;
}
