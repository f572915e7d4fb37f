// Prints what a Connection finds, as key=value lines, and holds it until the standard input closes.
//   connection_probe [--file F]...
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ray_actors/connection.h"

int main(int argc, char** argv) {
  dray_ray::Connection::Options options;
  options.own_head_cpus = 2;
  options.own_head_object_store_gb = 0.1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (argv[i] == std::string("--file")) options.files.push_back(argv[i + 1]);
  }
  try {
    dray_ray::Connection connection(options);
    const dray_cluster_info& info = connection.info();
    std::printf("address=%s\ndashboard=%s\ntemp_dir=%s\nnodes=%d\n", info.address, info.dashboard,
                connection.temp_dir().c_str(), info.nodes);
    std::printf("cpus=%g\nfree_cpus=%g\nmemory_bytes=%lld\nobject_store_bytes=%lld\n", info.cpus,
                info.free_cpus, static_cast<long long>(info.memory_bytes),
                static_cast<long long>(info.object_store_bytes));
    std::printf("own_head=%d\nauth_mode=%s\n", connection.own_head(), std::getenv("RAY_AUTH_MODE"));
    std::fflush(stdout);
    while (std::getchar() != EOF) {
    }
    connection.DiscardLogs();
    return 0;
  } catch (const dray_ray::ConnectionError& error) {
    std::fprintf(stderr, "dray: %s\n", error.what());
    return error.exit_code();
  }
}
