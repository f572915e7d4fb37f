// Orders of past days, and lines of waves that `waves_serve` answers.

#include <sstream>
#include <string>

#include "src/base/error.h"
#include "src/base/json.h"
#include "src/envs/waves/orders.h"
#include "src/envs/waves/serving/wave_lines.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/target.h"

namespace dray::fuzz {
namespace {

constexpr char kPlaces[] = "place,lat,lon\na,52.52,13.405\nb,52.565,13.405\nc,52.52,13.48\n";

waves::Instance Parsed(const std::string& orders) {
  return waves::ParseOrders(
      {.orders = {"fuzz.csv", orders}, .places = {"p", kPlaces}, .travel = {}}, {});
}

}  // namespace

// Rows of the table, a day for each with its epochs, and the buffer of a line.
size_t MostMemory(size_t bytes) { return Times(1000, bytes) + (4 << 20); }

void Read(std::string_view bytes) {
  const size_t choice = TakeChoice(bytes, 2);
  const std::string text(bytes);
  if (choice == 0) {
    waves::WithWholeDay(Parsed(text));
    return;
  }
  static const auto instance = std::make_shared<const waves::Instance>(
      waves::WithWholeDay(Parsed("ordered,place,opens,closes\n08:10,b,10:00,12:00\n")));
  waves::Dispatcher dispatcher(instance, waves::MakePolicy("greedy"), {.rounds = 2}, /*seed=*/1);
  waves::WaveLines lines(&dispatcher);
  std::istringstream in(text);
  std::ostringstream out;
  lines.AnswerAll(in, out);
  std::istringstream answers(out.str());
  for (std::string answer; std::getline(answers, answer);) {
    DRAY_CHECK(ParsedJson(answer).is_object());
  }
}

}  // namespace dray::fuzz
