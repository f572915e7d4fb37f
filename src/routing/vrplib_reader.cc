#include "src/routing/vrplib_reader.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

namespace dray {
namespace {

constexpr int kMostNodes = 10'000;

const std::vector<std::string> kKeywords = {"NAME",
                                            "COMMENT",
                                            "TYPE",
                                            "DIMENSION",
                                            "CAPACITY",
                                            "VEHICLES",
                                            "DISTANCE",
                                            "SERVICE_TIME",
                                            "EDGE_WEIGHT_TYPE",
                                            "EDGE_WEIGHT_FORMAT",
                                            "EOF",
                                            "NODE_COORD_TYPE",
                                            "DISPLAY_DATA_TYPE"};
const std::vector<std::string> kSections = {
    "NODE_COORD_SECTION",  "DEMAND_SECTION",       "TIME_WINDOW_SECTION", "DEPOT_SECTION",
    "EDGE_WEIGHT_SECTION", "SERVICE_TIME_SECTION", "DISPLAY_DATA_SECTION"};

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Word {
  std::string_view text;
  int line = 0;
};

struct Section {
  int line = 0;
  std::vector<TextLine> lines;

  std::vector<Word> AllWords() const {
    std::vector<Word> words;
    for (const TextLine& line : lines) {
      for (const std::string_view text : Words(line.text)) words.push_back({text, line.number});
    }
    return words;
  }
};

class Parser {
 public:
  explicit Parser(const TextFile& file) : file_(file) {}

  Instance Parse() {
    Split();
    dimension_ = Header("DIMENSION");
    if (dimension_ < 2 || dimension_ > kMostNodes) {
      throw file_.Wrong(headers_["DIMENSION"].line, "DIMENSION", "must be from 2 to ", kMostNodes,
                        ", found ", dimension_, "; it counts the depot and the customers");
    }
    ReadDepot();
    ReadFleet();
    ReadRows();
    ReadWindows();
    ReadService();
    ReadTravel();
    return std::move(instance_);
  }

 private:
  // Sorts the lines into headers and sections.
  void Split() {
    Section* section = nullptr;
    for (const TextLine& line : file_.lines()) {
      if (!std::isalpha(static_cast<unsigned char>(line.text[0]))) {
        if (section == nullptr) {
          throw file_.Wrong(line.number, "keyword", "expected KEYWORD : VALUE, found ",
                            Quoted(line.text), "; numbers come after the name of their section");
        }
        section->lines.push_back(line);
        continue;
      }
      const std::string key(line.text.substr(0, line.text.find_first_of(": \t")));
      if (key == "EOF") return;
      section = nullptr;
      if (Contains(kSections, key)) {
        section = &sections_[key];
        if (section->line > 0) throw Twice(line.number, key, section->line);
        section->line = line.number;
      } else if (Contains(kKeywords, key)) {
        AddHeader(key, line);
      } else {
        throw file_.Wrong(line.number, Quoted(key), "unknown keyword or section; ",
                          "delete it if the problem is the same without it");
      }
    }
  }

  Error Twice(int line, const std::string& key, int first) const {
    return file_.Wrong(line, key, "is given twice, first in line ", first, "; keep one");
  }

  void AddHeader(const std::string& key, const TextLine& line) {
    const size_t begin = line.text.find_first_not_of(": \t", key.size());
    Word& header = headers_[key];
    if (header.line > 0 && key != "COMMENT") throw Twice(line.number, key, header.line);
    header.line = line.number;
    header.text = begin == std::string_view::npos ? std::string_view() : line.text.substr(begin);
  }

  int Header(const std::string& key) const {
    const auto found = headers_.find(key);
    if (found == headers_.end()) {
      throw file_.Wrong(file_.end(), key, "is missing; add a line ", key, " : NUMBER");
    }
    return file_.Whole(found->second.line, key, found->second.text);
  }

  std::optional<Cell> OptionalHeader(const std::string& key) const {
    const auto found = headers_.find(key);
    if (found == headers_.end()) return {};
    return Cell{file_.Number(found->second.line, key, found->second.text), found->second.line};
  }

  const Section& Required(const std::string& name) const {
    const auto found = sections_.find(name);
    if (found == sections_.end()) {
      throw file_.Wrong(file_.end(), name,
                        "the section is missing; add it, or use the complete file");
    }
    return found->second;
  }

  // Reads a section of lines `node value ...` and returns the values by node, counted from 0.
  std::vector<std::vector<Cell>> ByNode(const std::string& name, size_t columns) const {
    const Section& section = Required(name);
    std::vector<std::vector<Cell>> nodes(dimension_);
    for (const TextLine& line : section.lines) {
      const std::vector<std::string_view> words = Words(line.text);
      if (words.size() != columns + 1) {
        throw file_.Wrong(line.number, name, "expected a node and ", columns,
                          columns == 1 ? " number" : " numbers", ", found ", Quoted(line.text),
                          "; the line may be cut short");
      }
      const int node = Node(line.number, name, words[0]);
      if (!nodes[node].empty()) {
        throw file_.Wrong(line.number, name, "node ", node + 1, " is given twice, first in line ",
                          nodes[node][0].line, "; keep one");
      }
      for (size_t i = 1; i <= columns; ++i) {
        nodes[node].push_back({file_.Number(line.number, name, words[i]), line.number});
      }
    }
    for (int node = 0; node < dimension_; ++node) {
      if (!nodes[node].empty()) continue;
      throw file_.Wrong(section.line, name, "node ", node + 1, " of ", dimension_,
                        " is missing; the section may be cut short");
    }
    return nodes;
  }

  int Node(int line, const std::string& field, std::string_view word) const {
    const int node = file_.Whole(line, field, word);
    if (node < 1 || node > dimension_) {
      throw file_.Wrong(line, field, "there is no node ", node, "; DIMENSION says 1 to ",
                        dimension_);
    }
    return node - 1;
  }

  void ReadDepot() {
    const Section& section = Required("DEPOT_SECTION");
    const std::vector<Word> words = section.AllWords();
    const bool ended = words.size() == 2 && words[1].text == "-1";
    if (words.size() != 1 && !ended) {
      throw file_.Wrong(section.line, "DEPOT_SECTION", "expected one depot and then -1, found ",
                        words.size(), " numbers; only problems with one depot are supported");
    }
    const int depot = Node(words[0].line, "DEPOT_SECTION", words[0].text);
    order_ = {depot};
    for (int node = 0; node < dimension_; ++node) {
      if (node != depot) order_.push_back(node);
    }
  }

  void ReadFleet() {
    instance_.name = headers_.contains("NAME")
                         ? std::string(headers_["NAME"].text)
                         : std::filesystem::path(file_.path()).stem().string();
    instance_.names = {.number = "DEMAND_SECTION",
                       .coordinates = "NODE_COORD_SECTION",
                       .demand = "DEMAND_SECTION",
                       .opens = "TIME_WINDOW_SECTION",
                       .closes = "TIME_WINDOW_SECTION",
                       .service = "SERVICE_TIME_SECTION",
                       .capacity = "CAPACITY",
                       .vehicles = "VEHICLES",
                       .pickup = "",
                       .delivery = ""};
    instance_.renumber = -1;
    const double capacity = Header("CAPACITY");
    instance_.capacity = Cell{capacity, headers_["CAPACITY"].line};
    if (headers_.contains("VEHICLES")) {
      const double vehicles = Header("VEHICLES");
      instance_.vehicles = Cell{vehicles, headers_["VEHICLES"].line};
    }
  }

  void ReadRows() {
    const auto demands = ByNode("DEMAND_SECTION", 1);
    for (const int node : order_) {
      const Cell& demand = demands[node][0];
      if (demand.value != static_cast<int>(std::clamp(demand.value, -1e9, 1e9))) {
        throw file_.Wrong(demand.line, "DEMAND_SECTION", "expected a whole number, found ",
                          demand.value, "; round it, or use a finer unit");
      }
      Instance::Row row;
      row.line = row.service.line = row.opens.line = row.closes.line = demand.line;
      row.number = node + 1;
      row.demand = demand;
      instance_.rows.push_back(row);
    }
  }

  void ReadWindows() {
    instance_.has_windows = sections_.contains("TIME_WINDOW_SECTION");
    instance_.longest_route = OptionalHeader("DISTANCE");
    if (!instance_.has_windows) return;
    if (instance_.longest_route) {
      throw file_.Wrong(instance_.longest_route->line, "DISTANCE",
                        "a longest route together with time windows is not supported; remove one");
    }
    const auto windows = ByNode("TIME_WINDOW_SECTION", 2);
    for (size_t i = 0; i < order_.size(); ++i) {
      instance_.rows[i].opens = windows[order_[i]][0];
      instance_.rows[i].closes = windows[order_[i]][1];
    }
  }

  void ReadService() {
    if (sections_.contains("SERVICE_TIME_SECTION")) {
      const auto services = ByNode("SERVICE_TIME_SECTION", 1);
      for (size_t i = 0; i < order_.size(); ++i) instance_.rows[i].service = services[order_[i]][0];
    } else if (const std::optional<Cell> service = OptionalHeader("SERVICE_TIME")) {
      instance_.names.service = "SERVICE_TIME";
      for (size_t i = 1; i < order_.size(); ++i) instance_.rows[i].service = *service;
    }
  }

  void ReadTravel() {
    const auto found = headers_.find("EDGE_WEIGHT_TYPE");
    if (found == headers_.end()) {
      throw file_.Wrong(file_.end(), "EDGE_WEIGHT_TYPE", "is missing; write EUC_2D or EXPLICIT");
    }
    const std::string_view type = found->second.text;
    const bool euclidean = type == "EUC_2D" || type == "EXACT_2D";
    if (type == "EXPLICIT") {
      ReadMatrix();
    } else if (!euclidean) {
      throw file_.Wrong(found->second.line, "EDGE_WEIGHT_TYPE",
                        "only EUC_2D, EXACT_2D and EXPLICIT are supported, found ", Quoted(type),
                        "; write the matrix out as EXPLICIT");
    }
    instance_.has_points = euclidean;
    for (const char* name : {"NODE_COORD_SECTION", "DISPLAY_DATA_SECTION"}) {
      if (sections_.contains(name)) instance_.has_points = true;
    }
    if (!instance_.has_points) return;
    const bool display = !euclidean && !sections_.contains("NODE_COORD_SECTION");
    const auto points = ByNode(display ? "DISPLAY_DATA_SECTION" : "NODE_COORD_SECTION", 2);
    for (size_t i = 0; i < order_.size(); ++i) {
      instance_.rows[i].x = points[order_[i]][0];
      instance_.rows[i].y = points[order_[i]][1];
    }
  }

  void ReadMatrix() {
    const auto found = headers_.find("EDGE_WEIGHT_FORMAT");
    const std::string_view format = found == headers_.end() ? "" : found->second.text;
    if (format != "FULL_MATRIX" && format != "LOWER_ROW") {
      throw file_.Wrong(found == headers_.end() ? file_.end() : found->second.line,
                        "EDGE_WEIGHT_FORMAT",
                        "only FULL_MATRIX and LOWER_ROW are supported, found ", Quoted(format),
                        "; write the whole matrix as FULL_MATRIX");
    }
    const bool full = format == "FULL_MATRIX";
    const Section& section = Required("EDGE_WEIGHT_SECTION");
    const std::vector<Word> words = section.AllWords();
    const size_t n = dimension_;
    const size_t expected = full ? n * n : n * (n - 1) / 2;
    if (words.size() != expected) {
      throw file_.Wrong(section.line, "EDGE_WEIGHT_SECTION", "expected ", expected, " numbers for ",
                        n, " nodes, found ", words.size(), "; the section may be cut short");
    }
    instance_.matrix.emplace(n * n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t j = 0; j < n; ++j) {
        const size_t from = order_[i];
        const size_t to = order_[j];
        if (from == to && !full) continue;
        const size_t low = std::min(from, to);
        const size_t high = std::max(from, to);
        const Word& word = words[full ? from * n + to : high * (high - 1) / 2 + low];
        const double weight = file_.Number(word.line, "EDGE_WEIGHT_SECTION", word.text);
        // Nobody drives from a place to itself, and some matrices say 9999 there.
        (*instance_.matrix)[i * n + j] = {from == to ? 0 : weight, word.line};
      }
    }
  }

  const TextFile& file_;
  std::map<std::string, Word> headers_;
  std::map<std::string, Section> sections_;
  int dimension_ = 0;
  std::vector<int> order_;  // nodes counted from 0, the depot first
  Instance instance_;
};

}  // namespace

Instance ParseVrplib(const TextFile& file) { return Parser(file).Parse(); }

}  // namespace dray
