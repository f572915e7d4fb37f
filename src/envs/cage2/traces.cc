#include "src/envs/cage2/traces.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/envs/cage2/blue_actions.h"

namespace dray::cage2 {
namespace {

constexpr std::array<std::string_view, 6> kShortNames = {"SLEEP", "DRS", "DNS", "EXP", "PE", "IMP"};
constexpr int kMostSteps = 1'000'000;

constexpr std::array<std::string_view, 14> kNeeded = {
    "trace",       "red",     "green",    "step",        "blue_action", "red_action", "red_target",
    "red_success", "exploit", "detected", "esc_session", "green_scan",  "reward",     "obs_hex"};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

// A line of the file, with values by column name.
class Row {
 public:
  Row(const std::map<std::string_view, size_t>& columns, std::vector<std::string_view> values,
      const Network& network)
      : network(network), columns_(columns), values_(std::move(values)) {}

  // Network of the recorded game.
  const Network& network;

  // Returns an empty string if the file has no such column.
  std::string_view Text(std::string_view column) const {
    const auto found = columns_.find(column);
    return found == columns_.end() ? std::string_view{} : values_[found->second];
  }

  int Whole(std::string_view column, int least, int most) const {
    int value = 0;
    if (!Reads(Text(column), value) || value < least || value > most)
      throw Bad(column, Cat("a whole number from ", least, " to ", most));
    return value;
  }

  // Returns -1 if the value is empty.
  int8_t WholeOrNone(std::string_view column, int most) const {
    return Text(column).empty() ? int8_t{-1} : static_cast<int8_t>(Whole(column, 0, most));
  }

  double Real(std::string_view column) const {
    double value = 0;
    if (!Reads(Text(column), value)) throw Bad(column, "a number");
    return value;
  }

  uint64_t Hex(std::string_view column, int bits) const {
    uint64_t value = 0;
    if (!Reads(Text(column), value, 16) || (bits < 64 && value >> bits != 0))
      throw Bad(column, Cat("a hexadecimal number of ", bits, " bits"));
    return value;
  }

  Error Bad(std::string_view column, const std::string& expected) const {
    return UsageError("column ", column, ": expected ", expected, ", found '", Text(column), "'");
  }

 private:
  template <typename Number, typename... Base>
  static bool Reads(std::string_view text, Number& value, Base... base) {
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value, base...);
    return error == std::errc() && stopped == end;
  }

  const std::map<std::string_view, size_t>& columns_;
  std::vector<std::string_view> values_;
};

RedAction RedActionIn(const Row& row) {
  const auto found = std::find(kShortNames.begin(), kShortNames.end(), row.Text("red_action"));
  if (found == kShortNames.end()) throw row.Bad("red_action", "DRS, DNS, EXP, PE, IMP or SLEEP");
  return Enumerator<RedAction>(found - kShortNames.begin());
}

int8_t TargetIn(const Row& row, RedAction action) {
  const std::string_view name = row.Text("red_target");
  if (name.empty()) return kNoHost;
  if (action == RedAction::kDiscoverSystems) return Index(SubnetNamed(name, row.network));
  return HostNamed(name, row.network);
}

PortMask PortsIn(const Row& row) {
  PortMask ports = 0;
  if (row.Text("red_ports").empty()) return ports;
  for (const std::string_view text : Split(row.Text("red_ports"), '.')) {
    int port = 0;
    const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    const bool whole = error == std::errc() && stopped == text.data() + text.size();
    const PortMask bit = PortBitIn(row.network, port);
    if (!whole || bit == 0) throw row.Bad("red_ports", "ports of the game, such as 22.80");
    ports |= bit;
  }
  return ports;
}

uint64_t ObservationIn(const Row& row) {
  const int digits = row.network.hosts;
  if (std::ssize(row.Text("obs_hex")) != digits)
    throw row.Bad("obs_hex", Cat(digits, " hexadecimal digits"));
  return row.Hex("obs_hex", 4 * digits);
}

TraceStep StepIn(const Row& row) {
  TraceStep step;
  step.step = row.Whole("step", 1, kMostSteps);
  step.blue_action = row.Whole("blue_action", 0, row.network.blue_actions() - 1);
  step.reward = row.Real("reward");
  StepRecord& record = step.record;
  record.observation = ObservationIn(row);
  record.red_action = RedActionIn(row);
  record.red_target = TargetIn(row, record.red_action);
  record.red_success = row.Whole("red_success", 0, 1) == 1;
  if (!row.Text("exploit").empty()) record.exploit = ExploitNamed(row.Text("exploit"));
  record.detected = row.WholeOrNone("detected", 1);
  record.escalated_session = row.WholeOrNone("esc_session", 100);
  if (!row.Text("green_scan").empty())
    record.green_scan = HostNamed(row.Text("green_scan"), row.network);
  record.remembered_ports = PortsIn(row);
  if (!row.Text("cand_mask").empty()) record.candidates = row.Hex("cand_mask", row.network.hosts);
  return step;
}

Trace TraceOf(const Row& row) {
  return {.name = std::string(row.Text("trace")),
          .red = RedAgentNamed(row.Text("red")),
          .green = row.Whole("green", 0, 1) == 1,
          .steps = {}};
}

// Adds a row to its episode. Step 0, step 1 after other steps, or another name begins an episode.
void Append(const Row& row, int line, std::vector<Trace>& traces) {
  const int number = row.Whole("step", 0, kMostSteps);
  const bool same = !traces.empty() && traces.back().name == row.Text("trace");
  const bool begins = number == 0 || !same || (number == 1 && !traces.back().steps.empty());
  if (begins) traces.push_back(TraceOf(row));
  Trace& trace = traces.back();
  if (RedAgentNamed(row.Text("red")) != trace.red || row.Whole("green", 0, 1) != trace.green)
    throw UsageError("red or green changes within an episode");
  if (number == 0) {
    trace.reset_line = line;
    trace.reset_observation = ObservationIn(row);
    return;
  }
  const int expected = trace.steps.empty() ? 1 : trace.steps.back().step + 1;
  if (number != expected)
    throw row.Bad("step", Cat(expected, ", as the steps of an episode follow each other"));
  trace.steps.push_back(StepIn(row));
  trace.steps.back().line = line;
}

std::map<std::string_view, size_t> ColumnsIn(const std::vector<std::string_view>& header) {
  std::map<std::string_view, size_t> columns;
  for (size_t i = 0; i < header.size(); ++i) {
    if (!columns.emplace(header[i], i).second)
      throw UsageError("column ", header[i], " appears twice");
  }
  for (const std::string_view name : kNeeded) {
    if (!columns.contains(name))
      throw UsageError("no column named ", name, "; the first line names the columns");
  }
  return columns;
}

std::string_view Stripped(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace

TraceFile ParseTraces(std::string_view text, const std::string& what, const Network& network) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  TraceFile file;
  const std::vector<std::string_view> lines = Split(text, '\n');
  int line = 1;
  try {
    const auto columns = ColumnsIn(Split(Stripped(lines.front()), ','));
    file.has_remembered_ports = columns.contains("red_ports");
    file.has_candidates = columns.contains("cand_mask");
    for (line = 2; line <= std::ssize(lines); ++line) {
      const std::string_view content = Stripped(lines[line - 1]);
      if (content.empty()) continue;
      std::vector<std::string_view> values = Split(content, ',');
      if (values.size() != columns.size())
        throw UsageError("expected ", columns.size(), " values, found ", values.size());
      Append(Row(columns, std::move(values), network), line, file.traces);
    }
  } catch (const Error& error) {
    throw Error(error.kind(), Cat(what, ":", line, ": ", error.what()));
  }
  if (file.traces.empty()) throw UsageError(what, ": contains no episodes");
  return file;
}

TraceFile ReadTraces(const std::string& path, const Network& network) {
  return ParseTraces(ReadFile(path), path, network);
}

std::string_view ShortName(RedAction action) { return kShortNames[Index(action)]; }

std::string_view TargetName(const StepRecord& record, const Network& network) {
  if (record.red_target == kNoHost) return "";
  if (record.red_action == RedAction::kDiscoverSystems)
    return network.subnet_names[record.red_target];
  return network.names[record.red_target];
}

}  // namespace dray::cage2
