#pragma once

#include <string>
#include <vector>

namespace dray {

// The one place of the number: commands, run folders and the Python package have it from here.
inline constexpr char kVersion[] = "0.9.0";

// The folder with bin/ and configs/ that this program runs from, when it is an installed one; empty
// when it is one of Bazel's.
std::string InstalledFolder();

// Whether the program `dray` of the Python package called this one.
bool CalledAsDray();

// How the user would call another command of Dray: "dray evaluate" where the Python package did so,
// by its path in an installed folder, else "bazel run //:evaluate --".
std::string CommandLine(const std::string& command);

// How the user would call a program of the Python environment, such as tensorboard: by its name
// where the PATH has it, else by its path; empty when it is not installed.
std::string ToolLine(const std::string& tool);

// The words that start a command of `dray` that is Python's, as a process: by the interpreter that
// DRAY_PYTHON names (in a clone that of its virtual environment), else by python3.
std::vector<std::string> PythonCommand(const std::string& command);

// A text as a shell takes it for one word.
std::string ShellWord(const std::string& text);

}  // namespace dray
