// SPDX-License-Identifier: MIT
#include "pdb/table_store.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/lock_file.hpp"
#include "base/machine.hpp"
#include "base/memory_limit.hpp"
#include "base/shared_cache.hpp"

namespace tessera {
namespace {

std::filesystem::path path_of(const std::string& directory, const TableRequest& request) {
  return std::filesystem::path(table_folder(directory)) / file_name(request.key);
}

std::shared_ptr<const Table> opened(const std::filesystem::path& path,
                                    const TableRequest& request) {
  auto table = std::make_shared<const Table>(path);
  if (table->key() != request.key || table->bytes() != request.cost.file_bytes) {
    bad_file(path.string() + ": is the table " + file_name(table->key()) +
             ", made for another size, goal or pattern; rename it, or delete it and the right one "
             "will be built");
  }
  return table;
}

SharedCache<std::filesystem::path, Table>& tables() {
  // As many as the largest collection has.
  static SharedCache<std::filesystem::path, Table> open(256);
  return open;
}

// With `others` mapped.
void expect_memory_to_build(const TableRequest& request, std::uint64_t others) {
  const MemoryShare share = memory_share(memory_limits(), 1);
  const std::uint64_t memory = share.free_bytes;
  const bool is_known = share.total_bytes > 0;
  if (!is_known || request.cost.build_bytes + others <= memory) return;
  out_of_resources("the table " + file_name(request.key) + " needs " +
                   std::to_string(request.cost.build_bytes >> 20) +
                   " MiB of memory while it is built, " +
                   std::to_string((memory - std::min(memory, others)) >> 20) + " MiB are free");
}

// How much more address space this process may use: memory that is short elsewhere need not stop
// a table from being mapped.
void expect_address_space(std::uint64_t bytes) {
  for (const MemoryLimit& limit : memory_limits()) {
    if (!limit.per_process || limit.free >= bytes) continue;
    out_of_resources("tables of " + std::to_string((bytes >> 20) + 1) + " MiB do not fit, " +
                     limit.name + " leaves " + std::to_string(limit.free >> 20) + " MiB");
  }
}

void expect_descriptors(std::size_t count) {
  constexpr std::size_t others = 64;  // of the program, and of MPI
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count + others) return;
  out_of_resources(std::to_string(count) + " tables do not fit, ulimit -n allows " +
                   std::to_string(limit.rlim_cur) + " open files");
}

// Builds and writes it; false if `progress` stopped that.
bool build_table(const std::filesystem::path& path, const TableRequest& request, int threads,
                 const TableProgress& progress) {
  expect_memory_to_build(request, 0);
  const LargeBuffer payload = request.build(threads, progress);
  if (payload.bytes().empty()) return false;
  Table::write(path.parent_path(), request.key, payload.bytes());
  return true;
}

}  // namespace

// Some 50 ns of CPU time for an entry, twice that on a busy machine; escapes take several rounds.
double build_seconds(const std::vector<TableRequest>& requests) {
  double seconds = 0;
  for (const TableRequest& request : requests) {
    const double of_entry = request.key.kind == TableKind::escapes ? 3e-7
                            : request.key.kind == TableKind::lines ? 5.5e-8
                                                                   : 5e-8;
    seconds += of_entry * static_cast<double>(request.cost.entries);
  }
  return seconds;
}

void add_once(std::vector<TableRequest>& requests, TableRequest request) {
  const auto known = std::ranges::find(requests, request.key, &TableRequest::key);
  if (known == requests.end()) requests.push_back(std::move(request));
}

std::string table_folder(const std::string& directory) {
  if (!directory.empty()) return directory;
  if (const auto tables = environment("TESSERA_PDB_DIR"); !tables.empty()) {
    return std::string(tables);
  }
  if (const std::filesystem::path cache = environment("XDG_CACHE_HOME"); !cache.empty()) {
    return (cache / "tessera").string();
  }
  const std::filesystem::path home = environment("HOME");
  if (home.empty()) {
    bad_input("no folder for tables: neither HOME nor XDG_CACHE_HOME is set, try --pdb-dir FOLDER");
  }
  // With root's rights it would be created: /nonexistent is the home of some system users.
  std::error_code none;
  if (!std::filesystem::is_directory(home, none)) {
    bad_input("no folder for tables: HOME is " + home.string() +
              ", which is not a folder, try --pdb-dir FOLDER");
  }
  return (home / ".cache/tessera").string();
}

LockFile::Waiting waiting_for(const std::filesystem::path& path, const TableProgress& progress) {
  return [&, said = false](const std::string& holder) mutable {
    if (!std::exchange(said, true) && progress.waits) {
      progress.waits("waiting for " + path.string() + ", held by " + holder);
    }
    return progress(0);
  };
}

std::function<bool()> while_wanted(const TableProgress& progress) {
  if (!progress.report) return {};
  return [&progress] { return progress(0); };
}

bool is_cached(const std::string& directory, const TableRequest& request) {
  std::error_code ignored;
  return std::filesystem::exists(path_of(directory, request), ignored);
}

void expect_usable(const std::string& directory, std::vector<TableRequest> requests) {
  std::uint64_t all = 0;
  std::uint64_t missing = 0;
  expect_descriptors(requests.size());
  std::erase_if(requests, [&](const TableRequest& request) {  // open ones have their memory
    return tables().find(path_of(directory, request)) != nullptr;
  });
  for (const TableRequest& request : requests) all += request.cost.file_bytes;
  expect_address_space(all);
  for (const TableRequest& request : requests) {
    const std::filesystem::path path = path_of(directory, request);
    if (is_cached(directory, request)) {
      if (access(path.c_str(), R_OK) != 0) file_failure(path, "cannot be read", errno);
      continue;
    }
    missing += request.cost.file_bytes;
    expect_memory_to_build(request, all - request.cost.file_bytes);
  }
  if (missing > 0) expect_room(table_folder(directory), missing);
}

std::shared_ptr<const Table> open_table(const std::string& directory, const TableRequest& request,
                                        int threads, const TableProgress& progress) {
  const std::filesystem::path path = path_of(directory, request);
  const auto make = [&]() -> std::shared_ptr<const Table> {
    if (is_cached(directory, request)) {
      // A killed build leaves its lock, which nothing else removes once the table exists.
      LockFile::remove_if_free(LockFile::beside(path));
      return opened(path, request);
    }
    expect_room(path.parent_path(), request.cost.file_bytes + Table::payload_offset);
    const auto one_builds = LockFile::take(LockFile::beside(path), waiting_for(path, progress),
                                           LockFile::Unsupported::ignored);
    if (!one_builds) return nullptr;
    one_builds->remove_drafts_of(path);
    if (!is_cached(directory, request) && !build_table(path, request, threads, progress)) {
      return nullptr;
    }
    return opened(path, request);
  };
  const auto is_usable = [](const Table& table) { return table.is_unchanged(); };
  return tables().get(path, make, is_usable, while_wanted(progress));
}

void release_tables(std::uint64_t most_bytes) {
  tables().release(most_bytes, [](const Table& table) { return table.bytes(); });
}

}  // namespace tessera
