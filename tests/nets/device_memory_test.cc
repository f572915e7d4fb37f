#include "src/nets/device_memory.h"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace dray {
namespace {

TEST(DeviceMemory, EveryWayToRunOutIsNoticed) {
  EXPECT_FALSE(FitsInMemory([] { throw std::bad_alloc(); }));
  EXPECT_FALSE(FitsInMemory([] { TORCH_CHECK_WITH(OutOfMemoryError, false, "no room"); }));
  EXPECT_FALSE(FitsInMemory([] { TORCH_CHECK(false, "CUDA error: out of memory"); }));
  EXPECT_FALSE(FitsInMemory([] { TORCH_CHECK(false, "CUBLAS_STATUS_ALLOC_FAILED in a call"); }));
}

TEST(DeviceMemory, WhatFitsRunsOnce) {
  int runs = 0;
  EXPECT_TRUE(FitsInMemory([&] { ++runs; }));
  EXPECT_EQ(runs, 1);
}

TEST(DeviceMemory, OtherErrorsPass) {
  EXPECT_THROW(FitsInMemory([] { throw std::runtime_error("out of memory"); }), std::runtime_error);
  EXPECT_THROW(FitsInMemory([] { TORCH_CHECK(false, "wrong shape"); }), c10::Error);
}

}  // namespace
}  // namespace dray
