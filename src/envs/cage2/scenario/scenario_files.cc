#include "src/envs/cage2/scenario/scenario_files.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <set>

#include "src/base/file.h"
#include "src/config/user_path.h"
#include "src/envs/cage2/scenario/scenario.h"
#include "src/envs/cage2/scenario/shipped_scenario.h"

namespace dray::cage2 {
namespace {

namespace fs = std::filesystem;

constexpr char kSetting[] = "env.cage2.scenario";
constexpr char kFolder[] = "configs/scenarios";
constexpr char kImages[] = "images/images.yaml";

// A folder with scenarios, and their images in a folder of its own: one on disk, or the shipped one
// when `path` is empty.
struct Folder {
  // Returns nothing if there is no such file.
  std::optional<Entry> Find(const std::string& file) const {
    if (path.empty()) {
      const std::optional<std::string> text = ShippedFile(file);
      if (!text) return std::nullopt;
      return Entry::Document(*text, Cat(kFolder, "/", file));
    }
    const std::string name = (fs::path(path) / file).string();
    if (!fs::exists(name)) return std::nullopt;
    return Entry::Document(ReadFile(name), name);
  }

  // Returns the image as images.yaml lists it, or nothing.
  std::optional<Entry> FindImage(const std::string& name) const {
    const std::optional<Entry> list = Find(kImages);
    if (!list) return std::nullopt;
    const std::optional<Entry> listed = list->Find(name);
    if (!listed) return std::nullopt;
    const Entry file = listed->At("path");
    const std::optional<Entry> image = Find(Cat("images/", file.Text(), ".yaml"));
    if (!image) throw file.Refusal("there is no file images/", file.Text(), ".yaml beside it");
    return image->At("Test_Host");
  }

  std::string path;
};

// A scenario with the images it names.
class Scenario {
 public:
  Scenario(Entry document, Folder folder)
      : document_(std::move(document)), folder_(std::move(folder)) {}

  Network Read() {
    return ReadNetwork(document_, [this](const std::string& name, const Entry& asked) {
      const auto known = images_.find(name);
      if (known != images_.end()) return known->second;
      return images_.emplace(name, FindImage(name, asked)).first->second;
    });
  }

  // Valid after Read.
  std::string SelfContained() const {
    YAML::Node whole = YAML::Clone(document_.node());
    for (const auto& [name, image] : images_) whole["Images"][name] = image.node();
    return YAML::Dump(whole) + "\n";
  }

 private:
  // Looks in the scenario itself, then in its folder, then among the shipped ones.
  Entry FindImage(const std::string& name, const Entry& asked) const {
    if (const auto own = document_.Find("Images")) {
      if (const auto image = own->Find(name)) return *image;
    }
    if (const auto image = folder_.FindImage(name)) return *image;
    if (const auto image = Folder{}.FindImage(name)) return *image;
    throw asked.Refusal("there is no image ", name, " in ", kImages,
                        " beside the scenario, nor among the shipped ones");
  }

  Entry document_;
  Folder folder_;
  std::map<std::string, Entry> images_;
};

bool IsText(const std::string& scenario) { return scenario.find('\n') != std::string::npos; }

Scenario Find(const std::string& scenario) {
  if (IsShipped(scenario)) return {Folder{}.Find(Cat(kShippedScenario, ".yaml")).value(), {}};
  if (IsText(scenario)) return {Entry::Document(scenario, kSetting), {}};
  const std::string file = FindFileOrBareName(scenario, kFolder);
  if (file.empty()) {
    throw UsageError(kSetting, ": there is no file ", scenario,
                     "; give the path of a scenario, or ", kShippedScenario);
  }
  const std::string folder = fs::path(file).parent_path().string();
  return {Entry::Document(ReadFile(file), file), {folder.empty() ? "." : folder}};
}

}  // namespace

bool IsShipped(const std::string& scenario) {
  return scenario.empty() || scenario == kShippedScenario;
}

const Network& ShippedNetwork() {
  static const Network network = Find(kShippedScenario).Read();
  return network;
}

const Network& NetworkOf(const std::string& scenario) {
  if (IsShipped(scenario)) return ShippedNetwork();
  // A file may change; a text does not.
  if (!IsText(scenario)) return NetworkOf(SelfContained(scenario));
  static std::mutex mutex;
  static std::map<std::string, const Network> networks;
  const std::lock_guard lock(mutex);
  const auto known = networks.find(scenario);
  if (known != networks.end()) return known->second;
  return networks.emplace(scenario, Find(scenario).Read()).first->second;
}

std::string SelfContained(const std::string& scenario) {
  if (IsShipped(scenario) || IsText(scenario)) return scenario;
  Scenario found = Find(scenario);
  found.Read();
  return found.SelfContained();
}

}  // namespace dray::cage2
