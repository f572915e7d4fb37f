#include "src/config/yaml_loader.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "src/base/error.h"
#include "src/base/file.h"
#include "src/base/nearest_name.h"
#include "src/config/fields.h"
#include "src/config/former_settings.h"
#include "src/config/user_path.h"
#include "src/config/yaml_document.h"
#include "src/config/yaml_value.h"

namespace dray {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Source of a YAML value: a file with lines, or a flag as the user typed it.
struct Source {
  std::string name;
  bool has_lines = false;

  std::string At(const YAML::Node& node) const {
    return has_lines ? Cat(name, ":", node.Mark().line + 1) : name;
  }
};

// Returns the text unchanged unless it would break a message's line.
std::string KeyText(const std::string& key) {
  const auto breaks = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  if (key.size() <= 80 && std::ranges::none_of(key, breaks)) return key;
  return QuotedText(key.size() <= 80 ? key : key.substr(0, 77) + "...");
}

std::string Below(const std::string& path, const std::string& key) {
  return path.empty() ? KeyText(key) : path + "." + KeyText(key);
}

Error UnknownKey(const std::string& where, const std::string& path, const std::string& key,
                 const Descriptor& here, const Descriptor& root) {
  const std::string begin = Cat(where, ": ", path, ": unknown key; ");
  std::vector<std::string> known;
  for (const FieldDescriptor* field : FieldsOf(here)) known.push_back(field->name());
  const std::vector<std::string> elsewhere = PathsNamed(root, key);
  if (!elsewhere.empty()) return UsageError(begin, "did you mean ", JoinWithOr(elsewhere), "?");
  const std::string near = NearestName(key, known);
  if (!near.empty()) return UsageError(begin, "did you mean ", near, "?");
  if (known.size() > 12) return UsageError(begin, "see configs/REFERENCE.md for all keys");
  return UsageError(begin, "known here: ", JoinWithOr(known));
}

// Loads one document into a message.
class Walk {
 public:
  Walk(const Source& source, const Descriptor& root) : source_(source), root_(root) {}

  void Group(const YAML::Node& node, const std::string& path, Message* message) const {
    if (node.IsNull()) return;
    if (!node.IsMap()) {
      throw UsageError(source_.At(node), ": ", path.empty() ? "" : path + ": ",
                       "expected settings written as `key: value`, found ", FoundText(node));
    }
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const YAML::Node& key = entry.first;
      if (!key.IsScalar()) {
        throw UsageError(source_.At(key), ": ", path.empty() ? "" : path + ": ",
                         "a key must be a plain name, found ", FoundText(key));
      }
      const std::string name = key.Scalar();
      if (!seen.insert(name).second) {
        throw UsageError(source_.At(key), ": ", Below(path, name),
                         ": given twice in this file; keep one of the two");
      }
      if (path.empty() && name == "include") continue;
      Field(name, entry.second, source_.At(key), Below(path, name), message);
    }
  }

  void Field(const std::string& name, const YAML::Node& value, const std::string& where,
             const std::string& path, Message* message) const {
    const FieldDescriptor* field = FindField(*message->GetDescriptor(), name);
    if (field == nullptr) throw UnknownKey(where, path, name, *message->GetDescriptor(), root_);
    // A flag that sets a top-level field already contains its name.
    const bool named = !source_.has_lines && field->name() == path;
    if (!IsGroup(*field)) {
      return SetValue(value, named ? where : Cat(where, ": ", path), *field, message);
    }
    DRAY_CHECK(!field->is_repeated());
    Group(value, path, message->GetReflection()->MutableMessage(message, field));
  }

 private:
  const Source& source_;
  const Descriptor& root_;
};

std::string Canonical(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::weakly_canonical(path, ignored).string();
}

// Reads files depth first; `chain_` holds the files being read, outermost first.
class Loader {
 public:
  Loader(Message* message, Includes includes) : message_(message), includes_(includes) {}

  void File(const std::string& path, const std::string& included_at) {
    const std::string begin = included_at.empty() ? "" : included_at + ": include: ";
    const std::string canonical = Canonical(path);
    const bool cycle = std::any_of(chain_.begin(), chain_.end(), [&](const std::string& outer) {
      return Canonical(outer) == canonical;
    });
    if (cycle) {
      throw UsageError(begin, path, " is included by itself (", Chain(path),
                       "); remove one of these includes");
    }
    Text(Read(path, begin), path);
  }

  void Text(const std::string& text, const std::string& path) {
    const Source source{path, /*has_lines=*/true};
    const YAML::Node document = ParseYaml(text, path, /*with_line=*/true);
    chain_.push_back(path);
    if (document.IsMap()) {
      for (const auto& entry : document) {
        if (entry.first.IsScalar() && entry.first.Scalar() == "include") {
          Include(entry.second, source.At(entry.first), path);
        }
      }
    }
    Walk(source, *message_->GetDescriptor()).Group(document, "", message_);
    chain_.pop_back();
  }

 private:
  std::string Read(const std::string& path, const std::string& begin) const {
    try {
      return ReadFile(path);
    } catch (const Error& error) {
      const std::string chain = chain_.empty() ? "" : " (" + Chain(path) + ")";
      throw UsageError(begin, error.what(), chain,
                       begin.empty() ? "; give an existing file with --config"
                                     : "; give a file relative to this one, or a preset's name");
    }
  }

  void Include(const YAML::Node& value, const std::string& at, const std::string& includer) {
    if (includes_ == Includes::kRefused) {
      throw UsageError(at, ": include: only a settings file can include others");
    }
    std::vector<YAML::Node> names;
    if (value.IsSequence()) {
      for (size_t i = 0; i < value.size(); ++i) names.push_back(value[i]);
    } else {
      names.push_back(value);
    }
    for (const YAML::Node& name : names) {
      if (!name.IsScalar() || name.Scalar().empty()) {
        throw UsageError(at, ": include: expected a file name or a list of them, found ",
                         FoundText(name));
      }
      const std::string& named = name.Scalar();
      const auto file = (std::filesystem::path(includer).parent_path() / named).lexically_normal();
      const bool bare = named.find_first_of("/.") == named.npos && !std::filesystem::exists(file);
      const std::string preset = bare ? FindFileOrBareName(named, "configs") : "";
      File(preset.empty() ? file.string() : preset, at);
    }
  }

  std::string Chain(const std::string& last) const {
    std::string text;
    for (const std::string& file : chain_) text += file + " -> ";
    return text + last;
  }

  Message* message_;
  Includes includes_;
  std::vector<std::string> chain_;
};

}  // namespace

void LoadYamlFile(const std::string& path, Message* message) {
  Loader(message, Includes::kAllowed).File(path, "");
  MoveFormerSettings(path, message);
}

void LoadYamlText(const std::string& text, const std::string& name, Message* message,
                  Includes includes) {
  Loader(message, includes).Text(text, name);
  MoveFormerSettings(name, message);
}

void SetPath(const YAML::Node& value, const std::string& where, const std::string& path,
             Message* message) {
  const Source source{where, /*has_lines=*/false};
  const Walk walk(source, *message->GetDescriptor());
  const std::vector<std::string> names = SplitPath(path);
  Message* group = message;
  std::string so_far;
  for (size_t i = 0; i + 1 < names.size(); ++i) {
    so_far = Below(so_far, names[i]);
    const FieldDescriptor* field = FindField(*group->GetDescriptor(), names[i]);
    if (field == nullptr) {
      throw UnknownKey(where, so_far, names[i], *group->GetDescriptor(), *message->GetDescriptor());
    }
    if (!IsGroup(*field)) {
      throw UsageError(where, ": ", so_far, ": is ", ExpectedText(*field),
                       " and has no keys below it");
    }
    group = group->GetReflection()->MutableMessage(group, field);
  }
  walk.Field(names.back(), value, where, path, group);
  MoveFormerSettings(where, message);
}

}  // namespace dray
