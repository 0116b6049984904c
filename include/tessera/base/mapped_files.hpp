// SPDX-License-Identifier: MIT
#pragma once

namespace tessera {

/// All files that are mapped now (MappedFile). A file that is replaced by renaming another stays as
/// it was for who has it mapped; one that is overwritten in place changes there too, and to read
/// what was cut off ends the process by SIGBUS.

/// Throws Error(corrupt) with the path where a file's size or time of modification is no longer
/// that at its opening: to be called by each process whose mapped files led to a result, before it
/// is given to anyone.
void expect_unchanged_mapped_files();

/// The path of the mapped file that holds this address, or null: for a handler of SIGBUS, so it
/// takes no lock and no memory. Of more than 512 mapped files the last are not known.
[[nodiscard]] const char* mapped_path_at(const void* address);

}  // namespace tessera
