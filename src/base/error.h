#pragma once

#include <sstream>
#include <stdexcept>
#include <string>

namespace dray {

// Concatenates anything that can be streamed.
template <typename... Parts>
std::string Cat(const Parts&... parts) {
  std::ostringstream out;
  (out << ... << parts);
  return out.str();
}

// The engine's only exception type, for mistakes of the user or failures of the machine. The
// message is one line that says what went wrong, where, and what to do next. Programming errors end
// in DRAY_CHECK instead.
class Error : public std::runtime_error {
 public:
  enum class Kind {
    kUsage = 2,    // a wrong flag, key, value or file that the user can fix
    kFailure = 1,  // the run could not continue: disk full, damaged checkpoint, ...
  };

  Error(Kind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}

  Kind kind() const { return kind_; }
  int exit_code() const { return static_cast<int>(kind_); }

 private:
  Kind kind_;
};

template <typename... Parts>
Error UsageError(const Parts&... parts) {
  return Error(Error::Kind::kUsage, Cat(parts...));
}

template <typename... Parts>
Error Failure(const Parts&... parts) {
  return Error(Error::Kind::kFailure, Cat(parts...));
}

[[noreturn]] void CheckFailed(const char* file, int line, const char* expression,
                              const std::string& values);

}  // namespace dray

// Aborts with the location and the values if the condition does not hold. A broken invariant is a
// bug.
#define DRAY_CHECK(condition)                                                  \
  do {                                                                         \
    if (!(condition)) ::dray::CheckFailed(__FILE__, __LINE__, #condition, ""); \
  } while (false)

#define DRAY_CHECK_OP(a, op, b)                                                             \
  do {                                                                                      \
    const auto& dray_check_a = (a);                                                         \
    const auto& dray_check_b = (b);                                                         \
    if (!(dray_check_a op dray_check_b)) {                                                  \
      ::dray::CheckFailed(__FILE__, __LINE__, #a " " #op " " #b,                            \
                          ::dray::Cat(" (", dray_check_a, " against ", dray_check_b, ")")); \
    }                                                                                       \
  } while (false)

#define DRAY_CHECK_EQ(a, b) DRAY_CHECK_OP(a, ==, b)
#define DRAY_CHECK_LE(a, b) DRAY_CHECK_OP(a, <=, b)
#define DRAY_CHECK_LT(a, b) DRAY_CHECK_OP(a, <, b)
#define DRAY_CHECK_GE(a, b) DRAY_CHECK_OP(a, >=, b)
#define DRAY_CHECK_GT(a, b) DRAY_CHECK_OP(a, >, b)
