"""What many files include, compiled once and read back by all of them (precompiled.bzl): more than half of what a file with LibTorch
would take to compile. Nothing may rely on it: a file names what it uses."""

ENGINE_PRELUDE = [
    "algorithm",
    "chrono",
    "cmath",
    "filesystem",
    "fstream",
    "functional",
    "iostream",
    "map",
    "memory",
    "numeric",
    "optional",
    "set",
    "span",
    "sstream",
    "string",
    "string_view",
    "thread",
    "utility",
    "vector",
    "google/protobuf/extension_set.h",
    "google/protobuf/generated_enum_reflection.h",
    "google/protobuf/generated_message_reflection.h",
    "google/protobuf/message.h",
    "google/protobuf/unknown_field_set.h",
    "nlohmann/json.hpp",
]
TORCH_PRELUDE = [
    "ATen/TensorOperators.h",
    "ATen/core/Tensor.h",
    "c10/core/GradMode.h",
]
TEST_PRELUDE = [
    "gmock/gmock.h",
    "gtest/gtest.h",
]
