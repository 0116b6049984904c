// SPDX-License-Identifier: MIT
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "base/error.hpp"
#include "base/journal.hpp"
#include "base/random.hpp"
#include "base/temporary_folder.hpp"
#include "census/census.hpp"
#include "census/disk/block_codec.hpp"
#include "fuzz/target.hpp"
#include "model/work_record.hpp"
#include "pdb/table.hpp"
#include "puzzle/goal.hpp"
#include "search/problem.hpp"
#include "search/record/checkpoint.hpp"

namespace tessera::fuzz {
namespace {

void put(std::string& text, std::size_t offset, std::uint64_t value) {
  if (offset + sizeof value <= text.size()) std::memcpy(text.data() + offset, &value, sizeof value);
}

std::uint64_t hash_of(const std::string& text, std::size_t first, std::size_t length) {
  return XXH3_64bits(text.data() + first, length);
}

std::string hexadecimal(std::uint64_t value, std::size_t digits) {
  std::ostringstream text;
  text << std::hex << value;
  const std::string written = text.str();
  return std::string(digits - std::min(digits, written.size()), '0') + written;
}

// ---- tables

Target table() {
  const TemporaryFolder folder;
  const TableKey key{TableKind::additive, {4, 3}, Metric::single, 0x1e, 0xfe1};
  Table::write(folder.path(), key, std::vector<std::uint8_t>(300, 7));
  return {.name = "table",
          .seeds = {content_of(folder.path() / file_name(key))},
          .parse =
              [](const std::string& input) {
                static const TemporaryFolder files;
                const Table file(files.file("table", input));
                std::uint64_t sum = 0;
                for (const std::uint8_t byte : file.payload()) sum += byte;
                (void)(sum + file_name(file.key()).size());
              },
          .repair =
              [](std::string input) {
                constexpr std::size_t payload = Table::payload_offset;
                if (input.size() < payload) return input;
                put(input, 32, input.size() - payload);
                put(input, 40, hash_of(input, payload, input.size() - payload));
                put(input, 48, hash_of(input, 0, 48));
                return input;
              }};
}

// ---- journals and checkpoints

// Each line gets the checksum of what it now says.
std::string repaired_journal(const std::string& input) {
  std::istringstream lines(input);
  std::string text;
  std::uint64_t checksum = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string record = line.size() > 17 ? line.substr(17) : "";
    checksum = XXH3_64bits_withSeed(record.data(), record.size(), checksum);
    text += hexadecimal(checksum, 16) + " " + record + "\n";
  }
  return text;
}

std::string journal_of(const std::string& kind, const std::vector<std::string>& records) {
  const TemporaryFolder folder;
  {
    Journal journal(folder.path() / "journal", kind);
    journal.append(records, false);
  }
  return content_of(folder.path() / "journal");
}

Target journal() {
  return {.name = "journal",
          .seeds = {journal_of("tessera.test/1", {"one", "two and three", ""})},
          .parse =
              [](const std::string& input) {
                static const TemporaryFolder files;
                std::filesystem::remove(files.path() / "journal");
                {
                  Journal read(files.file("journal", input), "tessera.test/1");
                  read.append({"more"}, false);
                  read.retain([](const Journal::Record& record) { return record.text == "more"; });
                  read.append({"all"}, false);
                }
                std::string again;
                const Journal journal(files.path() / "journal", "tessera.test/1",
                                      [&](const Journal::Record& record) { again += record.text; });
                if (!again.ends_with("moreall")) {
                  throw std::runtime_error("does not come back");
                }
              },
          .repair = repaired_journal};
}

Problem some_problem() {
  return {make_instance(parse_board("1 2 0 3", Size{2, 2}), Goal().board({2, 2})), "manhattan"};
}

Target checkpoint() {
  const TemporaryFolder folder;
  {
    Checkpoint saved(folder.path() / "saved", false, 0);
    saved.begin(0, some_problem());
    IterationReport report;
    report.bound = 1;
    report.counts = {3, 5, 0};
    saved.iteration_finished(report, 3);
    saved.subtrees_finished(3, {{.path = "LU", .counts = {2, 4, 0}, .next_bound = 5, .solved = ""}},
                            0.5);
    saved.close();
  }
  return {.name = "checkpoint",
          .seeds = {content_of(folder.path() / "saved"),
                    journal_of("tessera.checkpoint/1",
                               {"board 0 2x2 1.2.0.3 1.2.3.0 single parent manhattan",
                                "bound 0 1 1 2 1 0.5 0 2147483647", "answer 0 1 1 1 0.5 L"})},
          .parse =
              [](const std::string& input) {
                static const TemporaryFolder files;
                std::filesystem::remove(files.path() / "saved");
                Checkpoint read(files.file("saved", input), true, 0);
                (void)read.heuristic(0);
                read.begin(0, some_problem());
                (void)read.saved();
                if (read.has_answer(0, false)) (void)read.answer();
                read.close();
              },
          .repair = repaired_journal};
}

// ---- records of a search

Target record() {
  const TemporaryFolder folder;
  WorkRecord search;
  search.id = "1";
  search.size = "2x2";
  search.board = "1 2 0 3";
  search.goal = "last";
  search.metric = "single";
  search.heuristic = "manhattan";
  search.rate = 1e6;
  WorkTree tree;
  tree.bound = 5;
  tree.nodes.resize(3);
  tree.nodes[0].children = 2;
  tree.nodes[0].first_child = 1;
  for (auto& node : tree.nodes) node.expanded = 10;
  search.iterations.push_back(tree);
  write_record(folder.path() / "record", search);
  return {.name = "record",
          .seeds = {content_of(folder.path() / "record")},
          .parse =
              [](const std::string& input) {
                static const TemporaryFolder files;
                (void)read_record(files.file("record", input));
              },
          .repair =
              [](std::string input) {
                if (input.size() < 8) return input;
                put(input, input.size() - 8, hash_of(input, 0, input.size() - 8));
                return input;
              }};
}

// ---- blocks of a level

constexpr std::size_t block_words = 3024;

// Form (a byte), count (four), then the block.
std::string block_of(int density) {
  Random random(static_cast<std::uint64_t>(density));
  std::vector<std::uint64_t> words(block_words);
  std::uint32_t count = 0;
  for (std::uint64_t& word : words) {
    for (int bit = 0; bit < 60; ++bit) {
      if (random.below(1000) >= static_cast<std::uint64_t>(density)) continue;
      word |= std::uint64_t{1} << bit;
      ++count;
    }
  }
  std::vector<std::uint8_t> bytes;
  const BlockForm form = encode_block(words, count, bytes);
  std::string block(5, static_cast<char>(form));
  std::memcpy(block.data() + 1, &count, sizeof count);
  return block + std::string(bytes.begin(), bytes.end());
}

Target blocks() {
  return {.name = "blocks",
          .seeds = {block_of(1), block_of(30), block_of(150), block_of(600)},
          .parse = [](const std::string& input) {
            if (input.size() < 5) bad_input("too short");
            std::uint32_t count = 0;
            std::memcpy(&count, input.data() + 1, sizeof count);
            const std::vector<std::uint8_t> bytes(input.begin() + 5, input.end());
            std::vector<std::uint64_t> words(block_words);
            if (!decode_block(static_cast<BlockForm>(input[0] & 15), bytes, count, words)) {
              bad_input("is not a block");
            }
            std::uint64_t set = 0;
            for (const std::uint64_t word : words) {
              if (word >> 60 != 0) throw std::runtime_error("a bit beyond a word's 60");
              set += static_cast<std::uint64_t>(__builtin_popcountll(word));
            }
            if (set != count) throw std::runtime_error("another number of bits");
          }};
}

// ---- checkpoints of a complete search: all files of one in an archive

const CensusTask& small_census() {
  static const CensusTask task = [] {
    CensusTask small;
    small.size = {3, 3};
    small.resume = true;
    small.last_depth = 7;
    return small;
  }();
  return task;
}

CensusResult search(const std::string& folder, int last_depth) {
  CensusTask task = small_census();
  task.checkpoint = folder;
  task.checkpoint_seconds = 0;
  task.last_depth = last_depth;
  Ranks alone;
  CensusObserver nobody;
  const std::atomic<bool> never{false};
  return run_census(task, alone, nobody, never);
}

// "NAME LENGTH\n", then the file, and so on.
std::string archive_of(const TemporaryFolder& folder) {
  std::string archive;
  for (const std::string& name : folder.entries()) {
    const std::string file = content_of(folder.path() / name);
    archive += name + " " + std::to_string(file.size()) + "\n" + file;
  }
  return archive;
}

std::string repaired_manifest(std::string text) {
  const std::size_t end = text.rfind("end ");
  if (end == std::string::npos) return text;
  text.resize(end);
  return text + "end " + hexadecimal(XXH3_64bits(text.data(), end), 1) + "\n";
}

// Manifests, whose checksums are right where `repairs`, and block files.
void unpack(const std::string& archive, const TemporaryFolder& folder, bool repairs) {
  for (std::size_t at = 0; at < archive.size();) {
    const std::size_t line = std::min(archive.find('\n', at), archive.size());
    const std::size_t blank = std::min(archive.rfind(' ', line), line);
    if (blank < at || blank == line) return;
    const std::string name = archive.substr(at, blank - at);
    const std::size_t length = std::strtoull(archive.c_str() + blank, nullptr, 10);
    std::string file = archive.substr(std::min(line + 1, archive.size()), length);
    at = line + 1 + file.size();
    if (name.find_first_of(std::string("/\0", 2)) != std::string::npos || name.size() > 100 ||
        name.empty() || name[0] == '.') {
      continue;
    }
    if (repairs && name.ends_with(".manifest")) file = repaired_manifest(file);
    (void)folder.file(name, file);
  }
}

Target census() {
  const TemporaryFolder folder;
  (void)search(folder.text(), 5);
  static const std::vector<std::uint64_t> widths = search(TemporaryFolder().text(), 7).widths;
  return {.name = "census",
          .seeds = {"0" + archive_of(folder), "1" + archive_of(folder)},
          .parse = [](const std::string& input) {
            const TemporaryFolder files;
            if (input.empty()) bad_input("empty");
            const bool repairs = (input[0] & 1) != 0;
            unpack(input.substr(1), files, repairs);
            // Whatever lies there is refused, begun anew or resumed to the right counts. Only who
            // makes a manifest with its checksum can lie about levels that were left long ago.
            if (search(files.text(), 7).widths != widths && !repairs) {
              throw std::runtime_error("wrong counts");
            }
          }};
}

}  // namespace

std::vector<Target> binary_targets() {
  return {table(), journal(), checkpoint(), record(), blocks(), census()};
}

}  // namespace tessera::fuzz
