// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include "census/disk/block_file.hpp"
#include "census/disk/spill_folder.hpp"

namespace tessera {

using Bytes = std::vector<std::uint8_t>;

/// A file of the folder; removed with its last owner.
struct SpillFile {
  explicit SpillFile(std::filesystem::path where) : path(std::move(where)) {}
  ~SpillFile();

  const std::filesystem::path path;
  std::shared_ptr<const Bytes> pending;  ///< until the write is known to be done
  BlockFile blocks;                      ///< once written
};

/// A group of planes in a range of slabs, compressed: in memory or in a file. Empty if it has no
/// entries.
struct Segment {
  SlabRange slabs;
  unsigned planes = 0;
  std::vector<BlockEntry> entries;    ///< by plane of the group, then by slab
  std::vector<std::uint32_t> starts;  ///< of each block in the data
  std::shared_ptr<const Bytes> data;
  std::shared_ptr<SpillFile> file;
  std::uint64_t data_bytes = 0;

  /// Its data in memory; null if it is only in its file.
  [[nodiscard]] std::shared_ptr<const Bytes> in_memory() const {
    return data || !file ? data : file->pending;
  }
};

[[nodiscard]] inline bool is_ready(const std::shared_future<void>& task) {
  return task.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

class TaskThread;

/// Where frontiers go that do not fit in memory: a folder, a thread for write-behind, one for
/// read-ahead, and the account of the memory in use. All calls come from one thread. Errors of the
/// writing thread are thrown by a later call.
class Spill {
 public:
  /// `held_bytes`: the most kept in memory. `behind_bytes`: the most that may wait for writing.
  Spill(const SpillFolder& folder, std::uint64_t held_bytes, std::uint64_t behind_bytes);
  ~Spill();

  /// Keeps a segment's data in memory, or in a file if memory is full.
  void keep(Segment& segment);
  /// Starts writing a file for a segment that has none; data in memory stays. Only `flush` throws a
  /// failure, once: the search continues without the file.
  void make_file(Segment& segment);
  /// Discards a file that was not needed.
  void forget_file(Segment& segment);
  /// Frees the segment's data.
  void drop(Segment& segment);

  /// A part of a segment's blocks that is being read into memory.
  struct Part {
    std::shared_ptr<SpillFile> file;
    std::uint64_t offset = 0;  ///< into the file
    Bytes bytes;
  };
  /// Starts reading parts, one after another; the future throws on failure.
  [[nodiscard]] std::shared_future<void> read(std::shared_ptr<std::vector<Part>> parts);
  /// Waits for all pending writes.
  void flush();

  [[nodiscard]] std::uint64_t held_limit() const { return held_limit_; }
  [[nodiscard]] std::uint64_t room_in_memory() const { return held_limit_ - held_; }
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  /// Of all segments that were ever kept, in memory or in files.
  [[nodiscard]] std::uint64_t bytes_kept() const { return bytes_kept_; }

 private:
  struct Write {
    std::shared_future<void> done;
    std::weak_ptr<SpillFile> file;
    std::uint64_t bytes;
    bool needed;  // by the search itself
  };
  void begin_file(Segment& segment, std::shared_ptr<const Bytes> data, bool needed);
  void settle_writes(std::uint64_t behind_limit);
  void write(SpillFile& to, const Segment& segment);
  void read_now(Part& part);

  std::filesystem::path folder_;
  std::uint64_t held_limit_;
  std::uint64_t behind_limit_;
  std::uint64_t held_ = 0;
  std::uint64_t next_file_ = 0;
  std::uint64_t bytes_kept_ = 0;
  std::atomic<std::uint64_t> bytes_written_{0};
  std::atomic<std::uint64_t> bytes_read_{0};
  std::deque<Write> writes_;          // not known to be done
  std::uint64_t behind_ = 0;          // their bytes
  std::exception_ptr spare_failure_;  // for a file that the search does not need
  std::unique_ptr<TaskThread> writer_;
  std::unique_ptr<TaskThread> reader_;
};

}  // namespace tessera
