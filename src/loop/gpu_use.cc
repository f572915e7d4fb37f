#include "src/loop/gpu_use.h"

#include <dlfcn.h>

#include <cmath>
#include <type_traits>

namespace dray {
namespace {

// NVML, which comes with the driver and is loaded at run time.
struct Api {
  union Value {
    double real;
    unsigned whole;
    unsigned long long large;
  };
  struct Sample {
    unsigned long long time = 0;
    Value value = {};
  };
  static constexpr int kUtilization = 1;  // sample type: whole percentages
  static constexpr int kDone = 0;

  struct Memory {
    unsigned long long total = 0, free = 0, used = 0;  // bytes
  };

  int (*init)() = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*handle)(unsigned index, void**) = nullptr;
  int (*samples)(void* device, int kind, unsigned long long since, int* type, unsigned* count,
                 Sample*) = nullptr;
  int (*memory)(void* device, Memory*) = nullptr;
  bool works = false;

  static const Api& Get() {
    static const Api api;
    return api;
  }

 private:
  Api() {
    void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    const auto find = [library](const char* name, auto& function) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    works = find("nvmlInit_v2", init) && find("nvmlDeviceGetCount_v2", count) &&
            find("nvmlDeviceGetHandleByIndex_v2", handle) &&
            find("nvmlDeviceGetSamples", samples) && find("nvmlDeviceGetMemoryInfo", memory) &&
            init() == kDone;
  }
};

}  // namespace

GpuUse::GpuUse() {
  const Api& api = Api::Get();
  unsigned count = 0;
  if (!api.works || api.count(&count) != Api::kDone) return;
  for (unsigned i = 0; i < count; ++i) {
    Gpu gpu;
    if (api.handle(i, &gpu.handle) == Api::kDone) gpus_.push_back(gpu);
  }
  TakeShare();
}

double GpuUse::TakeShare() {
  double sum = 0;
  int counted = 0;
  for (Gpu& gpu : gpus_) {
    constexpr unsigned kMost = 256;
    Api::Sample samples[kMost];
    unsigned count = kMost;
    int type = 0;
    if (Api::Get().samples(gpu.handle, Api::kUtilization, gpu.seen, &type, &count, samples) !=
            Api::kDone ||
        count == 0) {
      continue;
    }
    double percent = 0;
    for (unsigned i = 0; i < count; ++i) percent += samples[i].value.whole;
    gpu.seen = samples[count - 1].time;
    sum += percent / count / 100;
    ++counted;
  }
  return counted > 0 ? sum / counted : std::nan("");
}

int64_t GpuUse::FreeBytes() const {
  Api::Memory memory;
  if (gpus_.empty() || Api::Get().memory(gpus_[0].handle, &memory) != Api::kDone) return 0;
  return memory.free;
}

double GpuUse::MemoryMegabytes() const {
  double bytes = 0;
  for (const Gpu& gpu : gpus_) {
    Api::Memory memory;
    if (Api::Get().memory(gpu.handle, &memory) != Api::kDone) return std::nan("");
    bytes += memory.used;
  }
  return gpus_.empty() ? std::nan("") : bytes / 1e6;
}

}  // namespace dray
