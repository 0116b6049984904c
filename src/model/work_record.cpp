// SPDX-License-Identifier: MIT
#include "model/work_record.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/json_object.hpp"
#include "puzzle/board_file.hpp"

namespace tessera {
namespace {

constexpr std::string_view schema = "tessera.record/1";
constexpr std::size_t hash_bytes = 8;
constexpr int most_bound = std::numeric_limits<std::int16_t>::max();  // SimulatedNode::slack
constexpr double least_rate = 1e-3;
constexpr double most_rate = 1e12;

constexpr std::pair<const char*, std::string WorkRecord::*> text_fields[] = {
    {"id", &WorkRecord::id},         {"size", &WorkRecord::size},
    {"board", &WorkRecord::board},   {"goal", &WorkRecord::goal},
    {"metric", &WorkRecord::metric}, {"heuristic", &WorkRecord::heuristic}};

using Bytes = std::vector<std::uint8_t>;

void append(Bytes& bytes, const WorkTree& tree) {
  for (const WorkNode& node : tree.nodes) {
    const auto move = static_cast<std::uint8_t>(node.move);
    bytes.insert(bytes.end(), {node.children, node.rise, move, node.steps});
    std::uint64_t cost = node.expanded;
    for (; cost >= 0x80; cost >>= 7) bytes.push_back(static_cast<std::uint8_t>(cost | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(cost));
  }
}

// These functions throw what is wrong; the caller adds the file name. The checksum detects damage,
// but not a forged record.
[[noreturn]] void damaged() {
  bad_file("an iteration's nodes do not add up");
}

// The simulation relies on it: a node costs one more than its children together.
void expect_consistent(const WorkTree& tree) {
  if (tree.nodes[0].expanded == 0) damaged();
  std::vector<int> risen(tree.nodes.size());  // from the root's f
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const WorkNode& node = tree.nodes[i];
    if (node.children == 0) continue;
    if (node.expanded == 0) damaged();
    std::uint64_t left = node.expanded - 1;
    for (std::size_t c = node.first_child; c < std::size_t{node.first_child} + node.children; ++c) {
      if (tree.nodes[c].expanded > left) damaged();
      left -= tree.nodes[c].expanded;
      risen[c] = risen[i] + tree.nodes[c].rise;
      if (risen[c] > most_bound) damaged();
    }
    if (left != 0) damaged();
  }
}

WorkTree unpacked(std::span<const std::uint8_t> bytes, std::size_t count, int bound) {
  WorkTree tree{bound, {}};
  if (count == 0) damaged();
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
    if (i >= children) damaged();  // each node but the root has an earlier parent
    node.first_child = static_cast<std::uint32_t>(children);
    children += node.children;
    tree.nodes.push_back(node);
  }
  if (children != count || at != bytes.size()) damaged();
  expect_consistent(tree);
  return tree;
}

std::uint64_t whole_number(const nlohmann::json& json, const char* key, std::uint64_t most) {
  const auto& value = json.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) {
    bad_file(std::string(key) + " is " + shown(value) + ", expected a whole number of at most " +
             std::to_string(most));
  }
  return value;
}

static_assert(std::endian::native == std::endian::little);
std::array<std::uint8_t, hash_bytes> hash_of(std::span<const std::uint8_t> bytes) {
  return std::bit_cast<std::array<std::uint8_t, hash_bytes>>(
      XXH3_64bits(bytes.data(), bytes.size()));
}

WorkRecord parsed(std::string_view text, const std::string& name) {
  const std::size_t header = std::min(text.find('\n'), text.size() - 1) + 1;
  const auto json = nlohmann::json::parse(text.substr(0, header), nullptr, false);
  // The schema comes first, so that a truncated record is still recognized.
  if (!text.starts_with(R"({"schema":")" + std::string(schema))) {
    bad_input(name + ": no record of a search, expected a file that solve --record wrote");
  }
  if (!json.is_object()) bad_file("it is damaged or cut off");
  if (text.size() < header + hash_bytes) bad_file("it is cut off");
  const std::span bytes = raw_bytes(text);
  const auto body = bytes.first(bytes.size() - hash_bytes);
  if (!std::ranges::equal(hash_of(body), bytes.last(hash_bytes))) {
    bad_file("its checksum differs: it is damaged or cut off");
  }
  WorkRecord record;
  for (const auto& [key, field] : text_fields) {
    record.*field = json.at(key);
    if (std::ranges::any_of(record.*field, [](unsigned char c) { return c < 0x20; })) {
      bad_file(std::string(key) + " holds control characters");
    }
  }
  record.rate = json.at("expanded_per_second");
  if (record.rate < least_rate || record.rate > most_rate) {
    bad_file("expanded_per_second is " + shown(json.at("expanded_per_second")) +
             ", expected 0.001 to 1e12");
  }
  record.grain = whole_number(json, "grain", std::numeric_limits<std::uint64_t>::max());
  std::size_t at = header;
  for (const auto& iteration : json.at("iterations")) {
    const std::size_t size = whole_number(iteration, "bytes", body.size() - at);
    const std::size_t nodes = whole_number(iteration, "nodes", size);
    const auto bound = static_cast<int>(whole_number(iteration, "bound", most_bound));
    record.iterations.push_back(unpacked(body.subspan(at, size), nodes, bound));
    at += size;
  }
  if (record.iterations.empty()) bad_file("it holds no iteration");
  return record;
}

}  // namespace

void write_record(const std::filesystem::path& path, const WorkRecord& record) {
  nlohmann::ordered_json json;
  json["schema"] = schema;
  for (const auto& [key, field] : text_fields) json[key] = record.*field;
  json["expanded_per_second"] = record.rate;
  json["grain"] = record.grain;
  json["iterations"] = nlohmann::ordered_json::array();
  Bytes trees;
  for (const WorkTree& tree : record.iterations) {
    const std::size_t before = trees.size();
    append(trees, tree);
    json["iterations"].push_back({{"bound", tree.bound},
                                  {"expanded", tree.nodes.front().expanded},
                                  {"nodes", tree.nodes.size()},
                                  {"bytes", trees.size() - before}});
  }
  const std::string line = to_line(json) + "\n";
  trees.insert(trees.begin(), line.begin(), line.end());
  const auto hash = hash_of(trees);
  write_atomically(path, std::array<std::span<const std::uint8_t>, 2>{trees, hash});
}

WorkRecord read_record(const std::filesystem::path& path) {
  const std::string name = file_name(path.string());
  const std::string text = read_text_file(path.string());
  try {
    return parsed(text, name);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt) throw;
    bad_file(name + ": " + error.what());
  } catch (const nlohmann::json::exception&) {
    bad_file(name + ": its first line lacks what every record has");
  }
}

}  // namespace tessera
