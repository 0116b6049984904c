// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

namespace tessera {

/// All files that are mapped now (MappedFile). A file that is replaced by renaming another stays as
/// it was for who has it mapped; one that is overwritten in place changes there too, and to read
/// what was cut off ends the process by SIGBUS.

/// A mapped file whose size or time of modification is no longer that at its opening: to be asked
/// before a result that such files led to is reported as proved.
[[nodiscard]] std::optional<std::filesystem::path> overwritten_mapped_file();

/// The path of the mapped file that holds this address, or null: for a handler of SIGBUS, so it
/// takes no lock and no memory. Of more than 512 mapped files the last are not known.
[[nodiscard]] const char* mapped_path_at(const void* address);

}  // namespace tessera
