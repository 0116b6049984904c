// SPDX-License-Identifier: MIT
#include "tessera/pdb/table_store.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <utility>

#include "tessera/base/error.hpp"
#include "tessera/base/lock_file.hpp"
#include "tessera/base/machine.hpp"
#include "tessera/pdb/open_tables.hpp"
#include "tessera/pdb/table_wait.hpp"

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
  std::map<std::filesystem::path, Shelf> by_path;
  std::uint64_t uses = 0;
  std::function<void(const std::string&)> hear_wait;

  Shelf& of(const std::filesystem::path& path) {
    const std::lock_guard lock(mutex);
    Shelf& shelf = by_path[path];
    shelf.last_use = ++uses;
    return shelf;
  }
};

Shelves& shelves() {
  static Shelves all;
  return all;
}

LockFile::Waiting waiting_for(const std::filesystem::path& path, const TableProgress& progress) {
  return [&, said = false](const std::string& holder) mutable {
    if (!std::exchange(said, true)) {
      const std::lock_guard lock(shelves().mutex);
      if (shelves().hear_wait) {
        shelves().hear_wait("waiting for " + path.string() + ", held by " + holder);
      }
    }
    return !progress || progress(0);
  };
}

// Builds and writes it; false where `progress` ended that.
bool build_table(const std::filesystem::path& path, const TableRequest& request, int threads,
                 const TableProgress& progress) {
  if (const std::uint64_t memory = free_memory_bytes();
      memory > 0 && request.cost.build_bytes > memory) {
    throw Error(ErrorKind::resource, "the table " + path.filename().string() + " needs " +
                                         std::to_string(request.cost.build_bytes >> 20) +
                                         " MiB of memory while it is built, " +
                                         std::to_string(memory >> 20) + " MiB are free");
  }
  const LargeBuffer payload = request.build(threads, progress);
  if (payload.bytes().empty()) return false;
  TableFile::write(path.parent_path(), request.key, payload.bytes());
  return true;
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
  Shelf& shelf = shelves().of(path);
  const std::lock_guard lock(shelf.mutex);
  if (shelf.table) return shelf.table;
  if (!is_cached(directory, request)) {
    expect_room(path.parent_path(), request.cost.file_bytes + TableFile::payload_offset);
    const auto one_builds = LockFile::take(LockFile::beside(path), waiting_for(path, progress));
    if (!one_builds) return nullptr;
    if (!is_cached(directory, request) && !build_table(path, request, threads, progress)) {
      return nullptr;
    }
  } else {
    // A killed build leaves its lock, which nobody takes any more once the table is there.
    LockFile::remove_if_free(LockFile::beside(path));
  }
  return shelf.table = opened(path, request);
}

void on_table_wait(std::function<void(const std::string&)> hear) {
  const std::lock_guard lock(shelves().mutex);
  shelves().hear_wait = std::move(hear);
}

void release_tables(std::uint64_t most_bytes) {
  Shelves& all = shelves();
  const std::lock_guard lock(all.mutex);
  std::vector<Shelf*> idle;
  std::uint64_t bytes = 0;
  for (auto& [path, shelf] : all.by_path) {
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
