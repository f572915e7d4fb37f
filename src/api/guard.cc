#include "src/api/guard.h"

#include <cstring>
#include <exception>
#include <string>

#include "src/base/error.h"
#include "src/envs/all_tasks.h"

namespace {

thread_local std::string last_error;

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

const char* dray_last_error(void) { return last_error.c_str(); }

namespace dray {

void Answer(std::string_view text, const dray_sink& sink) {
  std::byte* memory = ForeignSink(sink).Resize(text.size());
  if (!text.empty()) std::memcpy(memory, text.data(), text.size());
}

dray_status Guard(const std::function<void()>& body) {
  try {
    RegisterAllTasks();
    body();
    last_error.clear();
    return 0;
  } catch (const Error& error) {
    last_error = FirstLine(error.what());
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    last_error = "out of memory: use fewer environments (--num-envs) or shorter rollouts";
  } catch (const std::exception& error) {
    last_error = FirstLine(error.what());
  }
  return 1;
}

}  // namespace dray
