// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "base/mapped_file.hpp"
#include "puzzle/metric.hpp"
#include "puzzle/size.hpp"

namespace tessera {

/// What a table holds. The number is stored in the file.
enum class TableKind : std::uint8_t {
  additive = 1,
  fringe = 2,
  lines = 3,
  automaton = 4,
  aware = 5,
  walking = 6,
  escapes = 7
};

/// Empty for a number that is no kind.
[[nodiscard]] std::string to_string(TableKind kind);

/// Identifies a table: all of it is stored in the file and determines the file's name.
struct TableKey {
  TableKind kind = TableKind::additive;
  Size size;
  Metric metric = Metric::single;
  /// additive, aware, fringe: the tiles by home cell; lines: the coloring; automaton: its depth
  std::uint64_t homes = 0;
  std::uint64_t blank = 0;  ///< where the blank may end

  auto operator<=>(const TableKey&) const = default;
};

/// "additive-4x4-f7-1.pdb"
[[nodiscard]] std::string file_name(const TableKey& key);

/// A table, mapped from its file, so that the processes of a host share it. The file:
///
///     offset 0     magic "TESSERAT", version (u32), kind, width, height, metric (u8 each)
///            16    homes, blank, payload bytes, XXH3 of the payload (u64 each)
///            48    XXH3 of the bytes before, then zeros
///          4096    the payload, page-aligned
///
/// Integers are little-endian.
class Table {
 public:
  static constexpr std::uint32_t version = 1;
  static constexpr std::size_t payload_offset = 4096;

  /// Maps the file and verifies it, including the payload's checksum. Throws Error(corrupt) if it
  /// is damaged, or of a version or kind that this program does not know.
  explicit Table(const std::filesystem::path& path);

  [[nodiscard]] const TableKey& key() const { return key_; }
  [[nodiscard]] std::span<const std::uint8_t> payload() const {
    return file_.bytes().subspan(payload_offset);
  }
  [[nodiscard]] const std::uint8_t* data() const { return payload().data(); }
  [[nodiscard]] std::size_t bytes() const { return payload().size(); }
  [[nodiscard]] bool is_unchanged() const { return file_.is_unchanged(); }

  /// Writes a table into a folder under its name, atomically.
  static void write(const std::filesystem::path& folder, const TableKey& key,
                    std::span<const std::uint8_t> payload);

 private:
  MappedFile file_;
  TableKey key_;
};

}  // namespace tessera
