// SPDX-License-Identifier: MIT
#include "tessera/search/pruning.hpp"

#include <filesystem>

#include "search/move_automaton.hpp"
#include "tessera/base/error.hpp"
#include "tessera/base/file.hpp"
#include "tessera/base/lock_file.hpp"
#include "tessera/base/shared_cache.hpp"
#include "tessera/base/text.hpp"
#include "tessera/pdb/table_file.hpp"
#include "tessera/puzzle/geometry.hpp"

namespace tessera {
namespace {

// A string of one move duplicates none.
constexpr int least_depth = 2;

// Beyond, an automaton takes minutes and gigabytes to build.
int most_depth(Size size) {
  return size.cells() <= 25 ? 20 : 16;
}

// Up to here, building takes less than half a second.
int most_depth_unstored(Size size) {
  return size.cells() <= 12 ? 20 : size.cells() <= 16 ? 16 : 12;
}

// The depth in "fsm:DEPTH", or nothing where the name is none such or the depth is refused.
std::optional<int> depth_of(std::string_view name, Size size) {
  if (!name.starts_with("fsm:")) return {};
  const auto depth = parse_integer(name.substr(4));
  if (!depth || *depth < least_depth || *depth > most_depth(size)) return {};
  return static_cast<int>(*depth);
}

[[noreturn]] void refuse(std::string_view name, Size size) {
  bad_input("prune " + quote(name) + " is unknown, expected parent or fsm:DEPTH, a depth of " +
            std::to_string(least_depth) + " to " + std::to_string(most_depth(size)) + " on " +
            to_string(size));
}

// A file that is whole and of this automaton, else nothing.
std::optional<TableFile> read(const std::filesystem::path& path, const TableKey& key) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return {};
  try {
    TableFile file(path);
    const std::size_t bytes = file.payload().size();
    if (file.key() == key && bytes > 0 && bytes % sizeof(Pruning::Row) == 0) return file;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt) throw;
  }
  return {};
}

// Held by the process that builds an automaton, while others wait. Nothing where the folder cannot
// be written or `progress` ends the wait.
std::optional<LockFile> lock_build(const std::filesystem::path& path,
                                   const TableProgress& progress) {
  try {
    expect_room(path.parent_path(), 0);
    return LockFile::take(LockFile::beside(path),
                          [&](const std::string& /*holder*/) { return !progress || progress(0); });
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

int Pruning::count_ways(State state, int first) const {
  int count = 0;
  for (int d = first; d < 4; ++d) count += next(state, d) != none ? 1 : 0;
  return count;
}

Pruning::Pruning(TableFile file)
    : file_(std::move(file)),
      rows_(reinterpret_cast<const Row*>(file_->payload().data()),
            file_->payload().size() / sizeof(Row)) {
  copy_ = copy_in_huge_pages(file_->payload());
  if (copy_.bytes().empty()) return;
  rows_ = {reinterpret_cast<const Row*>(copy_.bytes().data()), rows_.size()};
  file_.reset();
}

// State `cell` knows no last move; state cells x (1 + way back) + cell knows it.
std::vector<Pruning::Row> Pruning::parent(Size size) {
  const RuntimeGeometry geometry(size);
  const int cells = size.cells();
  std::vector<Row> rows;
  for (int back = -1; back < 4; ++back) {
    for (int cell = 0; cell < cells; ++cell) {
      Row row{};
      for (int d = 0; d < 4; ++d) {
        row[static_cast<std::size_t>(d)] =
            geometry.allowed(cell, back, d)
                ? static_cast<State>(cells * (4 - d) + cell + geometry.offset(d))
                : none;
      }
      rows.push_back(row);
    }
  }
  return rows;
}

std::shared_ptr<const Pruning> Pruning::stored(const TableKey& key, const std::string& directory,
                                               int threads, const TableProgress& progress) {
  const auto shared = [](auto&& rows) {
    return std::shared_ptr<const Pruning>(new Pruning(std::forward<decltype(rows)>(rows)));
  };
  std::filesystem::path path;
  std::optional<LockFile> one_builds;
  try {
    path = std::filesystem::path(directory.empty() ? default_table_directory() : directory) /
           file_name(key);
    if (auto file = read(path, key)) {
      LockFile::remove_if_free(LockFile::beside(path));  // of a killed build
      return shared(std::move(*file));
    }
    one_builds = lock_build(path, progress);
    if (auto file = read(path, key)) return shared(std::move(*file));
  } catch (const Error&) {
    path.clear();  // no folder that can be read
  }
  std::vector<Row> rows = build_automaton(key.size, static_cast<int>(key.homes), threads, progress);
  if (rows.empty()) return nullptr;
  try {
    if (!path.empty()) {
      const std::span<const Row> all(rows);
      TableFile::write(path.parent_path(), key,
                       {reinterpret_cast<const std::uint8_t*>(all.data()), all.size_bytes()});
      if (auto file = read(path, key)) return shared(std::move(*file));
    }
  } catch (const Error&) {
    // It was built for this process at least.
  }
  return shared(std::move(rows));
}

std::optional<TableKey> Pruning::stored_as(std::string_view name, Size size) {
  if (name == "none" || name == "parent") return {};
  const std::optional<int> depth = depth_of(name, size);
  if (!depth) refuse(name, size);
  if (*depth <= most_depth_unstored(size)) return {};
  return TableKey{.kind = TableKind::automaton,
                  .size = size,
                  .metric = Metric::single,
                  .homes = static_cast<std::uint64_t>(*depth),
                  .blank = 0};
}

std::shared_ptr<const Pruning> Pruning::named(std::string_view name, Size size,
                                              const std::string& directory, int threads,
                                              const TableProgress& progress) {
  static SharedCache<std::pair<std::string, Size>, Pruning> known(8);
  return known.get({std::string(name), size}, [&]() -> std::shared_ptr<const Pruning> {
    if (name == "parent") {
      const auto made = std::shared_ptr<Pruning>(new Pruning(parent(size)));
      made->is_parent_ = true;
      return made;
    }
    if (const auto key = stored_as(name, size)) return stored(*key, directory, threads, progress);
    // No string of one move duplicates another.
    const int depth = name == "none" ? 1 : *depth_of(name, size);
    return std::shared_ptr<const Pruning>(new Pruning(build_automaton(size, depth, 1, {})));
  });
}

}  // namespace tessera
