#pragma once

#include <string>
#include <vector>

namespace dray {

// The version number. Commands, run folders and the Python package all read it from here.
inline constexpr char kVersion[] = "0.9.0";

// Folder with bin/ and configs/ that this program was installed to; empty if Bazel runs it.
std::string InstalledFolder();

// Returns true if the Python package's `dray` program started this one.
bool CalledAsDray();

// Returns how the user would run another Dray command: "dray evaluate" if started from the Python
// package, the program's path in an installed folder, else "bazel run //:evaluate --".
std::string CommandLine(const std::string& command);

// Returns how the user would run a program of the Python environment, such as tensorboard: its name
// if it is on the PATH, else its path. Empty if it is not installed.
std::string ToolLine(const std::string& tool);

// Returns the words that start a `dray` command implemented in Python as a process, with the
// interpreter named by DRAY_PYTHON (in a clone, that of its virtual environment), else python3.
std::vector<std::string> PythonCommand(const std::string& command);

// Returns true if this process was told, or can tell by its place, which Python belongs to it. An
// actor on a cluster may not know: Ray starts it.
bool KnowsItsPython();

// Quotes text so that a shell reads it as one word.
std::string ShellWord(const std::string& text);

}  // namespace dray
