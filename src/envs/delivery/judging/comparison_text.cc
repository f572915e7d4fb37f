#include "src/envs/delivery/judging/comparison_text.h"

#include "src/base/error.h"

namespace dray::delivery {

std::string Joined(std::span<const double> values, int decimals) {
  std::string text;
  for (const double value : values) {
    text += Cat(text.empty() ? "" : " / ", Printed("%.*f", decimals, value));
  }
  return text;
}

std::string TitledText(const std::string& title, const std::vector<TextRow>& table) {
  return Cat(title, "\n\n", AlignedTable(table));
}

std::string TitledMarkdown(const std::string& title, const std::vector<TextRow>& table) {
  return Cat(title, ".\n\n", MarkdownTable(table));
}

}  // namespace dray::delivery
