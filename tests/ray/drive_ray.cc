// Puts and gets objects by Ray's C++ API until the standard input closes.
#include <poll.h>
#include <ray/api.h>
#include <unistd.h>

#include <cstdio>

extern "C" int drive_ray(const char* address, const char* temp_dir) {
  ray::RayConfig config;
  config.address = address;
  ray::Init(config);
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  for (int i = 0; poll(&input, 1, /*timeout=*/10) == 0; ++i) {
    const int got = *ray::Get(ray::Put(i));
    if (got != i) return 3;
    if (i == 0) {
      std::printf("temp_dir=%s\n", temp_dir);
      std::fflush(stdout);
    }
  }
  ray::Shutdown();
  return 0;
}
