#include "src/base/installation.h"

#include <cstdlib>
#include <filesystem>

namespace dray {

std::string InstalledFolder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error || program.parent_path().filename() != "bin") return "";
  const std::filesystem::path folder = program.parent_path().parent_path();
  return std::filesystem::is_directory(folder / "configs", error) ? folder.string() : "";
}

bool CalledAsDray() { return std::getenv("DRAY_CALLED_AS") != nullptr; }

std::string CommandLine(const std::string& command) {
  if (CalledAsDray()) return "dray " + command;
  const std::string folder = InstalledFolder();
  if (!folder.empty()) return ShellWord(folder + "/bin/" + command);
  return "bazel run //:" + command + " --";
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
