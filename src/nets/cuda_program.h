#pragma once

#include <c10/core/Device.h>

#include <map>
#include <memory>
#include <string>

namespace dray {

// CUDA C++ kernels, compiled for the GPU at hand when the program is created. The compiler (NVRTC)
// comes with LibTorch.
class CudaProgram {
 public:
  // Number of blocks, threads per block, and shared memory per block.
  struct Shape {
    int64_t blocks = 1;
    int64_t threads = 1;
    int64_t shared_bytes = 0;
  };

  // Returns null if the device is not a GPU, the build has no CUDA, or there is no compiler.
  static std::unique_ptr<CudaProgram> Make(const std::string& source, const c10::Device& device);

  CudaProgram(const CudaProgram&) = delete;
  CudaProgram& operator=(const CudaProgram&) = delete;
  virtual ~CudaProgram();

  // Largest shared_bytes that the device can give a block.
  virtual int64_t most_shared_bytes() const;

  // Launches a kernel on the device's current stream. Thread-safe. The arguments must have exactly
  // the types that the kernel declares.
  template <typename... Arguments>
  void Launch(const std::string& kernel, const Shape& shape, Arguments... arguments) {
    void* pointers[] = {&arguments...};
    LaunchWith(kernel, shape, pointers);
  }

 protected:
  CudaProgram();  // of a program that runs elsewhere
  virtual void LaunchWith(const std::string& kernel, const Shape& shape, void** arguments);

 private:
  struct Compiled;

  explicit CudaProgram(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace dray
