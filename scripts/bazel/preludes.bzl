"""What many files include, compiled once and read back by all of them (precompiled.bzl): more than half of what a file with LibTorch
would take to compile. Nothing may rely on it: a file names what it uses.

What a header's own functions call is compiled again in every file that has the header, precompiled or not: of the standard library and
Protobuf 0.3 s, of LibTorch 1.6 s, of nlohmann/json.hpp 0.7 s, which is why it is not here."""

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
    "google/protobuf/descriptor.pb.h",
    "google/protobuf/extension_set.h",
    "google/protobuf/generated_enum_reflection.h",
    "google/protobuf/generated_message_reflection.h",
    "google/protobuf/message.h",
    "google/protobuf/unknown_field_set.h",
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
