#include "src/base/installation.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace dray {
namespace {

namespace fs = std::filesystem;

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool IsProgram(const fs::path& path) {
  return ::access(path.c_str(), X_OK) == 0 && !fs::is_directory(path);
}

// Returns the folder with the Python package: the one that DRAY_PYTHON_MODULES names, else the
// first that contains it. Bazel puts it next to a test and, later, next to a program;
// scripts/build_without_bazel.sh links it beside its programs; bundles and wheels have it beside or
// around bin/.
std::string ModulesFolder() {
  const std::string named = Variable("DRAY_PYTHON_MODULES");
  if (!named.empty()) return named;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path folder = program.parent_path();
  const std::string beside = program.string() + ".runfiles/dray/src/python";
  for (const fs::path& place :
       {fs::path(Variable("RUNFILES_DIR")) / "dray/src/python", fs::path(beside), folder / "python",
        folder / "../python", folder / "../.."}) {
    if (fs::exists(place / "dray/command.py", ignored)) return place.lexically_normal().string();
  }
  return beside;
}

}  // namespace

std::string InstalledFolder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (error || program.parent_path().filename() != "bin") return "";
  const fs::path folder = program.parent_path().parent_path();
  return fs::is_directory(folder / "configs", error) ? folder.string() : "";
}

bool CalledAsDray() { return std::getenv("DRAY_CALLED_AS") != nullptr; }

std::string CommandLine(const std::string& command) {
  if (CalledAsDray()) return "dray " + command;
  const std::string folder = InstalledFolder();
  if (!folder.empty()) return ShellWord(folder + "/bin/" + command);
  return "bazel run //:" + command + " --";
}

std::string ToolLine(const std::string& tool) {
  const std::string python = Variable("DRAY_PYTHON");
  const fs::path scripts = python.empty() ? fs::path() : fs::path(python).parent_path();
  std::stringstream path(Variable("PATH"));
  for (std::string folder; std::getline(path, folder, ':');) {
    // `dray` adds this folder for its programs; the user's own PATH may lack it.
    if (CalledAsDray() && folder == scripts) continue;
    if (!folder.empty() && IsProgram(fs::path(folder) / tool)) return tool;
  }
  if (!scripts.empty() && IsProgram(scripts / tool)) return ShellWord(scripts / tool);
  const std::string repository = Variable("BUILD_WORKSPACE_DIRECTORY");
  const fs::path own = fs::path(repository) / ".venv/bin" / tool;
  if (!IsProgram(own)) return "";
  const bool here = repository == Variable("BUILD_WORKING_DIRECTORY");
  return ShellWord(here ? ".venv/bin/" + tool : own.string());
}

std::vector<std::string> PythonCommand(const std::string& command) {
  const std::string python = Variable("DRAY_PYTHON"), before = Variable("PYTHONPATH");
  const std::string workspace = Variable("BUILD_WORKSPACE_DIRECTORY");
  if (python.empty() && !workspace.empty()) return {workspace + "/scripts/dray.sh", command};
  const std::string modules = ModulesFolder() + (before.empty() ? "" : ":" + before);
  return {"env", "PYTHONPATH=" + modules, python.empty() ? "python3" : python,
          "-m",  "dray.command",          command};
}

bool KnowsItsPython() {
  return !Variable("DRAY_PYTHON").empty() || !Variable("BUILD_WORKSPACE_DIRECTORY").empty() ||
         !InstalledFolder().empty();
}

std::string ShellWord(const std::string& text) {
  constexpr char kPlain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_";
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
  std::string word = "'";
  for (const char sign : text) word += sign == '\'' ? std::string("'\\''") : std::string(1, sign);
  return word + "'";
}

}  // namespace dray
