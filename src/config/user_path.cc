#include "src/config/user_path.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

#include "src/base/error.h"
#include "src/base/installation.h"
#include "src/base/nearest_name.h"

namespace dray {
namespace {

namespace fs = std::filesystem;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string From(const std::string& folder, const std::string& path) {
  if (folder.empty() || path.empty()) return path;
  return (fs::path(folder) / path).lexically_normal().string();
}

bool IsFile(const std::string& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

// The bare names of the files in a configs folder, sorted.
std::vector<std::string> ConfigNames(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace

std::string UserPath(const std::string& path) {
  return From(Variable("BUILD_WORKING_DIRECTORY"), path);
}

std::string FindFileOrBareName(const std::string& name, const std::string& folder) {
  const std::string workspace = Variable("BUILD_WORKSPACE_DIRECTORY");
  const std::string bare = folder + "/" + name + ".yaml";
  for (const std::string& candidate : {UserPath(name), From(workspace, name), UserPath(bare),
                                       From(workspace, bare), From(InstalledFolder(), bare)}) {
    if (IsFile(candidate)) return candidate;
  }
  return "";
}

std::string FindConfigFile(const std::string& name) {
  const std::string found = FindFileOrBareName(name, "configs");
  if (!found.empty()) return found;
  const std::string workspace = Variable("BUILD_WORKSPACE_DIRECTORY");
  const std::string root = workspace.empty() ? InstalledFolder() : workspace;
  const std::string folder = root.empty() ? UserPath("configs") : From(root, "configs");
  const std::vector<std::string> known = ConfigNames(folder);
  if (known.empty()) {
    throw UsageError("--config ", name, ": no such file, and no configs in ",
                     fs::absolute(folder).string(),
                     "; start in the project's folder or give the path of a YAML file");
  }
  const std::string near = NearestName(fs::path(name).stem().string(), known);
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
  throw UsageError("--config ", name, ": no such file; ",
                   near.empty() ? "" : Cat("did you mean ", near, "? "), folder, " has ", list);
}

}  // namespace dray
