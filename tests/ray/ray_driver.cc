// A driver of Ray's C++ API behind a Connection: puts and gets objects until its standard input
// closes.
#include <poll.h>
#include <ray/api.h>
#include <unistd.h>

#include <cstdio>

#include "ray_actors/connection.h"

int main() {
  try {
    dray_ray::Connection::Options options;
    options.own_head_cpus = 2;
    options.own_head_object_store_gb = 0.1;
    dray_ray::Connection connection(options);
    ray::RayConfig config;
    config.address = connection.info().address;
    ray::Init(config);
    pollfd input = {STDIN_FILENO, POLLIN, 0};
    for (int i = 0; poll(&input, 1, /*timeout=*/10) == 0; ++i) {
      const int got = *ray::Get(ray::Put(i));
      if (got != i) return 3;
      if (i == 0) {
        std::printf("temp_dir=%s\n", connection.info().temp_dir.c_str());
        std::fflush(stdout);
      }
    }
    ray::Shutdown();
    return 0;
  } catch (const dray_ray::ConnectionError& error) {
    std::fprintf(stderr, "dray: %s\n", error.what());
    return error.exit_code();
  }
}
