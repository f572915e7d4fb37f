#include "src/config/yaml_document.h"

#include <yaml-cpp/eventhandler.h>

#include <sstream>

#include "src/base/error.h"

namespace dray {
namespace {

// Remembers where the last document begins.
class DocumentStarts : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark& mark) override { last_ = mark; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}

  int last_line() const { return last_.line + 1; }

 private:
  YAML::Mark last_;
};

// Some parser messages end with a character of the text, which may be a line break.
std::string Printable(std::string message) {
  for (char& c : message) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return message;
}

}  // namespace

YAML::Node ParseYaml(const std::string& text, const std::string& name, bool with_line) {
  const auto at = [&](int line) { return with_line ? Cat(name, ":", line) : name; };
  try {
    // YAML::Load ignores what follows the first document, and YAML::LoadAll never returns for a
    // text that begins with a comma: so look for a second document, and no further.
    std::istringstream in(text);
    YAML::Parser parser(in);
    DocumentStarts starts;
    if (parser.HandleNextDocument(starts) && parser.HandleNextDocument(starts)) {
      throw UsageError(at(starts.last_line()),
                       ": unexpected content; check the indentation and "
                       "keep a single YAML document");
    }
    return YAML::Load(text);
  } catch (const YAML::Exception& error) {
    throw UsageError(at(error.mark.line + 1), ": not valid YAML: ", Printable(error.msg));
  }
}

}  // namespace dray
