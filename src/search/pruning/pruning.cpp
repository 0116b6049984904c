// SPDX-License-Identifier: MIT
#include "search/pruning/pruning.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <tuple>

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/lock_file.hpp"
#include "base/mapped_file.hpp"
#include "base/shared_cache.hpp"
#include "base/text.hpp"
#include "puzzle/symmetry.hpp"
#include "search/pruning/move_automaton.hpp"

namespace tessera {
namespace {

constexpr std::string_view mirror_suffix = "+mirror";

// A string of one move is never a duplicate.
constexpr int least_depth = 2;

// Deeper automata take minutes and gigabytes to build.
int most_depth(Size size) {
  return size.cells() <= 25 ? 20 : 16;
}

// Up to here, building takes about a second at most.
int most_depth_unstored(Size size) {
  return size.cells() <= 12 ? 20 : size.cells() <= 16 ? 16 : 12;
}

SharedCache<std::pair<PruneRule, Size>, Pruning>& known_automata() {
  static SharedCache<std::pair<PruneRule, Size>, Pruning> known(8);
  return known;
}

SharedCache<std::tuple<PruneRule, Size, MirroredMoves>, Pruning>& known_with_mirror() {
  static SharedCache<std::tuple<PruneRule, Size, MirroredMoves>, Pruning> known(1);
  return known;
}

bool maps_to_itself(const Instance& instance, const Symmetry& symmetry) {
  const Board goal = instance.goal();
  const Board& start = instance.start;
  for (int cell = 0; cell < start.size().cells(); ++cell) {
    const int home = goal.cell_of(start.tile(cell));
    if (start.tile(symmetry(cell)) != goal.tile(symmetry(home))) return false;
  }
  return symmetry(goal.blank()) == goal.blank();
}

}  // namespace

std::string to_string(PruneRule rule) {
  if (has_mirror(rule)) return to_string(without_mirror(rule)).append(mirror_suffix);
  if (rule == PruneRule::none) return "none";
  return rule == PruneRule::parent ? "parent" : "fsm:" + std::to_string(static_cast<int>(rule));
}

PruneRule parse_prune(const std::string& name) {
  if (name == "none") return PruneRule::none;
  if (name == "parent") return PruneRule::parent;
  if (name.ends_with(mirror_suffix)) {
    const PruneRule rule = parse_prune(name.substr(0, name.size() - mirror_suffix.size()));
    if (!has_mirror(rule) && rule != PruneRule::none) {
      return PruneRule(static_cast<unsigned>(rule) | static_cast<unsigned>(PruneRule::mirror));
    }
  }
  const auto depth = name.starts_with("fsm:") ? parse_integer(name.substr(4)) : std::nullopt;
  if (!depth || *depth < least_depth || *depth >= static_cast<int>(PruneRule::mirror)) {
    bad_input("prune " + quote(name) + " is unknown, expected parent or fsm:DEPTH");
  }
  return static_cast<PruneRule>(*depth);
}

MirroredMoves mirrored_moves(const Instance& instance) {
  const Board& start = instance.start;
  MirroredMoves mirrored{.cell = static_cast<std::uint8_t>(start.blank())};
  for (const Symmetry& symmetry : symmetries(start.size())) {
    if (symmetry.to != start.size() || !maps_to_itself(instance, symmetry)) continue;
    for (const Direction d : all_directions) {
      const auto to = start.neighbor(d);
      const bool has_earlier = to && std::ranges::any_of(all_directions, [&](Direction other) {
                                 return other < d && start.neighbor(other) == symmetry(*to);
                               });
      if (has_earlier) mirrored.directions |= static_cast<std::uint8_t>(1 << static_cast<int>(d));
    }
  }
  return mirrored;
}

Pruning::Pruning(Table file)
    : file_(std::move(file)),
      rows_(reinterpret_cast<const Row*>(file_->payload().data()),
            file_->payload().size() / sizeof(Row)) {
  copy_ = copy_in_huge_pages(file_->payload());
  if (copy_.bytes().empty()) return;
  rows_ = {reinterpret_cast<const Row*>(copy_.bytes().data()), rows_.size()};
  notice_file_changes();
  if (file_->is_unchanged()) file_.reset();  // else the copy may be wrong
}

bool Pruning::is_unchanged() const {
  return (!file_ || file_->is_unchanged()) && (!original_ || original_->is_unchanged());
}

// From a file that is intact and of this automaton, else null.
std::shared_ptr<const Pruning> Pruning::read(const std::filesystem::path& path,
                                             const TableKey& key) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return nullptr;
  try {
    Table file(path);
    const std::size_t bytes = file.payload().size();
    if (file.key() != key || bytes == 0 || bytes % sizeof(Row) != 0) return nullptr;
    return std::shared_ptr<const Pruning>(new Pruning(std::move(file)));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::corrupt) throw;
    return nullptr;
  }
}

std::shared_ptr<const Pruning> Pruning::stored(const TableKey& key, const std::string& directory,
                                               int threads, const TableProgress& progress) {
  std::filesystem::path path;
  std::optional<LockFile> one_builds;  // while other processes wait
  try {
    path = std::filesystem::path(table_folder(directory)) / file_name(key);
    if (auto found = read(path, key)) {
      LockFile::remove_if_free(LockFile::beside(path));  // of a killed build
      return found;
    }
    expect_room(path.parent_path(), 0);
    one_builds = LockFile::take(LockFile::beside(path), waiting_for(path, progress));
    if (one_builds) one_builds->remove_drafts_of(path);
    if (auto found = read(path, key)) return found;
  } catch (const Error&) {
    // The folder cannot be read, or no lock can be created there.
  }
  GrowingArray<Row> rows =
      build_automaton(key.size, static_cast<int>(key.homes), threads, progress);
  if (rows.empty()) return nullptr;
  try {
    if (!path.empty()) Table::write(path.parent_path(), key, raw_bytes(rows.span()));
  } catch (const Error&) {
    // The next process builds it again.
  }
  return std::shared_ptr<const Pruning>(new Pruning(std::move(rows)));
}

std::optional<TableKey> Pruning::stored_as(PruneRule rule, Size size) {
  const int depth = depth_of(rule);
  if (depth > most_depth(size)) {
    bad_input("prune " + to_string(rule) + ": expected parent or fsm:DEPTH, a depth of " +
              std::to_string(least_depth) + " to " + std::to_string(most_depth(size)) + " on " +
              to_string(size));
  }
  if (depth <= most_depth_unstored(size)) return {};
  return TableKey{.kind = TableKind::automaton,
                  .size = size,
                  .metric = Metric::single,
                  .homes = static_cast<std::uint64_t>(depth),
                  .blank = 0};
}

std::shared_ptr<const Pruning> Pruning::of(PruneRule rule, Size size, const std::string& directory,
                                           int threads, const TableProgress& progress) {
  rule = without_mirror(rule);
  const std::optional<TableKey> key = stored_as(rule, size);
  const auto make = [&]() -> std::shared_ptr<const Pruning> {
    if (key) return stored(*key, directory, threads, progress);
    return std::shared_ptr<const Pruning>(
        new Pruning(build_automaton(size, depth_of(rule), threads, {}), rule == PruneRule::parent));
  };
  return known_automata().get({rule, size}, make, &Pruning::is_unchanged, while_wanted(progress));
}

std::uint64_t Pruning::release(std::uint64_t most_bytes) {
  const auto bytes_of = [](const Pruning& automaton) { return automaton.rows_.size_bytes(); };
  const std::uint64_t copies = known_with_mirror().release(0, bytes_of);  // those in use
  return copies + known_automata().release(most_bytes - std::min(most_bytes, copies), bytes_of);
}

std::shared_ptr<const Pruning> Pruning::of(PruneRule rule, const Instance& instance,
                                           const std::string& directory) {
  const MirroredMoves mirrored = has_mirror(rule) ? mirrored_moves(instance) : MirroredMoves();
  if (mirrored.directions == 0) return of(rule, instance.size(), directory);
  const auto make = [&] {
    const auto whole = of(rule, instance.size(), directory);
    GrowingArray<Row> rows;
    for (const Row& row : whole->rows_) rows.push_back(row);
    // The row of a start cell is that of the root alone: after a move, the one back is excluded, so
    // that the state is a deeper one.
    for (std::size_t d = 0; d < 4; ++d) {
      if ((mirrored.directions >> d & 1) != 0) rows[whole->start(mirrored.cell)][d] = none;
    }
    std::shared_ptr<Pruning> copy(new Pruning(std::move(rows)));
    copy->original_ = whole;
    return copy;
  };
  return known_with_mirror().get({rule, instance.size(), mirrored}, make, &Pruning::is_unchanged);
}

}  // namespace tessera
