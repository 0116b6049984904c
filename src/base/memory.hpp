// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/descriptor.hpp"

namespace tessera {

inline constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Zeroed memory for large arrays with random access. The system provides its pages when they are
/// touched, and gets them back with the buffer.
class LargeBuffer {
 public:
  enum class Pages { huge, small };

  LargeBuffer() = default;
  /// In huge pages if the kernel provides them; the buffer is aligned to them, so that touching its
  /// first N huge pages takes no more. Throws Error(resource) with the size if the system refuses.
  explicit LargeBuffer(std::size_t bytes);
  /// Empty if the system refuses.
  [[nodiscard]] static LargeBuffer if_possible(std::size_t bytes, Pages pages);
  /// The same as an anonymous memory file, which other processes map through its descriptor. Huge
  /// pages only if the system provides them for shared memory. Empty on failure.
  [[nodiscard]] static LargeBuffer shared(std::size_t bytes);
  /// Maps such a file of another process, found at `path`, for reading and writing. Empty if there
  /// is no file of this size or it cannot be mapped.
  [[nodiscard]] static LargeBuffer seen(const std::string& path, std::size_t bytes);

  /// Makes a buffer of this process's own larger, with zeroed memory, or smaller. The system moves
  /// its pages, so that it is never there twice. Throws Error(resource) as the constructor does.
  void resize(std::size_t bytes);

  [[nodiscard]] std::span<std::uint8_t> bytes() { return {data_.get(), size()}; }
  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return {data_.get(), size()}; }
  /// The descriptor of shared memory, or -1.
  [[nodiscard]] int file() const { return file_.number(); }

 private:
  struct Unmap {
    std::size_t bytes;
    void operator()(std::uint8_t* data) const;
  };
  [[nodiscard]] std::size_t size() const { return data_ ? data_.get_deleter().bytes : 0; }
  // Leaves the buffer empty on failure.
  void map(std::size_t bytes, int flags, int file);
  void align(std::size_t bytes);
  void advise(Pages pages);

  std::unique_ptr<std::uint8_t[], Unmap> data_;
  Descriptor file_;
};

/// Smaller arrays gain little from huge pages.
inline constexpr std::size_t least_copied_bytes = std::size_t{32} << 20;

/// A copy of a mapped file's pages in huge pages if the kernel has them, the array has at least
/// `least_bytes`, and half of the memory stays free; else empty. With small pages, random access to
/// large arrays spends most of its time on page table walks; even prefetches wait for them. The
/// file's pages leave this process's memory as they are copied, until they are read again.
[[nodiscard]] LargeBuffer copy_in_huge_pages(std::span<const std::uint8_t> file_bytes,
                                             std::size_t least_bytes = least_copied_bytes);

/// Rounds a number of bytes up to whole pages.
[[nodiscard]] constexpr std::size_t whole_pages(std::size_t bytes) {
  constexpr std::size_t page = 4096;
  return (bytes + page - 1) / page * page;
}

/// Makes the system allocate these pages now; `bytes` starts at a page boundary, and its contents
/// are kept. Throws Error(resource) if there are no more pages.
void take_from_system(std::span<std::uint8_t> bytes);

/// Whether addresses without memory are free: neither `ulimit -v` nor `ulimit -d` counts them.
[[nodiscard]] bool has_free_addresses();

/// Maps shared pages that other processes have allocated, to avoid page faults on first access.
void map_what_is_there(std::span<std::uint8_t> bytes);

}  // namespace tessera
