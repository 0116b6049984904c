// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <filesystem>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

#include "census/disk/block_codec.hpp"
#include "census/disk/spill_folder.hpp"
#include "tessera/census/exchange.hpp"

namespace tessera {

/// Bytes that are written over before they are read.
struct Bytes {
  Bytes() = default;
  explicit Bytes(std::size_t length)
      : data(std::make_unique_for_overwrite<std::uint8_t[]>(length)), size(length) {}
  explicit Bytes(std::span<const std::uint8_t> from) : Bytes(from.size()) {
    std::copy(from.begin(), from.end(), data.get());
  }

  [[nodiscard]] std::span<std::uint8_t> span() { return {data.get(), size}; }
  [[nodiscard]] std::span<const std::uint8_t> span() const { return {data.get(), size}; }

  std::unique_ptr<std::uint8_t[]> data;
  std::size_t size = 0;
};

/// A file of the folder; it goes with the last who holds it. Its form is that of BlockFile.
class SpillFile {
 public:
  explicit SpillFile(std::filesystem::path path) : path_(std::move(path)) {}
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  std::uint64_t bytes = 0;     ///< once it is written
  std::uint64_t checksum = 0;  ///< the same

 private:
  friend class Spill;
  std::shared_ptr<const Bytes> pending_;  // until it is written
  std::filesystem::path path_;
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
};

/// Where frontiers are that do not stay in memory: a folder, a thread that writes behind, one that
/// reads ahead, and the account of what may stay. What fails in the threads is thrown by the next
/// call.
class Spill {
 public:
  /// `held_bytes`: how much may stay in memory. `behind_bytes`: how much may wait to be written.
  Spill(const SpillFolder& folder, std::uint64_t held_bytes, std::uint64_t behind_bytes);
  ~Spill();
  Spill(const Spill&) = delete;
  Spill& operator=(const Spill&) = delete;

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
  /// What a segment has in memory; null where it is in its file only.
  [[nodiscard]] std::shared_ptr<const Bytes> in_memory(const Segment& segment) const;

  /// A part of a segment's blocks, on its way into memory.
  struct Part {
    std::shared_ptr<SpillFile> file;
    std::uint64_t offset = 0;  ///< into the file
    Bytes bytes;
  };
  /// Parts that are read one after another.
  class Reading {
   public:
    explicit Reading(std::vector<Part> wanted) : parts(std::move(wanted)) {}
    std::vector<Part> parts;

   private:
    friend Spill;
    bool done_ = false;
    std::exception_ptr failure_;
  };
  void read(std::shared_ptr<Reading> reading);
  void wait(const Reading& reading);
  [[nodiscard]] bool done(const Reading& reading);
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
    std::shared_ptr<SpillFile> file;
    std::vector<BlockEntry> entries;
    SlabRange slabs;
    std::uint16_t planes;
    bool needed;  // by the search itself
  };
  void begin_file(Segment& segment, std::shared_ptr<const Bytes> data, bool needed);
  void serve_writes(const std::stop_token& stop);
  void serve_reads(const std::stop_token& stop);
  void write(const Write& job);
  void read_now(Reading& reading);

  std::filesystem::path folder_;
  std::uint64_t held_limit_;
  std::uint64_t behind_limit_;
  std::uint64_t held_ = 0;
  std::uint64_t next_file_ = 0;
  std::uint64_t bytes_kept_ = 0;
  std::atomic<std::uint64_t> bytes_written_{0};
  std::atomic<std::uint64_t> bytes_read_{0};

  mutable std::mutex mutex_;
  std::condition_variable_any to_write_;
  std::condition_variable_any to_read_;
  std::condition_variable written_;
  std::condition_variable read_;
  std::deque<Write> writes_;  // the first is being written
  std::uint64_t behind_ = 0;  // bytes
  std::deque<std::shared_ptr<Reading>> readings_;
  std::exception_ptr write_failure_;
  std::exception_ptr spare_failure_;  // of a file that the search does without
  std::jthread writer_;
  std::jthread reader_;
};

}  // namespace tessera
