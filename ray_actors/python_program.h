#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace dray_ray {

// Path of this program.
std::string Executable();

// Returns the folder that contains the Python package: the one that DRAY_PYTHON_MODULES names. Else
// looks next to the test, if Bazel runs one; beside the program, where Bazel puts it later; in the
// folder `python` beside it, where scripts/build_without_bazel.sh links it; in the folder `python`
// beside the `bin` of a bundle; and around the `bin` of an installed package. A one-line
// std::runtime_error if it is nowhere.
std::string PackageFolder();

// Lines of the form key=value printed by a program. A repeated key keeps all its values.
class KeyValues {
 public:
  void Add(const std::string& line);
  bool Has(const std::string& key) const { return values_.count(key) > 0; }
  // Returns "" if the key is missing.
  std::string Text(const std::string& key) const;
  double Number(const std::string& key) const;
  std::vector<std::string> All(const std::string& key) const;

 private:
  std::multimap<std::string, std::string> values_;
};

// Runs a Python program of src/python/dray as a child process, without a shell.
//
// The child has its own session, so that Ctrl-C at the terminal reaches only the driver. Its
// standard input is a pipe, which closes when the driver ends, however that happens.
class PythonProgram {
 public:
  // Throws a one-line std::runtime_error if the interpreter or the program does not exist.
  PythonProgram(const std::string& file, const std::vector<std::string>& arguments);
  PythonProgram(const PythonProgram&) = delete;
  PythonProgram& operator=(const PythonProgram&) = delete;
  // Ends the child if it is still running: closes its standard input, waits `kEndingTime`, then
  // kills it.
  ~PythonProgram();

  static constexpr std::chrono::seconds kEndingTime{20};

  // Reads lines until one has this key, the child's output ends, or the time limit is reached.
  // Returns false if it was the time limit.
  bool ReadUntil(const std::string& key, std::chrono::seconds limit, KeyValues* values);
  // Writes text to the child's standard input.
  void Tell(const std::string& text);
  pid_t pid() const { return pid_; }
  // Returns the pipe from the child's standard output, which closes when the child ends.
  int output() const { return output_; }
  bool Running();
  // Waits up to `limit` for the child to end; returns true if it has.
  bool EndsWithin(std::chrono::seconds limit);

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string partial_line_;
};

}  // namespace dray_ray
