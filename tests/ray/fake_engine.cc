// An engine that does as it is told: real actors around it, and no training. The first argument of
// a call is an order:
//   echo             the other arguments, one after the other
//   make N           N bytes, each written
//   sum              the sum of all other arguments' 64-bit words, as text
//   throw TEXT       fails with TEXT
//   exit             ends the process
//   wait SECONDS     answers later
//   variable NAME    an environment variable
//   memory           the process's resident memory in bytes
//   process          the process's number
//   ask              hands the next argument to the oracle
// A role whose settings begin with "broken" cannot be made.

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "src/api/dray.h"

struct dray_role {
  std::string kind;
  const dray_oracle_port* oracle;
};

namespace {

thread_local std::string last_error;

void Write(dray_sink sink, const std::string& text) {
  void* to = sink.resize(sink.self, text.size());
  if (!text.empty()) std::memcpy(to, text.data(), text.size());
}

uint64_t SumOfWords(dray_bytes bytes) {
  const auto* words = static_cast<const uint64_t*>(bytes.data);
  uint64_t sum = 0;
  for (size_t i = 0; i < bytes.size / 8; ++i) sum += words[i];
  return sum;
}

std::string ResidentBytes() {
  std::ifstream pages("/proc/self/statm");
  int64_t all = 0, resident = 0;
  pages >> all >> resident;
  return std::to_string(resident * sysconf(_SC_PAGESIZE));
}

std::string Echo(const dray_bytes* arguments, size_t count) {
  std::string all;
  for (size_t i = 1; i < count; ++i) {
    all.append(static_cast<const char*>(arguments[i].data), arguments[i].size);
  }
  return all;
}

void Ask(const dray_oracle_port* oracle, dray_bytes problems, dray_sink reply) {
  if (oracle == nullptr) throw std::runtime_error("no oracle");
  std::string answer;
  const dray_sink sink = {&answer, [](void* self, size_t size) -> void* {
                            auto& text = *static_cast<std::string*>(self);
                            text.resize(size);
                            return &text[0];
                          }};
  if (oracle->solve(oracle->self, problems, sink) != 0) {
    throw std::runtime_error("the oracle said: " + answer);
  }
  Write(reply, answer);
}

void Obey(const dray_role& role, const char* method, const dray_bytes* arguments, size_t count,
          dray_sink reply) {
  if (count == 0) throw std::runtime_error("no order");
  std::istringstream line(
      std::string(static_cast<const char*>(arguments[0].data), arguments[0].size));
  std::string order, rest;
  line >> order >> std::ws;
  std::getline(line, rest);
  if (order == "echo") {
    Write(reply, Echo(arguments, count));
  } else if (order == "called") {
    Write(reply, role.kind + "." + method);
  } else if (order == "make") {
    const size_t size = std::stoull(rest);
    std::memset(reply.resize(reply.self, size), 1, size);
  } else if (order == "sum") {
    uint64_t sum = 0;
    for (size_t i = 1; i < count; ++i) sum += SumOfWords(arguments[i]);
    Write(reply, std::to_string(sum));
  } else if (order == "throw") {
    throw std::runtime_error(rest);
  } else if (order == "exit") {
    _exit(1);
  } else if (order == "wait") {
    usleep(static_cast<useconds_t>(std::stod(rest) * 1e6));
    Write(reply, "waited");
  } else if (order == "variable") {
    const char* value = std::getenv(rest.c_str());
    Write(reply, value == nullptr ? "" : value);
  } else if (order == "memory") {
    Write(reply, ResidentBytes());
  } else if (order == "process") {
    Write(reply, std::to_string(getpid()));
  } else if (order == "ask") {
    Ask(role.oracle, count > 1 ? arguments[1] : dray_bytes{"", 0}, reply);
  } else {
    throw std::runtime_error("no such order: " + order);
  }
}

}  // namespace

const char* dray_last_error(void) { return last_error.c_str(); }

dray_status dray_role_create(const char* kind, dray_bytes settings, const dray_oracle_port* oracle,
                             dray_role** role) {
  const std::string text(static_cast<const char*>(settings.data), settings.size);
  if (text.rfind("broken", 0) == 0) {
    last_error = text;
    return 1;
  }
  *role = new dray_role{kind, oracle};
  return 0;
}

dray_status dray_role_call(dray_role* role, const char* method, const dray_bytes* arguments,
                           size_t count, dray_sink reply) {
  try {
    Obey(*role, method, arguments, count, reply);
    return 0;
  } catch (const std::exception& error) {
    last_error = error.what();
    return 1;
  }
}

void dray_role_destroy(dray_role* role) { delete role; }
