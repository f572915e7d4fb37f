#include "src/envs/waves/instances.h"

#include <mutex>
#include <string>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/config/user_path.h"
#include "src/envs/waves/generated_instance.h"
#include "src/envs/waves/orders.h"

namespace dray::waves {
namespace {

constexpr int kMostFiles = 1000;
constexpr int kDrawsWithFiles = 100;
constexpr int kDrawsWithout = 20;

Instances Read(const WavesConfig& settings) {
  if (settings.instances_size() > kMostFiles) {
    throw UsageError("env.waves.instances: at most ", kMostFiles, " files, found ",
                     settings.instances_size());
  }
  if (!settings.orders().empty()) {
    if (settings.instances_size() > 0) {
      throw UsageError(
          "env.waves.orders: cannot be combined with env.waves.instances; leave one of them "
          "out");
    }
    return {std::make_shared<const Instance>(ParseOrders(ReadOrderFiles(settings), settings))};
  }
  std::vector<Instance> instances;
  for (int i = 0; i < settings.instances_size(); ++i) {
    const std::string& setting = settings.instances(i);
    instances.push_back(IsText(setting)
                            ? ParseInstance(Cat("env.waves.instances[", i, "]"), setting)
                            : ReadInstance(UserPath(setting)));
  }
  const bool generated = instances.empty();
  if (generated) {
    instances.push_back(GenerateInstance(settings.instance_seed(), settings.customers()));
  }
  Instances shared;
  for (Instance& instance : instances) {
    instance.draws =
        settings.draws() > 0 ? settings.draws() : (generated ? kDrawsWithout : kDrawsWithFiles);
    shared.push_back(std::make_shared<const Instance>(std::move(instance)));
  }
  return shared;
}

}  // namespace

bool IsText(const std::string& setting) { return setting.find('\n') != std::string::npos; }

Instances InstancesOf(const WavesConfig& settings) {
  static std::mutex mutex;
  static std::string last_settings;
  static Instances last;
  const std::lock_guard lock(mutex);
  // A file may change on disk, so files are read each time. Text is what takes long: a run has it.
  bool files = !settings.orders().empty() && !IsText(settings.orders());
  for (const std::string& setting : settings.instances()) files |= !IsText(setting);
  const std::string key = settings.SerializeAsString();
  if (files || last.empty() || key != last_settings) {
    last = Read(settings);
    last_settings = key;
  }
  return last;
}

void CarryInstances(WavesConfig* settings) {
  for (std::string& setting : *settings->mutable_instances()) {
    if (!IsText(setting)) setting = ReadFile(UserPath(setting));
  }
  if (!settings->orders().empty()) {
    const OrderFiles files = ReadOrderFiles(*settings);
    settings->set_orders(files.orders.text);
    if (!files.places.text.empty()) settings->set_places(files.places.text);
    if (!files.travel.text.empty()) settings->set_travel(files.travel.text);
  }
  Read(*settings);
}

}  // namespace dray::waves
