// C interface of RayCluster, opened by the driver. No exception leaves these functions.

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "ray_actors/ray_cluster.h"

namespace dray_ray {
namespace {

thread_local std::string last_error;

template <typename Work>
int Guarded(const Work& work) {
  try {
    work();
    return DRAY_OK;
  } catch (const Lost& error) {
    last_error = error.what();
    return DRAY_LOST;
  } catch (const std::exception& error) {
    last_error = error.what();
  } catch (...) {
    last_error = "Ray failed";
  }
  return DRAY_FAILED;
}

RayCluster& Of(void* self) { return *static_cast<RayCluster*>(self); }

const char* LastError(void*) { return last_error.c_str(); }

int Connect(void* self, const char* run_name, dray_cluster_info* info) {
  return Guarded([&] { Of(self).Connect(run_name, info); });
}

int Reserve(void* self, const char* strategy, const dray_bundle* bundles, size_t count,
            double timeout_s) {
  return Guarded([&] { Of(self).Reserve(strategy, {bundles, bundles + count}, timeout_s); });
}

int Start(void* self, const dray_actor_request* request, int64_t* actor) {
  return Guarded([&] { *actor = Of(self).Start(*request); });
}

int Call(void* self, int64_t actor, const char* method, const dray_argument* arguments,
         size_t count, int64_t* object) {
  return Guarded([&] { *object = Of(self).Call(actor, method, {arguments, arguments + count}); });
}

int Put(void* self, dray_bytes bytes, int64_t* object) {
  return Guarded([&] { *object = Of(self).Put(bytes); });
}

int Wait(void* self, const int64_t* objects, size_t count, double timeout_s, uint8_t* ready) {
  return Guarded([&] { Of(self).Wait({objects, objects + count}, timeout_s, ready); });
}

int Fetch(void* self, int64_t object, double timeout_s, dray_sink bytes) {
  return Guarded([&] { Of(self).Fetch(object, timeout_s, bytes); });
}

void Release(void* self, int64_t object) {
  Guarded([&] { Of(self).Release(object); });
}

void Kill(void* self, int64_t actor, int restart) {
  Guarded([&] { Of(self).Kill(actor, restart != 0); });
}

int Publish(void* self, int64_t epoch, const char* const* names, const double* values,
            size_t count) {
  return Guarded([&] {
    Of(self).Publish(epoch, {names, names + count}, {values, values + count});
  });
}

void Disconnect(void* self) {
  Guarded([&] { Of(self).Disconnect(); });
}

}  // namespace
}  // namespace dray_ray

// Returns this process's connection to Ray, which supports one cluster at a time: the one that was
// found and checked before Ray's library was loaded. Returns NULL and writes a message to `error`
// on failure.
extern "C" const dray_cluster* dray_ray_cluster(const dray_cluster_info* found,
                                                const char* python_folder, char* error,
                                                size_t error_size) {
  using namespace dray_ray;
  try {
    // Never destroyed: static objects would outlive parts of Ray that they need.
    static RayCluster* const cluster = new RayCluster(*found, python_folder);
    static const dray_cluster port = {cluster, LastError, Connect, Reserve, Start,   Call,      Put,
                                      Wait,    Fetch,     Release, Kill,    Publish, Disconnect};
    return &port;
  } catch (const std::exception& failure) {
    std::snprintf(error, error_size, "%s", failure.what());
    return nullptr;
  }
}
