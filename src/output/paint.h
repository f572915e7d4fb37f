#pragma once

#include <string>
#include <string_view>

#include "src/base/error.h"

namespace dray {

// Colours text with escape codes if `colours` is set; otherwise leaves it plain.
class Paint {
 public:
  explicit Paint(bool colours) : colours_(colours) {}

  std::string Strong(std::string_view text) const { return Wrap("1", text); }
  std::string Faint(std::string_view text) const { return Wrap("2", text); }
  std::string Good(std::string_view text) const { return Wrap("32", text); }
  std::string Warning(std::string_view text) const { return Wrap("33", text); }

 private:
  std::string Wrap(std::string_view code, std::string_view text) const {
    return colours_ ? Cat("\x1b[", code, "m", text, "\x1b[0m") : std::string(text);
  }
  bool colours_;
};

}  // namespace dray
