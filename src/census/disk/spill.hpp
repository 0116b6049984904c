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

namespace boost::asio {
class thread_pool;
}

namespace tessera {

using Bytes = std::vector<std::uint8_t>;

/// A file of the folder; it goes with the last who holds it.
struct SpillFile {
  explicit SpillFile(std::filesystem::path where) : path(std::move(where)) {}
  ~SpillFile();

  const std::filesystem::path path;
  std::shared_ptr<const Bytes> pending;  ///< until it is known to be written
  BlockFile blocks;                      ///< once it is written
};

/// A group of planes in some slabs, compressed: in memory or in a file. Without entries there is
/// nothing.
struct Segment {
  SlabRange slabs;
  std::uint16_t planes = 0;
  std::vector<BlockEntry> entries;    ///< by plane of the group, then by slab
  std::vector<std::uint32_t> starts;  ///< of each block in the data
  std::shared_ptr<const Bytes> data;
  std::shared_ptr<SpillFile> file;
  std::uint64_t data_bytes = 0;

  /// What it has in memory; null where it is in its file only.
  [[nodiscard]] std::shared_ptr<const Bytes> in_memory() const {
    return data || !file ? data : file->pending;
  }
};

[[nodiscard]] inline bool is_ready(const std::shared_future<void>& task) {
  return task.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

/// Where frontiers are that do not stay in memory: a folder, a thread that writes behind, one that
/// reads ahead, and the account of what may stay. All calls come from one thread. What fails in
/// the writing thread is thrown by a later call.
class Spill {
 public:
  /// `held_bytes`: how much may stay in memory. `behind_bytes`: how much may wait to be written.
  Spill(const SpillFolder& folder, std::uint64_t held_bytes, std::uint64_t behind_bytes);
  ~Spill();

  /// Ends both threads, for a search that failed: what waits stays unwritten and unread.
  void stop();

  /// Takes what a segment has to stay in memory, or to a file where there is no room for it.
  void keep(Segment& segment);
  /// Begins to write a file of a segment that has none; what is in memory stays. A failure is
  /// thrown by `flush` alone, once: the search continues without the file.
  void make_file(Segment& segment);
  /// Takes back a file that was made in vain.
  void forget_file(Segment& segment);
  /// Frees what it takes.
  void drop(Segment& segment);

  /// A part of a segment's blocks, on its way into memory.
  struct Part {
    std::shared_ptr<SpillFile> file;
    std::uint64_t offset = 0;  ///< into the file
    Bytes bytes;
  };
  /// Begins to read parts, one after another; the future throws what failed.
  [[nodiscard]] std::shared_future<void> read(std::shared_ptr<std::vector<Part>> parts);
  /// Waits for all that is to be written.
  void flush();

  [[nodiscard]] std::uint64_t held_limit() const { return held_limit_; }
  [[nodiscard]] std::uint64_t room_in_memory() const { return held_limit_ - held_; }
  [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }
  /// Of all segments that were ever kept, wherever.
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
  std::deque<Write> writes_;                          // that are not known to be done
  std::uint64_t behind_ = 0;                          // their bytes
  std::exception_ptr spare_failure_;                  // of a file that the search does without
  std::unique_ptr<boost::asio::thread_pool> writer_;  // of one thread, as the reader
  std::unique_ptr<boost::asio::thread_pool> reader_;
};

}  // namespace tessera
