#include "src/nets/cuda_program.h"

#ifdef DRAY_CUDA
#include <c10/cuda/CUDAGuard.h>
#include <c10/cuda/CUDAStream.h>
#include <cuda.h>
#include <dlfcn.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

#include "src/base/error.h"
#endif

namespace dray {

#ifdef DRAY_CUDA

namespace {

// Declared here because NVRTC's header is not installed next to CUDA's.
using CompilerProgram = void*;
constexpr int kCompiled = 0, kFaultyProgram = 6;

// The compiler and the driver, loaded at run time because a machine without a GPU lacks them.
struct Api {
  int (*create_program)(CompilerProgram*, const char* source, const char* name, int headers,
                        const char* const* header_texts, const char* const* header_names) = nullptr;
  int (*compile_program)(CompilerProgram, int options, const char* const* option) = nullptr;
  int (*destroy_program)(CompilerProgram*) = nullptr;
  int (*log_size)(CompilerProgram, size_t*) = nullptr;
  int (*log)(CompilerProgram, char*) = nullptr;
  int (*code_size)(CompilerProgram, size_t*) = nullptr;
  int (*code)(CompilerProgram, char*) = nullptr;
  decltype(&::cuDeviceGet) device = nullptr;
  decltype(&::cuDeviceGetAttribute) attribute = nullptr;
  decltype(&::cuModuleLoadData) load_module = nullptr;
  decltype(&::cuModuleUnload) unload_module = nullptr;
  decltype(&::cuModuleGetFunction) function = nullptr;
  decltype(&::cuFuncSetAttribute) set_attribute = nullptr;
  decltype(&::cuLaunchKernel) launch = nullptr;
  bool complete = false;

  static const Api& Get() {
    static const Api api;
    return api;
  }

 private:
  Api() {
    void* compiler = nullptr;
    // LibTorch's wrapper knows where its NVRTC is.
    for (const char* name : {"libcaffe2_nvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"}) {
      if (!compiler) compiler = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    }
    void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!compiler || !driver) return;
    complete = true;
    Find(compiler, "nvrtcCreateProgram", create_program);
    Find(compiler, "nvrtcCompileProgram", compile_program);
    Find(compiler, "nvrtcDestroyProgram", destroy_program);
    Find(compiler, "nvrtcGetProgramLogSize", log_size);
    Find(compiler, "nvrtcGetProgramLog", log);
    Find(compiler, "nvrtcGetCUBINSize", code_size);
    Find(compiler, "nvrtcGetCUBIN", code);
    Find(driver, "cuDeviceGet", device);
    Find(driver, "cuDeviceGetAttribute", attribute);
    Find(driver, "cuModuleLoadData", load_module);
    Find(driver, "cuModuleUnload", unload_module);
    Find(driver, "cuModuleGetFunction", function);
    Find(driver, "cuFuncSetAttribute", set_attribute);
    Find(driver, "cuLaunchKernel", launch);
  }

  template <typename Function>
  void Find(void* library, const char* name, Function& found) {
    found = reinterpret_cast<Function>(dlsym(library, name));
    complete = complete && found;
  }
};

void Check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  if (result == CUDA_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  throw Failure("CUDA could not ", what, " (error ", static_cast<int>(result), ")");
}

int Attribute(int index, CUdevice_attribute attribute) {
  const Api& api = Api::Get();
  CUdevice device = 0;
  int value = 0;
  Check(api.device(&device, index), "name the GPU");
  Check(api.attribute(&value, attribute, device), "ask the GPU");
  return value;
}

int Capability(int index) {
  return 10 * Attribute(index, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
         Attribute(index, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

// Returns nothing if the compiler does not support the GPU.
std::vector<char> Compile(const std::string& source, int capability) {
  const Api& api = Api::Get();
  CompilerProgram program = nullptr;
  if (api.create_program(&program, source.c_str(), "dray.cu", 0, nullptr, nullptr) != kCompiled) {
    return {};
  }
  const std::string target = Cat("--gpu-architecture=sm_", capability);
  const char* options[] = {target.c_str()};
  const int result = api.compile_program(program, 1, options);
  std::vector<char> code;
  std::string log;
  size_t size = 0;
  if (result == kCompiled && api.code_size(program, &size) == kCompiled) {
    code.resize(size);
    if (api.code(program, code.data()) != kCompiled) code.clear();
  } else if (result == kFaultyProgram && api.log_size(program, &size) == kCompiled) {
    log.resize(size);
    api.log(program, log.data());
  }
  api.destroy_program(&program);
  if (!log.empty()) throw Failure("a CUDA kernel does not compile: ", log);
  return code;
}

}  // namespace

struct CudaProgram::Compiled {
  ~Compiled() {
    if (module) Api::Get().unload_module(module);
  }

  CUfunction Kernel(const std::string& name, int64_t shared_bytes) {
    const std::lock_guard lock(mutex);
    auto [found, is_new] = kernels.try_emplace(name, nullptr);
    const Api& api = Api::Get();
    if (is_new) Check(api.function(&found->second, module, name.c_str()), "find a kernel");
    int64_t& most = most_shared[name];
    constexpr int64_t kAlwaysThere = 48 * 1024;
    if (shared_bytes > std::max(kAlwaysThere, most)) {
      Check(api.set_attribute(found->second, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                              shared_bytes),
            "give a kernel so much memory");
      most = shared_bytes;
    }
    return found->second;
  }

  c10::DeviceIndex device = 0;
  int most_shared_bytes = 0;
  CUmodule module = nullptr;
  std::mutex mutex;  // guards the members below
  std::map<std::string, CUfunction> kernels;
  std::map<std::string, int64_t> most_shared;
};

std::unique_ptr<CudaProgram> CudaProgram::Make(const std::string& source,
                                               const c10::Device& device) {
  if (!device.is_cuda() || !Api::Get().complete) return nullptr;
  auto compiled = std::make_unique<Compiled>();
  compiled->device = device.has_index() ? device.index() : c10::cuda::current_device();
  // Creating the stream also creates the device's context.
  const c10::cuda::CUDAGuard guard(compiled->device);
  c10::cuda::getStreamFromPool(/*isHighPriority=*/false, compiled->device).synchronize();
  const std::vector<char> code = Compile(source, Capability(compiled->device));
  if (code.empty()) return nullptr;
  Check(Api::Get().load_module(&compiled->module, code.data()), "load a kernel");
  compiled->most_shared_bytes =
      Attribute(compiled->device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  return std::unique_ptr<CudaProgram>(new CudaProgram(std::move(compiled)));
}

int64_t CudaProgram::most_shared_bytes() const { return compiled_->most_shared_bytes; }

void CudaProgram::LaunchWith(const std::string& kernel, const Shape& shape, void** arguments) {
  const auto stream = c10::cuda::getCurrentCUDAStream(compiled_->device);
  Check(Api::Get().launch(compiled_->Kernel(kernel, shape.shared_bytes), shape.blocks, 1, 1,
                          shape.threads, 1, 1, shape.shared_bytes, stream.stream(), arguments,
                          nullptr),
        "start a kernel");
}

#else

struct CudaProgram::Compiled {};

std::unique_ptr<CudaProgram> CudaProgram::Make(const std::string&, const c10::Device&) {
  return nullptr;
}

int64_t CudaProgram::most_shared_bytes() const { return 0; }

void CudaProgram::LaunchWith(const std::string&, const Shape&, void**) {}

#endif

CudaProgram::CudaProgram(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}

CudaProgram::CudaProgram() = default;
CudaProgram::~CudaProgram() = default;

}  // namespace dray
