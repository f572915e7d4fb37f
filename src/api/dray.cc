#include "src/api/dray.h"

#include <c10/util/Exception.h>
#include <unistd.h>

#include <exception>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "src/api/foreign_cluster.h"
#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/cluster/roles/parse.h"
#include "src/cluster/roles/role.h"
#include "src/cluster/stepped_training.h"
#include "src/commands/commands.h"
#include "src/commands/train_command.h"
#include "src/oracle/remote.h"

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

std::string_view View(const dray_bytes& bytes) {
  return {static_cast<const char*>(bytes.data), bytes.size};
}

class ForeignSink : public dray::ByteSink {
 public:
  explicit ForeignSink(const dray_sink& sink) : sink_(sink) {}
  std::byte* Resize(size_t size) override {
    void* memory = sink_.resize(sink_.self, size);
    if (memory == nullptr && size > 0) throw std::bad_alloc();
    return static_cast<std::byte*>(memory);
  }

 private:
  dray_sink sink_;
};

// What `top` and `ps` show for the process of an actor.
void NameProcess(const std::string& actor) {
  std::ofstream(dray::Cat("/proc/self/task/", ::getpid(), "/comm")) << "dray " << actor;
}

class ForeignOraclePort : public dray::OraclePort {
 public:
  explicit ForeignOraclePort(const dray_oracle_port& port) : port_(port) {}
  dray::Blob Call(std::string_view request) override {
    dray::Blob answer;
    const dray_sink sink = {&answer, [](void* self, size_t size) -> void* {
                              return static_cast<dray::Blob*>(self)->Resize(size);
                            }};
    if (port_.solve(port_.self, {request.data(), request.size()}, sink) != 0) {
      throw dray::Failure(answer.view());
    }
    return answer;
  }

 private:
  dray_oracle_port port_;
};

dray::OpenCluster Opening(dray_open_cluster open) {
  return [open](const std::string& run_name) -> std::unique_ptr<dray::Cluster> {
    char error[512] = "this program was built without a way to a cluster";
    const dray_cluster* table = open == nullptr ? nullptr : open(error, sizeof(error));
    if (table == nullptr) throw dray::Failure(error);
    return std::make_unique<dray::ForeignCluster>(*table, run_name);
  };
}

}  // namespace

struct dray_role {
  std::unique_ptr<dray::Role> role;
};

const char* dray_last_error(void) { return last_error.c_str(); }

dray_status dray_role_create(const char* kind, dray_bytes settings, const dray_oracle_port* oracle,
                             dray_role** role) {
  return Guard([&] {
    NameProcess(dray::Parsed<dray::RoleSettings>(View(settings)).name());
    if (oracle != nullptr) dray::SetOraclePort(std::make_shared<ForeignOraclePort>(*oracle));
    *role = new dray_role{dray::MakeRole(kind, View(settings))};
  });
}

dray_status dray_training_create(int argc, const char* const* argv, dray_role** training) {
  return Guard([&] {
    *training = new dray_role{
        dray::MakeSteppedTraining(dray::SteppedTrainingConfig(Arguments(argc, argv)))};
  });
}

dray_status dray_role_call(dray_role* role, const char* method, const dray_bytes* arguments,
                           size_t count, dray_sink reply) {
  return Guard([&] {
    std::vector<std::string_view> views;
    for (size_t i = 0; i < count; ++i) views.push_back(View(arguments[i]));
    ForeignSink sink(reply);
    role->role->Call(method, views, sink);
  });
}

void dray_role_destroy(dray_role* role) { delete role; }

dray_status dray_command(const char* name, int argc, const char* const* argv,
                         dray_open_cluster open) {
  return Guard([&] { dray::RunCommand(name, Arguments(argc, argv), Opening(open)); });
}
