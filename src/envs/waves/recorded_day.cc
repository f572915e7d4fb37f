#include "src/envs/waves/recorded_day.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/json.h"

namespace dray::waves {
namespace {

constexpr int64_t kMostInt = std::numeric_limits<int>::max();

class LineParser {
 public:
  LineParser(const std::string& path, int line) : path_(path), where_(Cat(path, ":", line)) {}

  RecordedDay Parse(std::string_view text) const {
    const Json json = ParsedJson(text);
    if (!json.is_object()) {
      throw UsageError(where_, ": expected a day as a JSON object in one line");
    }
    RecordedDay day{.where = where_,
                    .instance = InstanceOf(json),
                    .seed = SeedOf(json),
                    .cost = {},
                    .epochs = {}};
    if (json.contains("cost")) day.cost = CostOf(json.at("cost"));
    if (!json.contains("epochs") || !json.at("epochs").is_object()) {
      throw Wrong("epochs", "expected an object with the routes of each epoch");
    }
    for (const auto& [epoch, routes] : json.at("epochs").items()) {
      day.epochs[EpochOf(epoch)] = RoutesOf(routes, epoch);
    }
    return day;
  }

 private:
  Error Wrong(std::string_view field, std::string_view text) const {
    return UsageError(where_, ": ", field, ": ", text);
  }

  std::string InstanceOf(const Json& json) const {
    if (!json.contains("instance") || !json.at("instance").is_string()) {
      throw Wrong("instance", "expected the name of a file");
    }
    const std::filesystem::path file = json.at("instance").get<std::string>();
    return (std::filesystem::path(path_).parent_path() / file).string();
  }

  uint64_t SeedOf(const Json& json) const {
    if (!json.contains("seed") || !json.at("seed").is_number_unsigned()) {
      throw Wrong("seed", "expected a whole number, not negative");
    }
    return json.at("seed").get<uint64_t>();
  }

  int64_t CostOf(const Json& cost) const {
    if (!cost.is_number_integer()) throw Wrong("cost", "expected a whole number of seconds");
    return cost.get<int64_t>();
  }

  int EpochOf(const std::string& text) const {
    int epoch = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, epoch);
    if (error != std::errc() || rest != end || epoch < 0) {
      throw Wrong("epochs", Cat("\"", text, "\" is not the number of an epoch"));
    }
    return epoch;
  }

  Routes RoutesOf(const Json& json, const std::string& epoch) const {
    const auto wrong = [&] {
      return Wrong("epochs", Cat("epoch ", epoch, ": expected routes as lists of request numbers"));
    };
    if (!json.is_array()) throw wrong();
    Routes routes;
    for (const Json& row : json) {
      if (!row.is_array()) throw wrong();
      std::vector<int>& route = routes.emplace_back();
      for (const Json& id : row) {
        if (!id.is_number_unsigned() || id.get<uint64_t>() > kMostInt) throw wrong();
        route.push_back(id.get<int>());
      }
    }
    return routes;
  }

  const std::string& path_;
  const std::string where_;
};

}  // namespace

std::vector<RecordedDay> ParseDays(const std::string& path, std::string_view text) {
  std::vector<RecordedDay> days;
  for (int line = 1; !text.empty(); ++line) {
    const std::string_view row = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(row.size() + 1, text.size()));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    days.push_back(LineParser(path, line).Parse(row));
  }
  if (days.empty()) throw UsageError(path, ": has no days; each line is a day");
  return days;
}

std::vector<RecordedDay> ReadDays(const std::string& path) {
  return ParseDays(path, ReadFile(path));
}

std::string LineOf(const Day& day, const std::string& instance) {
  Json epochs = Json::object();
  int epoch = day.instance().first_epoch;
  for (const Routes& routes : day.dispatched()) epochs[std::to_string(epoch++)] = routes;
  return JsonText(
      {{"instance", instance}, {"seed", day.seed()}, {"cost", day.cost()}, {"epochs", epochs}});
}

}  // namespace dray::waves
