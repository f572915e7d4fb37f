#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace dray {

// The flags of a command that has no config: a table, from which its arguments are read and its
// help is printed.
struct CommandFlag {
  std::string name;   // without the dashes
  std::string value;  // what stands for the value in the help; empty: takes none
  std::string help;
  // Takes the value; `typed` is the flag as written.
  std::function<void(const std::string& typed, const std::string& value)> take;
};

// "--flag value" and "--flag=value". A mistake is an Error of one line.
void ReadFlags(std::span<const CommandFlag> flags, std::span<const std::string> arguments);
// Whether --help is among them: then nothing else is looked at.
bool AsksForHelp(std::span<const std::string> arguments);
// One line per flag.
std::string FlagsHelp(std::span<const CommandFlag> flags);

// The value of a flag, or an Error that names the flag and says what is expected.
int WholeNumber(const std::string& typed, const std::string& text, int least, int most);
uint64_t AnySeed(const std::string& typed, const std::string& text);
double RealNumber(const std::string& typed, const std::string& text, double above, double most);
std::string OneOf(const std::string& typed, const std::string& text,
                  const std::vector<std::string>& choices);

}  // namespace dray
