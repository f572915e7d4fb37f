#include "src/config/yaml_value.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "src/base/error.h"
#include "src/base/nearest_name.h"
#include "src/config/fields.h"

namespace dray {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Converts one scalar to the type of a field.
class Scalar {
 public:
  Scalar(const YAML::Node& node, const std::string& where, const FieldDescriptor& field)
      : node_(node), where_(where), field_(field) {}

  bool Bool() const {
    const std::string text = Plain();
    if (text != "true" && text != "false") throw WrongType("");
    return text == "true";
  }

  std::string Text() const {
    if (node_.IsNull()) throw WrongType("; write \"\" for an empty text");
    if (!node_.IsScalar()) throw WrongType("");
    return node_.Scalar();
  }

  const EnumValueDescriptor* Choice() const {
    const std::vector<std::string> choices = AcceptedChoices(*field_.enum_type());
    const std::string text = node_.IsScalar() ? node_.Scalar() : "";
    for (size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] == text) return field_.enum_type()->value(i);
    }
    const std::string near = NearestName(text, Choices(*field_.enum_type()));
    throw WrongType(near.empty() ? "" : "; did you mean " + near + "?");
  }

  template <typename T>
  T Whole() const {
    T value{};
    const std::string text = Unsigned(Plain());
    if (RuleOf(field_).allows_auto() && text == "auto") return 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (rest == end && error == std::errc()) {
      CheckRange(value);
      return value;
    }
    const std::optional<double> number = AsNumber();
    if (!number) throw WrongType("");
    if (*number != std::trunc(*number)) throw WrongType("; drop the fraction");
    if (*number < static_cast<double>(std::numeric_limits<T>::min()) ||
        *number >= static_cast<double>(std::numeric_limits<T>::max())) {
      throw OutOfRange(WidestRange<T>());
    }
    throw WrongType("; write it as " + NumberText(*number));
  }

  template <typename T>
  T Real() const {
    const std::optional<double> number = AsNumber();
    if (!number) throw WrongType("");
    if (!std::isfinite(*number) || std::abs(*number) > std::numeric_limits<T>::max()) {
      throw WrongType("; it must be finite");
    }
    CheckRange(*number);
    return *number;
  }

 private:
  // Returns the text of an unquoted scalar; a quoted one is only text.
  std::string Plain() const {
    if (!node_.IsScalar() || node_.Tag() == "!") throw WrongType("");
    return node_.Scalar();
  }

  static std::string Unsigned(const std::string& text) {
    return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
  }

  // Parses a number; numbers that are not finite become infinity. Returns nothing for other text.
  std::optional<double> AsNumber() const {
    const std::string text = Unsigned(Plain());
    if (text == ".inf" || text == "-.inf" || text == ".nan") return HUGE_VAL;
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (rest != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range || std::isnan(value)) return HUGE_VAL;
    return value;
  }

  void CheckRange(double value) const {
    const Rule& rule = RuleOf(field_);
    const bool low =
        rule.has_min() && (value < rule.min() || (rule.above_min() && value == rule.min()));
    if (low || (rule.has_max() && value > rule.max())) throw OutOfRange(RangeText(field_));
  }

  template <typename T>
  std::string WidestRange() const {
    const std::string declared = RangeText(field_);
    if (RuleOf(field_).has_max()) return declared;
    const std::string limits = Cat("at most ", std::numeric_limits<T>::max());
    if (!declared.empty()) return declared + " and " + limits;
    return Cat("from ", std::numeric_limits<T>::min(), " to ", std::numeric_limits<T>::max());
  }

  Error WrongType(const std::string& remedy) const {
    const bool list = field_.is_repeated();
    return UsageError(where_, ": expected ", ExpectedText(field_),
                      list ? ", found an element " : ", found ", FoundText(node_), remedy);
  }

  Error OutOfRange(const std::string& range) const {
    return UsageError(where_, ": ", node_.Scalar(), " is out of range; it must be ", range);
  }

  const YAML::Node& node_;
  const std::string& where_;
  const FieldDescriptor& field_;
};

void SetScalar(const Scalar& scalar, const FieldDescriptor& field, Message* message) {
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  const auto put = [&](auto set, auto add, auto value) {
    (reflection.*(field.is_repeated() ? add : set))(message, &field, value);
  };
  using R = google::protobuf::Reflection;
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return put(&R::SetBool, &R::AddBool, scalar.Bool());
    case FieldDescriptor::CPPTYPE_INT32:
      return put(&R::SetInt32, &R::AddInt32, scalar.Whole<int32_t>());
    case FieldDescriptor::CPPTYPE_UINT32:
      return put(&R::SetUInt32, &R::AddUInt32, scalar.Whole<uint32_t>());
    case FieldDescriptor::CPPTYPE_INT64:
      return put(&R::SetInt64, &R::AddInt64, scalar.Whole<int64_t>());
    case FieldDescriptor::CPPTYPE_UINT64:
      return put(&R::SetUInt64, &R::AddUInt64, scalar.Whole<uint64_t>());
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return put(&R::SetDouble, &R::AddDouble, scalar.Real<double>());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return put(&R::SetFloat, &R::AddFloat, scalar.Real<float>());
    case FieldDescriptor::CPPTYPE_ENUM:
      return put(&R::SetEnum, &R::AddEnum, scalar.Choice());
    case FieldDescriptor::CPPTYPE_STRING:
      return put(&R::SetString, &R::AddString, scalar.Text());
    case FieldDescriptor::CPPTYPE_MESSAGE:
      break;
  }
  DRAY_CHECK(!IsGroup(field));
}

}  // namespace

void SetValue(const YAML::Node& value, const std::string& where, const FieldDescriptor& field,
              Message* message) {
  if (!field.is_repeated()) return SetScalar(Scalar(value, where, field), field, message);
  if (!value.IsSequence()) {
    throw UsageError(where, ": expected ", ExpectedText(field), ", found ", FoundText(value),
                     "; write it in brackets: [a, b]");
  }
  message->GetReflection()->ClearField(message, &field);
  for (size_t i = 0; i < value.size(); ++i) {
    const YAML::Node element = value[i];
    const std::string element_where = Cat(where, "[", i, "]");
    SetScalar(Scalar(element, element_where, field), field, message);
  }
}

std::string FoundText(const YAML::Node& node) {
  if (!node.IsDefined() || node.IsNull()) return "nothing";
  if (node.IsSequence()) return "a list";
  if (node.IsMap()) return "a group of settings";
  std::string text = node.Scalar();
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return (node.Tag() == "!" ? "the text " : "") + QuotedText(text);
}

}  // namespace dray
