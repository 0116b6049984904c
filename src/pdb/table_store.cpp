// SPDX-License-Identifier: MIT
#include "tessera/pdb/table_store.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>

#include "tessera/base/error.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/pdb/open_tables.hpp"

namespace tessera {
namespace {

std::filesystem::path path_of(const std::string& directory, const TableRequest& request) {
  const std::string folder = directory.empty() ? default_table_directory() : directory;
  return std::filesystem::path(folder) / file_name(request.key);
}

std::shared_ptr<const Table> opened(const std::filesystem::path& path,
                                    const TableRequest& request) {
  TableFile file(path);
  if (file.key() != request.key || file.payload().size() != request.cost.file_bytes) {
    throw Error(ErrorKind::corrupt, path.string() + ": is the table " + file_name(file.key()) +
                                        ", made for another size, goal or pattern");
  }
  return std::make_shared<const Table>(std::move(file));
}

// A lock per table: who wants one that lies ready does not wait while another is built.
struct Shelf {
  std::mutex mutex;
  std::shared_ptr<const Table> table;
  std::atomic<std::uint64_t> last_use = 0;  // of a clock that counts uses
};

struct Shelves {
  std::mutex mutex;
  std::map<std::filesystem::path, Shelf> shelves;
  std::uint64_t uses = 0;
};

Shelves& all_shelves() {
  static Shelves all;
  return all;
}

Shelf& shelf_of(const std::filesystem::path& path) {
  Shelves& all = all_shelves();
  const std::lock_guard lock(all.mutex);
  Shelf& shelf = all.shelves[path];
  shelf.last_use = ++all.uses;
  return shelf;
}

}  // namespace

std::string default_table_directory() {
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache != 0) {
    return (std::filesystem::path(cache) / "tessera").string();
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) {
    return (std::filesystem::path(home) / ".cache" / "tessera").string();
  }
  throw Error(ErrorKind::resource,
              "no folder for tables: neither HOME nor XDG_CACHE_HOME is set, try --pdb-dir");
}

bool is_cached(const std::string& directory, const TableRequest& request) {
  std::error_code ignored;
  return std::filesystem::exists(path_of(directory, request), ignored);
}

std::shared_ptr<const Table> open_table(const std::string& directory, const TableRequest& request,
                                        int threads, const TableProgress& progress) {
  const std::filesystem::path path = path_of(directory, request);
  Shelf& shelf = shelf_of(path);
  const std::lock_guard lock(shelf.mutex);
  std::shared_ptr<const Table>& table = shelf.table;
  if (table) return table;
  if (is_cached(directory, request)) return table = opened(path, request);

  expect_room(path.parent_path(), request.cost.file_bytes + TableFile::payload_offset);
  std::filesystem::path lock_path = path.parent_path() / ".";
  lock_path += path.filename().string() + ".lock";
  const FileLock one_builds(lock_path);
  if (!is_cached(directory, request)) {
    if (const std::uint64_t memory = memory_bytes();
        memory > 0 && request.cost.build_bytes > memory) {
      throw Error(ErrorKind::resource, "the table " + path.filename().string() + " needs " +
                                           std::to_string(request.cost.build_bytes >> 20) +
                                           " MiB of memory while it is built, there are " +
                                           std::to_string(memory >> 20) + " MiB");
    }
    const LargeBuffer payload = request.build(threads, progress);
    if (payload.bytes().empty()) return nullptr;
    TableFile::write(path.parent_path(), request.key, payload.bytes());
  }
  std::error_code ignored;
  std::filesystem::remove(lock_path, ignored);
  return table = opened(path, request);
}

void release_tables(std::uint64_t most_bytes) {
  Shelves& all = all_shelves();
  const std::lock_guard lock(all.mutex);
  std::vector<Shelf*> idle;
  std::uint64_t bytes = 0;
  for (auto& [path, shelf] : all.shelves) {
    const std::unique_lock one(shelf.mutex, std::try_to_lock);
    if (!one || !shelf.table) continue;  // one that is being opened is in use
    bytes += shelf.table->bytes();
    if (shelf.table.use_count() == 1) idle.push_back(&shelf);
  }
  std::sort(idle.begin(), idle.end(),
            [](const Shelf* a, const Shelf* b) { return a->last_use < b->last_use; });
  for (Shelf* shelf : idle) {
    if (bytes <= most_bytes) return;
    const std::unique_lock one(shelf->mutex, std::try_to_lock);
    if (!one || shelf->table.use_count() != 1) continue;
    bytes -= shelf->table->bytes();
    shelf->table.reset();
  }
}

}  // namespace tessera
