#pragma once

#include <cstddef>
#include <string_view>

// What a fuzz target defines. Whoever runs it (libFuzzer, or replay.cc) checks that nothing but an
// Error ends a reading, and how much memory it took.
namespace dray::fuzz {

// Reads bytes that may be anything. Errors may leave it; all else is a finding.
void Read(std::string_view bytes);

// The most memory that reading so many bytes may take.
size_t MostMemory(size_t bytes);

// The same for all tasks that keep what they read: some times its size, and what an Error needs.
constexpr size_t Times(size_t multiple, size_t bytes) { return multiple * bytes + (64 << 10); }

}  // namespace dray::fuzz
