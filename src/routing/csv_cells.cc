#include "src/routing/csv_cells.h"

#include <algorithm>

namespace dray {
namespace {

constexpr std::string_view kBlanksButTab = " \r\f\v";

// A tab next to a comma is a blank around it.
bool BesideComma(std::string_view line, size_t at) {
  const size_t before = line.find_last_not_of(kBlanks, at);
  const size_t after = line.find_first_not_of(kBlanks, at);
  return (before != std::string_view::npos && line[before] == ',') ||
         (after != std::string_view::npos && line[after] == ',');
}

char SeparatorOf(std::string_view line) {
  bool quoted = false;
  bool tabs = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (line[i] == ';') return ';';
    if (line[i] == '\t' && !BesideComma(line, i)) tabs = true;
  }
  return tabs ? '\t' : ',';
}

const char* NameOf(char separator) {
  return separator == ',' ? "commas" : separator == ';' ? "semicolons" : "tabs";
}

}  // namespace

CsvCells::CsvCells(const TextFile& file)
    : file_(file), separator_(file.lines().empty() ? ',' : SeparatorOf(file.lines()[0].text)) {
  for (const TextLine& line : file.lines()) {
    for (std::string_view rest = line.text; !rest.empty();) {
      const size_t length = Utf8Length(rest);
      if (length == 0) {
        throw file.Wrong(line.number, "format", "the text is not UTF-8, perhaps Latin-1 or ",
                         "Windows-1252; save it as UTF-8, or convert it: iconv -f WINDOWS-1252 -t ",
                         "UTF-8 FILE > NEW_FILE");
      }
      rest.remove_prefix(length);
    }
  }
}

std::vector<std::string> CsvCells::Split(const TextLine& line) const {
  const bool tabs = separator_ == '\t';
  const std::string_view blanks = tabs ? kBlanksButTab : kBlanks;
  // A tab at either end follows or precedes an empty value.
  const std::string_view text = tabs ? line.whole : line.text;
  std::vector<std::string> cells;
  size_t at = 0;
  while (true) {
    at = std::min(text.find_first_not_of(blanks, at), text.size());
    std::string& cell = cells.emplace_back();
    if (at < text.size() && text[at] == '"') {
      const auto wrong = [&](const char* what) {
        return file_.Wrong(line.number, "quotes", what, " in value ", cells.size(),
                           "; write \"a value\" within one line, and \"\" for a quote in it");
      };
      for (++at;; ++at) {
        if (at == text.size()) throw wrong("a quote is not closed");
        if (text[at] == '"' && text.substr(at + 1, 1) != "\"") break;
        if (text[at] == '"') ++at;
        cell += text[at];
      }
      at = std::min(text.find_first_not_of(blanks, at + 1), text.size());
      if (at < text.size() && text[at] != separator_) throw wrong("text follows a closing quote");
    } else {
      const size_t end = std::min(text.find(separator_, at), text.size());
      const std::string_view bare = text.substr(at, end - at);
      cell = bare.substr(0, bare.find_last_not_of(blanks) + 1);
      at = end;
    }
    if (at == text.size()) return cells;
    ++at;
  }
}

std::string CsvCells::OtherSeparator(const TextLine& line, size_t expected) const {
  for (const char other : {',', ';', '\t'}) {
    const size_t values = std::ranges::count(line.whole, other) + 1;
    if (other == separator_ || expected < 2 || values != expected) continue;
    return Cat("this line has ", NameOf(other), " between the values, the first line has ",
               NameOf(separator_), "; use the same in the whole file");
  }
  return "";
}

std::string CsvCells::WithPoint(std::string_view cell) const {
  std::string text(cell);
  if (separator_ != ',' && std::ranges::count(text, ',') == 1 &&
      text.find('.') == std::string::npos) {
    text[text.find(',')] = '.';
  }
  return text;
}

double CsvCells::Number(int line, std::string_view field, std::string_view cell) const {
  return file_.Number(line, field, WithPoint(cell));
}

int CsvCells::Whole(int line, std::string_view field, std::string_view cell) const {
  return file_.Whole(line, field, WithPoint(cell));
}

bool AllEmpty(const std::vector<std::string>& cells) {
  return std::ranges::all_of(cells, &std::string::empty);
}

}  // namespace dray
