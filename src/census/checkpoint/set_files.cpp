// SPDX-License-Identifier: MIT
#include "census/checkpoint/set_files.hpp"

#include <algorithm>
#include <optional>
#include <regex>
#include <system_error>

namespace tessera {
namespace {

struct SetFile {
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
  return SetFile{std::stoull(parts[2]), parts[3].str() == ".manifest", draft};
}

void each_file(const std::filesystem::path& folder,
               const std::function<void(const std::filesystem::path&, const SetFile&)>& with) {
  std::error_code failure;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (const auto file = parse_name(entry->path().filename().string())) with(entry->path(), *file);
  }
}

}  // namespace

std::filesystem::path SetFiles::manifest(std::uint64_t set) const {
  return folder_ / ("census-" + std::to_string(set) + ".manifest");
}

std::string SetFiles::blocks_name(std::uint64_t set, const std::string& run, int which,
                                  std::uint64_t slab) {
  return "census-" + std::to_string(set) + "-" + run + (which == 0 ? "-newer-" : "-older-") +
         std::to_string(slab) + ".blocks";
}

bool SetFiles::is_blocks_name(const std::string& name) {
  const std::optional<SetFile> file = parse_name(name);
  return file && !file->manifest && !file->draft;
}

std::vector<std::uint64_t> SetFiles::sets() const {
  std::vector<std::uint64_t> numbers;
  each_file(folder_, [&](const std::filesystem::path&, const SetFile& file) {
    if (file.manifest && !file.draft && file.set > 0) numbers.push_back(file.set);
  });
  std::sort(numbers.rbegin(), numbers.rend());
  return numbers;
}

void SetFiles::remove(const std::function<bool(std::uint64_t set)>& unwanted) const {
  std::vector<std::filesystem::path> files;
  each_file(folder_, [&](const std::filesystem::path& path, const SetFile& file) {
    if (file.draft || unwanted(file.set)) files.push_back(path);
  });
  std::error_code ignored;
  for (const std::filesystem::path& file : files) std::filesystem::remove(file, ignored);
}

}  // namespace tessera
