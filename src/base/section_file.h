#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/base/bytes.h"

namespace dray {

// One part of a file.
struct Section {
  enum class Form {
    kNumber,  // 8 bytes: an int64_t or a double
    kBytes,   // any number of bytes
    kList,    // any number of byte strings
  };

  std::string_view name;
  Form form = Form::kBytes;
  // The section was added later: in files that end before it, it reads as 0 or empty.
  bool added_later = false;
};

// A kind of file: a mark, the length and checksum of what follows, and sections in a fixed order.
// The names are not stored in the file.
struct SectionFormat {
  std::string_view mark;  // first bytes of every file
  // Completes "some/path is not": what the file should be, and what to do.
  std::string_view description;
  std::vector<Section> sections;
};

// Writes a file section by section, in the order of the format.
class SectionWriter {
 public:
  explicit SectionWriter(const SectionFormat& format) : format_(format) {}

  template <typename T>
  void PutNumber(std::string_view name, T value) {
    Expect(name, Section::Form::kNumber);
    body_.Put(std::bit_cast<std::array<char, 8>>(value));
  }
  void PutBytes(std::string_view name, std::string_view bytes);
  void PutList(std::string_view name, std::span<const std::string> list);

  // Returns the whole file.
  std::string Finish() const;

 private:
  void Expect(std::string_view name, Section::Form form);

  const SectionFormat& format_;
  size_t written_ = 0;  // sections so far
  ByteWriter body_;
};

// Reads what a SectionWriter wrote. Sections are views into `file`, which must outlive the reader.
class SectionReader {
 public:
  // A file that is truncated, damaged or of another kind is an Error that names `path`.
  SectionReader(const SectionFormat& format, std::string_view file, const std::string& path);

  template <typename T>
  T Number(std::string_view name) const {
    return std::bit_cast<T>(Find(name, Section::Form::kNumber).number);
  }
  std::string_view Bytes(std::string_view name) const;
  const std::vector<std::string_view>& List(std::string_view name) const;

 private:
  struct Content {
    std::array<char, 8> number = {};
    std::vector<std::string_view> strings;  // one, unless the section is a list
  };

  const Content& Find(std::string_view name, Section::Form form) const;

  const SectionFormat& format_;
  std::vector<Content> contents_;  // in the order of format_.sections
};

}  // namespace dray
