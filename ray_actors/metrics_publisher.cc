#include "ray_actors/metrics_publisher.h"

#include <exception>
#include <utility>

namespace dray_ray {
namespace {

constexpr size_t kUnderWay = 4;
// Gives up on an actor that never works, for example because its module is missing.
constexpr int kStarts = 5;

// Packs values as arguments of a Python actor.
template <typename... Values>
std::vector<ray::internal::TaskArg> ForPython(const Values&... values) {
  std::vector<ray::internal::TaskArg> arguments;
  ray::internal::Arguments::WrapArgs<std::tuple<Values...>>(
      ray::internal::LangType::PYTHON, &arguments, std::index_sequence_for<Values...>(), values...);
  return arguments;
}

}  // namespace

void MetricsPublisher::Start() {
  ++starts_;
  auto arguments = ForPython(run_name_, environment_);
  ray::internal::ActorCreationOptions options{};
  options.name = run_name_ + ":metrics" + (starts_ == 1 ? "" : "-" + std::to_string(starts_));
  options.bundle_index = -1;
  actor_ = ray::internal::GetRayRuntime()->CreateActor(
      ray::internal::RemoteFunctionHolder("dray.metrics_bridge", "__init__", "MetricsBridge",
                                          ray::internal::LangType::PYTHON),
      arguments, options);
}

void MetricsPublisher::Collect() {
  const auto runtime = ray::internal::GetRayRuntime();
  while (!under_way_.empty()) {
    if (!runtime->Wait({under_way_.front().id()}, 1, 0)[0]) return;
    const HeldObject done = std::move(under_way_.front());
    under_way_.pop_front();
    try {
      runtime->Get(done.id(), 1000);
    } catch (const ray::internal::RayTaskException&) {  // the next report may go through
    } catch (const std::exception&) {
      actor_.clear();
      under_way_.clear();
    }
  }
}

void MetricsPublisher::Publish(int64_t epoch, const std::vector<std::string>& names,
                               const std::vector<double>& values) {
  const std::lock_guard<std::mutex> lock(mutex_);
  Collect();
  if (under_way_.size() >= kUnderWay) return;
  if (actor_.empty()) {
    if (starts_ >= kStarts) return;
    Start();
  }
  auto arguments = ForPython(epoch, names, values);
  ray::internal::CallOptions options{};
  options.bundle_index = -1;
  under_way_.emplace_back(ray::internal::GetRayRuntime()->CallActor(
      ray::internal::RemoteFunctionHolder("", "record", "", ray::internal::LangType::PYTHON),
      actor_, arguments, options));
}

}  // namespace dray_ray
