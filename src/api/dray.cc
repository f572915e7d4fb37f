#include "src/api/dray.h"

#include <c10/util/Exception.h>

#include <exception>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "src/base/error.h"
#include "src/run/commands.h"

namespace {

thread_local std::string last_error;

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

// No exception may cross the facade: each becomes a status and one line.
dray_status Guard(const std::function<void()>& body) {
  try {
    body();
    last_error.clear();
    return 0;
  } catch (const dray::Error& error) {
    last_error = FirstLine(error.what());
    return error.exit_code();
  } catch (const c10::Error& error) {
    last_error = "LibTorch: " + FirstLine(error.what_without_backtrace());
  } catch (const std::bad_alloc&) {
    last_error = "out of memory: use fewer environments (--num-envs) or shorter rollouts";
  } catch (const std::exception& error) {
    last_error = FirstLine(error.what());
  }
  return 1;
}

std::vector<std::string> Arguments(int argc, const char* const* argv) {
  return {argv, argv + argc};
}

}  // namespace

const char* dray_last_error(void) { return last_error.c_str(); }

dray_status dray_train(int argc, const char* const* argv) {
  return Guard([&] { dray::TrainCommand(Arguments(argc, argv)); });
}

dray_status dray_evaluate(int argc, const char* const* argv) {
  return Guard([&] { dray::EvaluateCommand(Arguments(argc, argv)); });
}

dray_status dray_solve(int argc, const char* const* argv) {
  return Guard([&] { dray::SolveCommand(Arguments(argc, argv)); });
}

dray_status dray_train_oracle(int argc, const char* const* argv) {
  return Guard([&] { dray::TrainOracleCommand(Arguments(argc, argv)); });
}
