#pragma once

#include <sys/types.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

namespace dray_ray {

// Lines of key=value that a program printed; a key that comes several times keeps every value.
class KeyValues {
 public:
  void Add(const std::string& line);
  bool Has(const std::string& key) const { return values_.count(key) > 0; }
  // Empty when the program did not say.
  std::string Text(const std::string& key) const;
  double Number(const std::string& key) const;
  std::vector<std::string> All(const std::string& key) const;

 private:
  std::multimap<std::string, std::string> values_;
};

// One of the Python programs in the folder src/python/dray, as a child process without a
// shell.
//
// The child leads a session of its own, so that Ctrl-C at the terminal reaches the driver alone,
// and holds the reading end of a pipe as its standard input: it can tell that the driver has ended,
// however that came about.
class PythonProgram {
 public:
  // Throws std::runtime_error, one line, when there is no interpreter or no such program.
  PythonProgram(const std::string& file, const std::vector<std::string>& arguments);
  PythonProgram(const PythonProgram&) = delete;
  PythonProgram& operator=(const PythonProgram&) = delete;
  // Ends the child if it still runs: closes its standard input, waits `kEndingTime`, then kills its
  // session.
  ~PythonProgram();

  static constexpr std::chrono::seconds kEndingTime{20};

  // Reads lines until one with this key, the end of the child's output, or the time limit; false
  // for the last.
  bool ReadUntil(const std::string& key, std::chrono::seconds limit, KeyValues* values);
  void Tell(const std::string& text);  // on its standard input
  pid_t pid() const { return pid_; }
  int output() const { return output_; }  // the pipe of its standard output, which ends with it
  bool Running();
  // Waits until it has ended, or for this time; returns whether it has.
  bool EndsWithin(std::chrono::seconds limit);

 private:
  pid_t pid_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::string partial_line_;
};

}  // namespace dray_ray
