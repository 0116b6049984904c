// SPDX-License-Identifier: MIT
#include "tessera/model/work_record.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "tessera/base/error.hpp"
#include "tessera/base/file.hpp"
#include "tessera/base/json_object.hpp"
#include "tessera/puzzle/board_file.hpp"

namespace tessera {
namespace {

constexpr std::string_view schema = "tessera.record/1";
constexpr std::size_t hash_bytes = 8;

constexpr std::pair<const char*, std::string WorkRecord::*> text_fields[] = {
    {"id", &WorkRecord::id},         {"size", &WorkRecord::size},
    {"board", &WorkRecord::board},   {"goal", &WorkRecord::goal},
    {"metric", &WorkRecord::metric}, {"heuristic", &WorkRecord::heuristic}};

using Bytes = std::vector<std::uint8_t>;

Bytes packed(const WorkTree& tree) {
  Bytes bytes;
  bytes.reserve(tree.nodes.size() * 7);
  for (const WorkNode& node : tree.nodes) {
    bytes.push_back(node.children);
    bytes.push_back(node.rise);
    bytes.push_back(static_cast<std::uint8_t>(node.move));
    bytes.push_back(node.steps);
    std::uint64_t cost = node.expanded;
    for (; cost >= 0x80; cost >>= 7) bytes.push_back(static_cast<std::uint8_t>(cost | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(cost));
  }
  return bytes;
}

// Throws what is wrong, for the caller to name the file.
WorkTree unpacked(std::span<const std::uint8_t> bytes, std::size_t count, int bound) {
  const auto damaged = [] {
    throw Error(ErrorKind::corrupt, "an iteration's nodes do not add up");
  };
  WorkTree tree{bound, {}};
  if (count == 0 || count > bytes.size()) damaged();
  tree.nodes.reserve(count);
  std::uint64_t children = 1;
  std::size_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (at + 5 > bytes.size()) damaged();
    WorkNode node;
    node.children = bytes[at];
    node.rise = bytes[at + 1];
    node.move = static_cast<char>(bytes[at + 2]);
    node.steps = bytes[at + 3];
    at += 4;
    for (unsigned shift = 0;; shift += 7) {
      if (at == bytes.size() || shift > 63) damaged();
      const std::uint8_t byte = bytes[at++];
      node.expanded |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (i >= children) damaged();  // each but the root has a parent before it
    node.first_child = static_cast<std::uint32_t>(children);
    children += node.children;
    tree.nodes.push_back(node);
  }
  if (children != count || at != bytes.size()) damaged();
  return tree;
}

std::array<std::uint8_t, hash_bytes> as_bytes(std::uint64_t hash) {
  std::array<std::uint8_t, hash_bytes> bytes{};
  for (std::size_t i = 0; i < hash_bytes; ++i) bytes[i] = static_cast<std::uint8_t>(hash >> 8 * i);
  return bytes;
}

WorkRecord parsed(std::span<const std::uint8_t> bytes, const std::string& name) {
  const auto newline = std::find(bytes.begin(), bytes.end(), std::uint8_t{'\n'});
  const auto json = nlohmann::json::parse(bytes.begin(), newline, nullptr, false);
  // The key comes first, so that a record that was cut off is known for what it was.
  const std::string begins = R"({"schema":")" + std::string(schema);
  const bool is_record =
      bytes.size() >= begins.size() && std::equal(begins.begin(), begins.end(), bytes.begin());
  if (is_record && !json.is_object()) throw Error(ErrorKind::corrupt, "it is damaged or cut off");
  if (!is_record) {
    bad_input(name + ": no record of a search, expected a file that solve --record wrote");
  }
  const auto header = static_cast<std::size_t>(newline - bytes.begin()) + 1;
  if (bytes.size() < header + hash_bytes) throw Error(ErrorKind::corrupt, "it is cut off");
  const auto body = bytes.first(bytes.size() - hash_bytes);
  const auto hash = as_bytes(XXH3_64bits(body.data(), body.size()));
  if (!std::equal(hash.begin(), hash.end(), bytes.last(hash_bytes).begin())) {
    throw Error(ErrorKind::corrupt, "its checksum differs: it is damaged or cut off");
  }
  WorkRecord record;
  for (const auto& [key, field] : text_fields) record.*field = json.at(key);
  record.rate = json.at("expanded_per_second");
  record.grain = json.at("grain");
  std::size_t at = header;
  for (const auto& iteration : json.at("iterations")) {
    const std::size_t size = iteration.at("bytes");
    if (size > body.size() - at) throw Error(ErrorKind::corrupt, "it is cut off");
    record.iterations.push_back(
        unpacked(body.subspan(at, size), iteration.at("nodes"), iteration.at("bound")));
    at += size;
  }
  if (record.iterations.empty() || record.rate <= 0) {
    throw Error(ErrorKind::corrupt, "it holds no iteration");
  }
  return record;
}

}  // namespace

void write_record(const std::filesystem::path& path, const WorkRecord& record) {
  nlohmann::ordered_json json;
  json["schema"] = schema;
  for (const auto& [key, field] : text_fields) json[key] = record.*field;
  json["expanded_per_second"] = record.rate;
  json["grain"] = record.grain;
  auto iterations = nlohmann::ordered_json::array();
  std::vector<Bytes> parts(1);
  for (const WorkTree& tree : record.iterations) {
    parts.push_back(packed(tree));
    iterations.push_back({{"bound", tree.bound},
                          {"expanded", tree.nodes.front().expanded},
                          {"nodes", tree.nodes.size()},
                          {"bytes", parts.back().size()}});
  }
  json["iterations"] = std::move(iterations);
  const std::string line = to_line(json) + "\n";
  parts[0].assign(line.begin(), line.end());
  XXH3_state_t state;
  XXH3_64bits_reset(&state);
  std::vector<std::span<const std::uint8_t>> spans;
  for (const Bytes& part : parts) {
    XXH3_64bits_update(&state, part.data(), part.size());
    spans.emplace_back(part);
  }
  const auto hash = as_bytes(XXH3_64bits_digest(&state));
  spans.emplace_back(hash);
  write_atomically(path, spans);
}

WorkRecord read_record(const std::filesystem::path& path) {
  const std::string name = file_name(path.string());
  const std::string text = read_text_file(path.string());
  try {
    return parsed({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt) throw;
    throw Error(ErrorKind::corrupt, name + ": " + error.what());
  } catch (const nlohmann::json::exception&) {
    throw Error(ErrorKind::corrupt, name + ": its first line lacks what every record has");
  }
}

}  // namespace tessera
