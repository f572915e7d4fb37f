#pragma once

#include <cstdint>
#include <cstring>

// Building blocks of the kernels, not for use elsewhere: vectors of 16 floats, and functions that
// GCC compiles once per instruction set. Sanitizers cannot start with such functions.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define DRAY_X86
#define DRAY_EVERY_CPU __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define DRAY_EVERY_CPU
#endif
#define DRAY_INLINE inline __attribute__((always_inline))

namespace dray {

inline constexpr int64_t kLanes = 16;
typedef float Lanes __attribute__((vector_size(kLanes * sizeof(float))));
typedef float Quad __attribute__((vector_size(4 * sizeof(float))));
typedef float Octet __attribute__((vector_size(8 * sizeof(float))));
// Element type for arrays that should stay in registers.
#ifdef DRAY_X86
typedef Lanes Register;
#else
typedef Quad Register;
#endif
typedef int32_t IntLanes __attribute__((vector_size(kLanes * sizeof(int32_t))));
typedef uint32_t BitLanes __attribute__((vector_size(kLanes * sizeof(uint32_t))));

// Loads a vector from memory that need not be aligned.
template <typename Vector = Lanes>
DRAY_INLINE Vector Load(const float* from) {
  Vector vector;
  std::memcpy(&vector, from, sizeof(vector));
  return vector;
}

template <typename Vector>
DRAY_INLINE void Store(const Vector& vector, float* to) {
  std::memcpy(to, &vector, sizeof(vector));
}

}  // namespace dray
