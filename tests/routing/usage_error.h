#pragma once

#include <gtest/gtest.h>

#include <string>

#include "src/base/error.h"

namespace dray {

// The message of the usage error that `action` ends in; a test failure when it ends in none, or in
// more than one line.
template <typename Action>
std::string UsageErrorOf(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace dray
