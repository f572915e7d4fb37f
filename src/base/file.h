#pragma once

#include <string>
#include <string_view>

#include "src/base/error.h"

namespace dray {

// That a file cannot be written, and what to do: `flag` chooses another folder, `error` is an
// errno.
Error CannotWrite(const std::string& path, int error, std::string_view flag = "--run-dir");

// Opens a file to write to, making it if need be: `flags` are further ones of open(2). An Error
// when it cannot be opened or is no regular file (a pipe, a device); a pipe is never waited for.
int OpenToWrite(const std::string& path, int flags, std::string_view flag = "--run-dir");

// The whole file, or an Error that says why not. What is no file (a folder, a pipe, a device) is
// refused, and never waited for.
std::string ReadFile(const std::string& path);

// Replaces `path` so that a reader, or a machine that loses power, finds the old file or the new
// one, never a part: written aside, synced, renamed. On an error (a full disk, a read-only folder)
// the old file stays.
void WriteFileAtomically(const std::string& path, std::string_view bytes,
                         std::string_view flag = "--run-dir");

// Makes the folder and its parents; an Error when it cannot be made or written to.
void MakeWritableFolder(const std::string& path, std::string_view flag = "--run-dir");

}  // namespace dray
