#include "src/base/section_file.h"

#include <algorithm>

#include "src/base/error.h"

namespace dray {
namespace {

Error OtherFormat(const SectionFormat& format, std::string_view file, const std::string& path) {
  const std::string_view mark = format.mark, found = file.substr(0, mark.size());
  const char current = mark.back(), other = found.size() == mark.size() ? found.back() : '\0';
  if (other < '0' || other > '9' || !found.starts_with(mark.substr(0, mark.size() - 1))) {
    return Failure(path, " is not ", format.description);
  }
  return Failure(path, " was written by ", other < current ? "an older" : "a newer",
                 " version of Dray (format ", other, "; this one reads format ", current,
                 "): use it with that version");
}

// Returns the part of a file after its mark, length and checksum.
std::string_view CheckedBody(const SectionFormat& format, std::string_view file,
                             const std::string& path) {
  if (!file.starts_with(format.mark)) throw OtherFormat(format, file, path);
  file.remove_prefix(format.mark.size());
  ByteReader header(file, path);
  const auto size = header.Get<uint64_t>();
  const auto checksum = header.Get<uint32_t>();
  file.remove_prefix(sizeof(size) + sizeof(checksum));
  if (file.size() != size) {
    throw Failure(path, " is truncated: ", file.size(), " of ", size, " bytes are there");
  }
  if (Crc32c(file) != checksum) throw Failure(path, " is damaged: its checksum does not match");
  return file;
}

}  // namespace

void SectionWriter::Expect(std::string_view name, Section::Form form) {
  DRAY_CHECK_LT(written_, format_.sections.size());
  const Section& section = format_.sections[written_++];
  DRAY_CHECK_EQ(section.name, name);
  DRAY_CHECK(section.form == form);
}

void SectionWriter::PutBytes(std::string_view name, std::string_view bytes) {
  Expect(name, Section::Form::kBytes);
  body_.PutString(bytes);
}

void SectionWriter::PutList(std::string_view name, std::span<const std::string> list) {
  Expect(name, Section::Form::kList);
  body_.Put<uint64_t>(list.size());
  for (const std::string& bytes : list) body_.PutString(bytes);
}

std::string SectionWriter::Finish() const {
  DRAY_CHECK_EQ(written_, format_.sections.size());
  ByteWriter header;
  header.Put<uint64_t>(body_.bytes().size());
  header.Put<uint32_t>(Crc32c(body_.bytes()));
  return std::string(format_.mark) + header.bytes() + body_.bytes();
}

SectionReader::SectionReader(const SectionFormat& format, std::string_view file,
                             const std::string& path)
    : format_(format), contents_(format.sections.size()) {
  ByteReader in(CheckedBody(format, file, path), path);
  for (size_t i = 0; i < contents_.size(); ++i) {
    const Section& section = format.sections[i];
    Content& content = contents_[i];
    const bool missing = section.added_later && in.AtEnd();
    if (section.form == Section::Form::kNumber) {
      if (!missing) content.number = in.Get<std::array<char, 8>>();
      continue;
    }
    const bool list = section.form == Section::Form::kList;
    const uint64_t count = missing ? 0 : list ? in.Get<uint64_t>() : 1;
    for (uint64_t k = 0; k < count; ++k) content.strings.push_back(in.GetView());
    if (missing && !list) content.strings.emplace_back();
  }
  in.ExpectEnd();
}

const SectionReader::Content& SectionReader::Find(std::string_view name, Section::Form form) const {
  const auto found = std::ranges::find(format_.sections, name, &Section::name);
  DRAY_CHECK(found != format_.sections.end() && found->form == form);
  return contents_[found - format_.sections.begin()];
}

std::string_view SectionReader::Bytes(std::string_view name) const {
  return Find(name, Section::Form::kBytes).strings[0];
}

const std::vector<std::string_view>& SectionReader::List(std::string_view name) const {
  return Find(name, Section::Form::kList).strings;
}

}  // namespace dray
