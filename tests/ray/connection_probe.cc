// Prints what a Connection finds, as key=value lines, and holds it until the standard input closes.
//   connection_probe [--cpus N] [--gpus N] [--memory-gb X] [--object-store-gb X] [--file F]...
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "ray_actors/connection.h"

int main(int argc, char** argv) {
  dray_ray::Connection::Options options;
  options.own_head_cpus = 2;
  options.own_head_object_store_gb = 0.1;
  dray_ray::Needs needs;
  needs.what = "8 shards and a learner";
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    const double amount = std::atof(argv[i + 1]);
    if (flag == "--cpus") needs.resources.cpus = amount;
    if (flag == "--gpus") needs.resources.gpus = amount;
    if (flag == "--memory-gb") needs.resources.memory_bytes = int64_t(amount * 1e9);
    if (flag == "--object-store-gb") needs.resources.object_store_bytes = int64_t(amount * 1e9);
    if (flag == "--file") options.files.push_back(argv[i + 1]);
  }
  try {
    dray_ray::Connection connection(options);
    const dray_ray::ClusterInfo& info = connection.info();
    std::printf("address=%s\ndashboard_url=%s\ntemp_dir=%s\nray_version=%s\nnodes=%d\n",
                info.address.c_str(), info.dashboard_url.c_str(), info.temp_dir.c_str(),
                info.ray_version.c_str(), info.nodes);
    std::printf("cpus=%g\navailable_cpus=%g\nobject_store_bytes=%lld\nown_head=%d\n",
                info.total.cpus, info.available.cpus,
                static_cast<long long>(info.total.object_store_bytes), info.own_head);
    std::printf("auth_mode=%s\n", std::getenv("RAY_AUTH_MODE"));
    std::printf("missing=%s\n", dray_ray::WhatIsMissing(info, needs).c_str());
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    return 0;
  } catch (const dray_ray::ConnectionError& error) {
    std::fprintf(stderr, "dray: %s\n", error.what());
    return error.exit_code();
  }
}
