#pragma once

// Header-only C++17 wrapper of the facade: exceptions and values use the caller's ABI.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/api/dray.h"

namespace dray_api {

class Error : public std::runtime_error {
 public:
  Error(dray_status status, const char* message) : std::runtime_error(message), status_(status) {}
  // Exit code of a command that ends with this error.
  int exit_code() const { return status_; }

 private:
  dray_status status_;
};

inline void Check(dray_status status) {
  if (status != 0) throw Error(status, dray_last_error());
}

inline dray_bytes Bytes(const std::string& text) { return {text.data(), text.size()}; }

// Owns a role of the engine.
class Role {
 public:
  Role(const char* kind, dray_bytes settings, const dray_oracle_port* oracle = nullptr) {
    Check(dray_role_create(kind, settings, oracle, &role_));
  }
  ~Role() { dray_role_destroy(role_); }
  Role(const Role&) = delete;
  Role& operator=(const Role&) = delete;

  void Call(const char* method, const std::vector<dray_bytes>& arguments, dray_sink reply) {
    Check(dray_role_call(role_, method, arguments.data(), arguments.size(), reply));
  }

 private:
  dray_role* role_ = nullptr;
};

// Runs a command. Returns its exit code: 0, or 128 + N if signal N ended it early. Throws Error if
// it fails.
inline int Command(const char* name, int argc, const char* const* argv, const dray_host& host) {
  const dray_status status = dray_command(name, argc, argv, &host);
  if (status <= 2) Check(status);
  return status;
}

}  // namespace dray_api
