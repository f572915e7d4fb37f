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

// Lists the bare names of the files in a folder, sorted.
std::vector<std::string> BareNames(const std::string& folder, const std::string& suffix) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() == suffix) names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

// Returns the first candidate that exists: relative to the user's folder, to the workspace root, or
// where Dray is installed.
std::string FindInProject(const std::string& path) {
  for (const std::string& candidate :
       {UserPath(path), From(Variable("BUILD_WORKSPACE_DIRECTORY"), path),
        From(InstalledFolder(), path)}) {
    if (IsFile(candidate)) return candidate;
  }
  return "";
}

// Returns a folder of the project: in the workspace, where Dray is installed, or the user's.
std::string ProjectFolder(const std::string& name) {
  const std::string workspace = Variable("BUILD_WORKSPACE_DIRECTORY");
  const std::string root = workspace.empty() ? InstalledFolder() : workspace;
  return root.empty() ? UserPath(name) : From(root, name);
}

// Throws the Error for a name that a folder of the project does not have; it lists those it has.
[[noreturn]] void RefuseName(const std::string& flag, const std::string& name,
                             const std::string& project_folder, const std::string& suffix,
                             const std::string& remedy) {
  const std::string folder = ProjectFolder(project_folder);
  const std::vector<std::string> known = BareNames(folder, suffix);
  if (known.empty()) {
    throw UsageError(flag, " ", name, ": no such file, and none in ", fs::absolute(folder).string(),
                     "; run this in the project's folder", remedy);
  }
  const std::string near = NearestName(fs::path(name).stem().string(), known);
  std::string list;
  for (const std::string& each : known) list += (list.empty() ? "" : ", ") + each;
  throw UsageError(flag, " ", name, ": no such file; ",
                   near.empty() ? "" : Cat("did you mean ", near, "? "), folder, " has ", list);
}

}  // namespace

std::string UserPath(const std::string& path) {
  return From(Variable("BUILD_WORKING_DIRECTORY"), path);
}

std::string FindFileOrBareName(const std::string& name, const std::string& folder) {
  for (const std::string& candidate :
       {UserPath(name), From(Variable("BUILD_WORKSPACE_DIRECTORY"), name)}) {
    if (IsFile(candidate)) return candidate;
  }
  return FindInProject(folder + "/" + name + ".yaml");
}

std::string FindConfigFile(const std::string& name) {
  const std::string found = FindFileOrBareName(name, "configs");
  if (!found.empty()) return found;
  RefuseName("--config", name, "configs", ".yaml", " or give the path of a YAML file");
}

std::vector<std::string> ConfigNames() { return BareNames(ProjectFolder("configs"), ".yaml"); }

std::string FindPretrained(const std::string& name) {
  const std::string folder = "configs/pretrained";
  const std::string found = FindInProject(folder + "/" + name + ".ckpt");
  if (!found.empty()) return found;
  RefuseName("--pretrained", name, folder, ".ckpt", "");
}

}  // namespace dray
