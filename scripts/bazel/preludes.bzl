"""Headers that many files include, precompiled once (precompiled.bzl). This saves more than half of the compile time of a file with
LibTorch. No file may rely on them: every file includes what it uses.

Inline code of a header is compiled again in every file that includes it, precompiled or not: 0.3 s for the standard library and Protobuf,
1.6 s for LibTorch, 0.7 s for nlohmann/json.hpp, which is therefore not listed here."""

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
