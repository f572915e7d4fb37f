// A driver behind a Connection, as the commands are: Ray comes with a library that is loaded once
// the cluster is found.
#include <dlfcn.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <string>

#include "ray_actors/connection.h"

namespace {

std::string BesideThisProgram(const std::string& file) {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
  const std::string program(path, length > 0 ? static_cast<size_t>(length) : 0);
  return program.substr(0, program.rfind('/') + 1) + file;
}

}  // namespace

int main() {
  try {
    dray_ray::Connection::Options options;
    options.own_head_cpus = 2;
    options.own_head_object_store_gb = 0.1;
    dray_ray::Connection connection(options);
    void* library = dlopen(BesideThisProgram("libray_driver.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      std::fprintf(stderr, "%s\n", dlerror());
      return 4;
    }
    const auto drive =
        reinterpret_cast<int (*)(const char*, const char*)>(dlsym(library, "drive_ray"));
    return drive(connection.info().address, connection.temp_dir().c_str());
  } catch (const dray_ray::ConnectionError& error) {
    std::fprintf(stderr, "dray: %s\n", error.what());
    return error.exit_code();
  }
}
