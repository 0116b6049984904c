// SPDX-License-Identifier: MIT
#include "census/checkpoint/manifest.hpp"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <regex>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "census/disk/spill_folder.hpp"

namespace tessera {
namespace {

const std::string format = "tessera.census-checkpoint/3";
const std::string no_name = "-";  // if all slabs are empty there is no file

std::string end_line(std::string_view text) {
  return fmt::format("end {:x}\n", XXH3_64bits(text.data(), text.size()));
}

bool each_slab_once(const std::vector<BlockFile>& files, std::uint64_t slabs) {
  std::uint64_t next = 0;
  for (const BlockFile& file : files) {
    if (file.slabs.first != next) return false;
    next += file.slabs.count;
  }
  return next == slabs;
}

struct SetFile {
  std::string name;
  std::uint64_t set = 0;
  bool manifest = false;
  bool draft = false;
};

std::optional<SetFile> parse_name(const std::string& name) {
  static const std::regex form(
      R"((\.?)census-([0-9]{1,18})(\.manifest|-[0-9a-f]+-(?:newer|older)-[0-9]+\.blocks)(\.\w{6})?)");
  std::smatch parts;
  if (!std::regex_match(name, parts, form)) return std::nullopt;
  const bool draft = parts[1].length() > 0;
  if (draft != parts[4].matched) return std::nullopt;
  return SetFile{name, std::stoull(parts[2]), parts[3].str() == ".manifest", draft};
}

std::vector<SetFile> files_in(const std::filesystem::path& folder) {
  std::vector<SetFile> files;
  for (const std::string& name : names_in(folder)) {
    if (auto file = parse_name(name)) files.push_back(std::move(*file));
  }
  return files;
}

bool is_possible(const BlockFile& file, const StateLayout& layout) {
  const std::optional<SetFile> name = parse_name(file.name);
  const bool named =
      file.name == no_name ? file.bytes == 0 : name && !name->manifest && !name->draft;
  return named && file.slabs.first <= layout.slabs() &&
         file.slabs.count <= layout.slabs() - file.slabs.first;
}

// Empty if a line is malformed or has invalid values.
std::optional<CheckpointSet> parse(std::istream& lines, const StateLayout& layout) {
  CheckpointSet set;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    words >> key;
    if (key == "cell") {
      words >> set.cell;
    } else if (key == "widths") {
      std::size_t count = 0;
      words >> count;
      for (std::uint64_t width = 0; set.widths.size() < count && words >> width;) {
        set.widths.push_back(width);
      }
      if (set.widths.size() != count) return std::nullopt;
    } else if (key == "file") {
      std::size_t which = 0;
      BlockFile file;
      words >> which >> file.name >> file.slabs.first >> file.slabs.count >> file.bytes >>
          file.checksum;
      if (which >= set.levels.size() || !is_possible(file, layout)) return std::nullopt;
      set.levels[which].push_back(file);
    } else {
      return std::nullopt;
    }
    if (!words) return std::nullopt;
  }
  if (set.widths.size() < 2 || set.cell < 0 || set.cell >= layout.cells()) return std::nullopt;
  return set;
}

// As on the command line: "4x4 --goal cell:13 --metric single".
std::string in_options(const std::string& identity) {
  return std::regex_replace(std::regex_replace(identity, std::regex(" goal "), " --goal cell:"),
                            std::regex(" metric "), " --metric ");
}

}  // namespace

SetFiles::SetFiles(const CensusTask& task, const StateLayout& layout)
    : layout_(layout),
      folder_(task.checkpoint),
      identity_(fmt::format("{} goal {} metric {}", to_string(task.size), task.goal_blank,
                            to_string(task.metric))) {}

std::string SetFiles::file_line(int which, const BlockFile& file) {
  return fmt::format("file {} {} {} {} {} {}\n", which, file.bytes == 0 ? no_name : file.name,
                     file.slabs.first, file.slabs.count, file.bytes, file.checksum);
}

void SetFiles::write_manifest(const CheckpointSet& set, const std::string& file_lines) const {
  std::string text = fmt::format("{}\nof {}\nlayout {}\ncell {}\nwidths {} {}\n{}", format,
                                 identity_, StateLayout::version, set.cell, set.widths.size(),
                                 fmt::join(set.widths, " "), file_lines);
  text += end_line(text);
  write_atomically(manifest(set.number), std::array{raw_bytes(text)});
}

// Everything is validated before use: the checksum detects damage, but not a forged manifest.
CheckpointSet SetFiles::read_manifest(std::uint64_t number) const {
  const std::filesystem::path path = manifest(number);
  const auto fail = [&](ErrorKind kind, const std::string& what) {
    throw Error(kind, path.string() + ": " + what);
  };
  std::string text;
  try {
    text = read_file(path, most_bytes);
  } catch (const Error& error) {
    bad_file(error.what());
  }
  const std::size_t end = text.rfind("end ");
  if (end == std::string::npos ||
      text.substr(end) != end_line(std::string_view(text).substr(0, end))) {
    fail(ErrorKind::corrupt, "is damaged");
  }
  text.resize(end);
  std::istringstream lines(std::move(text));
  const auto next_line = [&] {
    std::string line;
    if (!std::getline(lines, line)) fail(ErrorKind::corrupt, "is damaged");
    return line;
  };
  if (next_line() != format) fail(ErrorKind::corrupt, "is not in the format " + format);
  if (const std::string line = next_line(); line != "of " + identity_) {
    fail(ErrorKind::input, "is a checkpoint " + in_options(line) + ", not of " +
                               in_options(identity_) + "; name another folder");
  }
  const std::string layout = "layout " + std::to_string(StateLayout::version);
  if (const std::string line = next_line(); line != layout) {
    fail(ErrorKind::corrupt, "is of " + line + ", expected " + layout);
  }
  std::optional<CheckpointSet> set = parse(lines, layout_);
  if (!set) fail(ErrorKind::corrupt, "is damaged");
  for (std::vector<BlockFile>& files : set->levels) {
    std::ranges::sort(files, {}, [](const BlockFile& file) { return file.slabs.first; });
    if (!each_slab_once(files, layout_.slabs())) {
      fail(ErrorKind::corrupt, "its files leave states out, or hold some twice");
    }
  }
  set->number = number;
  return *set;
}

std::filesystem::path SetFiles::manifest(std::uint64_t set) const {
  return folder_ / fmt::format("census-{}.manifest", set);
}

std::string SetFiles::blocks_prefix(std::uint64_t set, std::uint64_t run, int which) {
  return fmt::format("census-{}-{:x}-{}-", set, run, which == 0 ? "newer" : "older");
}

std::vector<std::uint64_t> SetFiles::sets() const {
  std::vector<std::uint64_t> numbers;
  for (const SetFile& file : files_in(folder_)) {
    if (file.manifest && !file.draft && file.set > 0) numbers.push_back(file.set);
  }
  std::sort(numbers.rbegin(), numbers.rend());
  return numbers;
}

void SetFiles::remove(const std::function<bool(std::uint64_t set)>& unwanted) const {
  std::error_code ignored;
  for (const SetFile& file : files_in(folder_)) {
    if (file.draft || unwanted(file.set)) std::filesystem::remove(folder_ / file.name, ignored);
  }
}

}  // namespace tessera
