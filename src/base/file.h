#pragma once

#include <string>
#include <string_view>

#include "src/base/error.h"

namespace dray {

// Returns the Error for a file that cannot be written. `flag` is the option that chooses another
// folder; `error` is an errno.
Error CannotWrite(const std::string& path, int error, std::string_view flag = "--run-dir");

// Opens a file for writing and creates it if needed; `flags` are added to those of open(2). Throws
// an Error if the file cannot be opened or is not a regular file (a pipe, a device). Never blocks
// on a pipe.
int OpenToWrite(const std::string& path, int flags, std::string_view flag = "--run-dir");

// Returns the contents of a file, or throws an Error that says why it cannot. Rejects anything but
// a regular file (a folder, a pipe, a device) and never blocks on it.
std::string ReadFile(const std::string& path);

// Replaces `path` atomically: a reader, or a machine that loses power, finds the old file or the
// new one, never a part. Writes a temporary file, syncs and renames it. On an error (full disk,
// read-only folder) the old file stays.
void WriteFileAtomically(const std::string& path, std::string_view bytes,
                         std::string_view flag = "--run-dir");

// Creates the folder and its parents. Throws an Error if it cannot be created or written to.
void MakeWritableFolder(const std::string& path, std::string_view flag = "--run-dir");

}  // namespace dray
