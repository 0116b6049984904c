// SPDX-License-Identifier: MIT
#include "pdb/table.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"

namespace tessera {
namespace {

constexpr std::array<char, 8> magic{'T', 'E', 'S', 'S', 'E', 'R', 'A', 'T'};

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint8_t kind;
  std::uint8_t width;
  std::uint8_t height;
  std::uint8_t metric;
  std::uint64_t homes;
  std::uint64_t blank;
  std::uint64_t payload_bytes;
  std::uint64_t payload_hash;
  std::uint64_t header_hash;
};
static_assert(sizeof(Header) == 56);

std::uint64_t hash_of(const Header& header) {
  return XXH3_64bits(&header, offsetof(Header, header_hash));
}

[[noreturn]] void corrupt(const std::filesystem::path& path, const std::string& what) {
  // Other files are the user's own.
  const bool is_ours = path.extension() == ".pdb";
  bad_file(path.string() + ": " + what + (is_ours ? "; delete it and it will be built again" : ""));
}

}  // namespace

std::string to_string(TableKind kind) {
  constexpr const char* names[] = {"",          "additive", "fringe",  "lines",
                                   "automaton", "aware",    "walking", "escapes"};
  const auto number = static_cast<std::size_t>(kind);
  return number < std::size(names) ? names[number] : "";
}

std::string file_name(const TableKey& key) {
  return to_string(key.kind) + "-" + to_string(key.size) + "-" + hexadecimal(key.homes) + "-" +
         hexadecimal(key.blank) + ".pdb";
}

Table::Table(const std::filesystem::path& path) : file_(path) {
  const std::span<const std::uint8_t> bytes = file_.bytes();
  Header header{};
  const auto head = std::as_bytes(bytes.first(std::min(bytes.size(), sizeof header)));
  std::ranges::copy(head, std::as_writable_bytes(std::span(&header, 1)).begin());
  if (header.magic != magic) corrupt(path, "is not a table of tessera");
  if (bytes.size() < payload_offset) corrupt(path, "the table is truncated");
  if (header.version != version) {
    corrupt(path, "the table is of format " + std::to_string(header.version) + ", expected " +
                      std::to_string(version));
  }
  const auto padding = bytes.first(payload_offset).subspan(sizeof header);
  if (header.header_hash != hash_of(header) ||
      !std::ranges::all_of(padding, [](std::uint8_t byte) { return byte == 0; })) {
    corrupt(path, "the table's head is damaged");
  }
  key_ = {static_cast<TableKind>(header.kind),
          {header.width, header.height},
          static_cast<Metric>(header.metric),
          header.homes,
          header.blank};
  if (to_string(key_.kind).empty() || key_.size.cells() > Size::max_cells || header.metric > 1) {
    corrupt(path, "the table is of an unknown kind, size or metric");
  }
  if (bytes.size() - payload_offset != header.payload_bytes) {
    corrupt(path, "the table has " + std::to_string(bytes.size() - payload_offset) +
                      " bytes, expected " + std::to_string(header.payload_bytes));
  }
  if (XXH3_64bits(payload().data(), payload().size()) != header.payload_hash) {
    corrupt(path, "the table is damaged, its checksum differs");
  }
}

void Table::write(const std::filesystem::path& folder, const TableKey& key,
                  std::span<const std::uint8_t> payload) {
  Header header{.magic = magic,
                .version = version,
                .kind = static_cast<std::uint8_t>(key.kind),
                .width = static_cast<std::uint8_t>(key.size.width),
                .height = static_cast<std::uint8_t>(key.size.height),
                .metric = static_cast<std::uint8_t>(key.metric),
                .homes = key.homes,
                .blank = key.blank,
                .payload_bytes = payload.size(),
                .payload_hash = XXH3_64bits(payload.data(), payload.size()),
                .header_hash = 0};
  header.header_hash = hash_of(header);
  std::vector<std::uint8_t> head(payload_offset);
  std::memcpy(head.data(), &header, sizeof header);
  const std::array<std::span<const std::uint8_t>, 2> parts{std::span<const std::uint8_t>(head),
                                                           payload};
  write_atomically(folder / file_name(key), parts);
}

}  // namespace tessera
