#include "src/api/dray.h"

#include <c10/util/Exception.h>
#include <unistd.h>

#include <climits>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "src/api/foreign_cluster.h"
#include "src/api/guard.h"
#include "src/api/make_role.h"
#include "src/base/bytes.h"
#include "src/base/error.h"
#include "src/base/prepare_process.h"
#include "src/cluster/roles/messages.pb.h"
#include "src/cluster/roles/parse.h"
#include "src/cluster/roles/role.h"
#include "src/cluster/stepped_training.h"
#include "src/commands/commands.h"
#include "src/commands/train_command.h"
#include "src/nets/device_memory.h"
#include "src/oracle/remote.h"

namespace {

using dray::ForeignSink;
using dray::View;

// Reports LibTorch's errors without their stack traces.
dray_status Guard(const std::function<void()>& body) {
  return dray::Guard([&] {
    try {
      body();
    } catch (const c10::Error& error) {
      if (!dray::IsOutOfMemory(error)) {
        throw dray::Failure("LibTorch: ", error.what_without_backtrace());
      }
      throw dray::Failure(
          "out of memory: on a GPU, stop other programs that use it (nvidia-smi lists them) or use "
          "--device cpu; smaller batches (scale.num_envs, ppo.minibatch_size) need less. "
          "LibTorch: ",
          error.what_without_backtrace());
    }
  });
}

std::vector<std::string> Arguments(int argc, const char* const* argv) {
  return {argv, argv + argc};
}

// Sets the name that `top` and `ps` show for an actor's process.
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

dray::CommandHost HostOf(const dray_host& given) {
  dray::CommandHost host;
  host.open_cluster =
      [open = given.open_cluster](const std::string& run_name) -> std::unique_ptr<dray::Cluster> {
    char error[512] = "this program was built without cluster support";
    const dray_cluster* table = open == nullptr ? nullptr : open(error, sizeof(error));
    if (table == nullptr) throw dray::Failure(error);
    return std::make_unique<dray::ForeignCluster>(*table, run_name);
  };
  if (given.find_cluster != nullptr) {
    host.find_cluster = [find = given.find_cluster]() -> std::string {
      char reason[512] = "";
      return find(reason, sizeof(reason)) != 0 ? reason : "";
    };
  }
  if (given.make_page == nullptr) return host;
  host.make_page = [make_page = given.make_page](const std::string& run_folder) {
    char text[PATH_MAX] = "";
    if (make_page(run_folder.c_str(), text, sizeof(text)) != 0) throw dray::Failure(text);
    return std::string(text);
  };
  return host;
}

}  // namespace

struct dray_role {
  std::unique_ptr<dray::Role> role;
};

dray_status dray_role_create(const char* kind, dray_bytes settings, const dray_oracle_port* oracle,
                             dray_role** role) {
  return Guard([&] {
    dray::PrepareProcess();
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
                         const dray_host* host) {
  dray::PrepareProcess();
  int code = 0;
  const dray_status status = Guard([&] {
    code = dray::RunCommand(name, Arguments(argc, argv),
                            HostOf(host == nullptr ? dray_host{} : *host));
  });
  return status == 0 ? code : status;
}
